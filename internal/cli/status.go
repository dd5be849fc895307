package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
)

// newStatus is dowse status: what there is and what it costs.
func newStatus(s *streams) *cobra.Command {
	var asJSON, skipped bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what is indexed and what it costs",
		Long: `Status says what is indexed and what it costs, and counts what was left out. With --skipped
it looks at the folders and lists each file that is not in the index, with the reason: one a
line, and a folder for all below it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if skipped {
				l := listFlags{format: formatText}
				if asJSON {
					l.format = formatJSON
				}
				return l.runSkipped(cmd.Context(), s, nil)
			}
			return withApp(cmd.Context(), s, func(a *app.App, service engine.Service) error {
				status, err := service.Status(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(s.out, status)
				}
				return printStatus(s.out, status, a.Reading().OCRHint(status.Skipped))
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&skipped, "skipped", false, "list what is not in the index, and why")
	return cmd
}

// printLeftOut prints what is not in the index, and why.
func printLeftOut(s *streams, left []engine.LeftOut) error {
	if len(left) == 0 {
		fmt.Fprintln(s.err, "nothing is left out")
	}
	t := newTable(s.out)
	for _, l := range left {
		t.row(leftText(l), l.Path)
	}
	return t.flush()
}

// leftText is the reason why a file is not in the index.
func leftText(l engine.LeftOut) string {
	if l.Detail == "" {
		return l.Reason
	}
	return l.Reason + " (" + l.Detail + ")"
}

// withService opens the index for reading, runs f and closes it.
func withService(ctx context.Context, s *streams, f func(engine.Service) error) error {
	return withApp(ctx, s, func(_ *app.App, service engine.Service) error { return f(service) })
}

// withApp is withService with the settings.
func withApp(ctx context.Context, s *streams, f func(*app.App, engine.Service) error) error {
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	service, err := a.Open(ctx, indexes.Read)
	if err != nil {
		return err
	}
	return errors.Join(f(a, service), service.Close())
}

// printStatus prints what is indexed, and what to do about files that were left out.
func printStatus(w io.Writer, st *engine.Status, hint string) error {
	t := newTable(w)
	row := func(name, format string, args ...any) { t.row(name, fmt.Sprintf(format, args...)) }
	row("files", "%s", filesText(st))
	row("passages", "%s", humanize.Comma(int64(st.Chunks)))
	row("text", "%s", bytesText(st.TextBytes))
	if st.TextBytes > 0 {
		row("on disk", "%s, %.0f%% of the text", bytesText(st.Bytes["total"]), 100*float64(st.Bytes["total"])/float64(st.TextBytes))
	}
	for _, name := range sortedKeys(st.Bytes) {
		if name != "total" && st.Bytes[name] > 0 {
			row("  "+name, "%s", bytesText(st.Bytes[name]))
		}
	}
	if g := st.Graph; g != nil {
		row("graph", "%s nodes, %s links, %s; %s", humanize.Comma(int64(g.Nodes)), humanize.Comma(int64(g.Links)), counted(g.Hubs, "hub"), g.Why)
	}
	if st.RSS > 0 {
		row("in memory", "%s resident", bytesText(st.RSS))
	}
	for _, name := range sortedKeys(st.Memory) {
		row("  "+name, "%s, at most %s", bytesText(st.Memory[name].Bytes), bytesText(st.Memory[name].Peak))
	}
	if b := st.Budget; b != nil {
		row("memory", "%s", budgetText(*b))
	}
	if u := st.Writer; u != nil {
		row("writer", "%s", writerText(u))
	}
	for i := range st.Named {
		row([]string{"folders", ""}[min(i, 1)], "%s", folderStatus(&st.Named[i]))
	}
	if len(st.Skipped) > 0 {
		row("left out", "%s", skippedText(st.Skipped))
		if hint != "" {
			row("", "%s", hint)
		}
	}
	for _, reason := range engine.SkipReasons(st.Skipped) {
		if files := st.SkippedFiles[reason]; len(files) > 0 {
			row("  "+reason, "%s", namesText(files, st.Skipped[reason]))
		}
	}
	for i, f := range st.Partial {
		if i == mostNamed {
			row("", "and %d more", len(st.Partial)-i)
			break
		}
		row([]string{"in part", ""}[min(i, 1)], "%s: without %s", f.Path, f.Lacking)
	}
	if c := st.Conversations; c != nil && c.Count > 0 {
		row("conversations", "%d, %s, %s", c.Count, counted(c.Questions, "question"), bytesText(c.Text))
		if c.Keys.Disk > 0 || c.Keys.Memory > 0 {
			row("  keys and values", "%s", strings.Join(nonEmpty(bytesText(c.Keys.Disk)+" on disk", keysText(c.Keys)), ", "))
		}
	}
	row("model", "%s", modelText(st))
	if st.Change != nil {
		row("", "%s", st.Change)
	}
	for _, f := range st.Folders {
		row("  "+f.Folder, "%s", &f)
	}
	for _, server := range st.Servers {
		row("  "+server.For, "%s", serverText(server))
	}
	row("index", "%s", st.Index)
	if !st.Updated.IsZero() {
		row("updated", "%s", humanize.Time(st.Updated))
	}
	if st.Watching {
		row("kept fresh by", "process %d", st.Owner)
		if st.Waiting != "" {
			row("", "%s", st.Waiting)
		}
	} else {
		row("kept fresh by", "nobody; run dowse watch")
	}
	return t.flush()
}

// filesText counts the files, and says how far indexing is.
func filesText(st *engine.Status) string {
	text := humanize.Comma(int64(st.Files))
	switch p := st.Progress; {
	case p != nil && p.Phase == engine.Indexing:
		text += "; indexing " + p.String()
	case st.Lacking > 0:
		text += fmt.Sprintf("; words: all; meaning: %d%%", 100*(st.Chunks-st.Lacking)/st.Chunks)
	}
	return text
}

// folderStatus is a folder, and its state where that is not the usual one.
func folderStatus(f *engine.Folder) string {
	switch {
	case f.Away():
		return f.Path + "  " + string(f.State) + ": " + f.AwayText()
	case f.Why != "":
		return f.Path + "  " + string(f.State) + ": " + f.Why
	case f.State == engine.Paused:
		return f.Path + "  paused: dowse folders resume " + f.Name + " has it looked at again"
	}
	return f.Path
}

// modelText names the embedder.
func modelText(st *engine.Status) string {
	if st.Model == "" {
		return "none: searches go by words alone"
	}
	return st.Model
}

// budgetText says how much may be held.
func budgetText(b engine.Budget) string {
	if b.Bytes == b.Full {
		return "at most " + bytesText(b.Full)
	}
	return fmt.Sprintf("at most %s for now, %s by the settings", bytesText(b.Bytes), bytesText(b.Full))
}

// writerText says how the model that writes answers runs.
func writerText(u *engine.ModelUse) string {
	parts := []string{u.Name + " " + wayText(u.Way)}
	if u.Way == engine.Streamed {
		parts = append(parts, fmt.Sprintf("%d of %s in memory", u.Kept, counted(u.Layers, "layer")))
	}
	if u.Sparsity > 0 {
		parts = append(parts, fmt.Sprintf("%.0f%% of its inputs left out", 100*u.Sparsity))
	}
	if u.Cache > 0 {
		parts = append(parts, "cache "+bytesText(u.Cache))
	}
	if rate, ok := u.HitRate(); ok {
		parts = append(parts, fmt.Sprintf("%s hits, %s misses (%.0f%% hits)", humanize.Comma(int64(u.Hits)), humanize.Comma(int64(u.Misses)), 100*rate))
	}
	if u.TokenBytes > 0 {
		parts = append(parts, bytesText(u.TokenBytes)+" read for a token of its last text")
	}
	return strings.Join(parts, ", ")
}

// wayText says how a model has its weights.
func wayText(w engine.Way) string {
	switch w {
	case engine.Resident:
		return "in memory"
	case engine.Streamed:
		return "streamed from the disk"
	case engine.Swapped:
		return "swapped by rows"
	case engine.Mixture:
		return "with its experts read"
	}
	return string(w)
}

// serverText says what a server gets.
func serverText(s engine.ServerStatus) string {
	text := fmt.Sprintf("%s at %s gets %s", s.Model, s.Host, s.Gets)
	switch {
	case s.Remote && !s.Encrypted:
		text += "; it is not on this machine, and the way there is not encrypted"
	case s.Remote:
		text += "; it is not on this machine"
	}
	return text
}

// nonEmpty returns the texts that are not empty.
func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// checkText says what was found in order, and what was computed of conversations.
func checkText(r *engine.CheckReport) (text string) {
	if r.Problems == 0 {
		text = fmt.Sprintf("the index is sound: %s files, %s passages, %s blocks of postings, %s\n",
			humanize.Comma(int64(r.Files)), humanize.Comma(int64(r.Chunks)), humanize.Comma(int64(r.Blocks)), bytesText(r.Bytes))
	}
	if k := r.Keys; k != nil && k.Conversations > 0 {
		text += fmt.Sprintf("%s kept for the language model: %s chunks of keys and values, %s",
			counted(k.Conversations, "conversation"), humanize.Comma(int64(k.Chunks)), bytesText(k.Bytes))
		if k.Damaged > 0 {
			text += fmt.Sprintf("; %d are damaged and will be computed again", k.Damaged)
		}
		text += "\n"
	}
	return text
}

// newCheck is dowse check: every page and record.
func newCheck(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify every page of the index",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withService(cmd.Context(), s, func(service engine.Service) error {
				report, err := service.Check(cmd.Context(), func(e engine.Event) {
					if e.Problem != "" {
						s.note("damaged: " + e.Problem)
					}
				})
				if err != nil {
					return err
				}
				if asJSON {
					err = writeJSON(s.out, report)
				} else {
					_, err = fmt.Fprint(s.out, checkText(report))
				}
				if err != nil {
					return err
				}
				if report.Problems > 0 {
					return fmt.Errorf("the index has %d problems; run dowse index to repair it: your files are not affected", report.Problems)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
