package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/tui"
)

// newIndex is dowse index: once, with progress.
func newIndex(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "index DIR...",
		Short: "Index folders once, with progress, and exit",
		Long: `Index brings the index up to date with the folders and everything below them.
Folders are remembered; without any, all that are known are refreshed.
Only what changed since the last time is read.`,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return runIndex(cmd.Context(), s, dirs, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func runIndex(ctx context.Context, s *streams, dirs []string, asJSON bool) error {
	folders, err := app.ResolveFolders(dirs)
	if err != nil {
		return err
	}
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	service, err := a.Open(ctx, indexes.Own)
	if err != nil {
		return err
	}
	line := newProgressLine(s.err)
	report, err := service.Index(ctx, folders, line.event)
	line.done()
	if err = errors.Join(err, service.Close()); err != nil {
		return err
	}
	if asJSON {
		return writeJSON(s.out, report)
	}
	fmt.Fprintln(s.err, printable(indexSummary(report)))
	if hint := a.Reading().OCRHint(report.Skipped); hint != "" {
		fmt.Fprintln(s.err, printable(hint))
	}
	return nil
}

// manySkipped is the share of unread files above which a run says so.
const manySkipped = .03

// indexSummary is one or two lines on what a run did.
func indexSummary(r *engine.IndexReport) string {
	text := fmt.Sprintf("%s files, %s passages, %s of text; %s new, %s changed, %s removed in %s",
		humanize.Comma(int64(r.Files)), humanize.Comma(int64(r.Chunks)), bytesText(r.TextBytes),
		humanize.Comma(int64(r.Added)), humanize.Comma(int64(r.Updated)), humanize.Comma(int64(r.Removed)),
		time.Duration(r.Seconds*float64(time.Second)).Round(10*time.Millisecond))
	if r.Embedded > 0 {
		text += fmt.Sprintf(" (%.0f passages/s)", r.Rate)
	}
	if len(r.Skipped) > 0 {
		text += "\nleft out: " + skippedText(r.Skipped)
	}
	if unread := engine.Unread(r.Skipped); unread > 0 && float64(unread) > manySkipped*float64(r.Files+unread) {
		text += fmt.Sprintf("\n%s of %s are not in the index; dowse status --skipped lists them, and why",
			humanize.Comma(int64(unread)), counted(r.Files+unread, "file"))
	}
	if r.Partial > 0 {
		text += fmt.Sprintf("\nin part: %s; dowse status says what they lack", counted(r.Partial, "file"))
	}
	return text
}

// newWatch is dowse watch: the owner of the store.
func newWatch(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "watch [DIR...]",
		Short: "Keep the index fresh and serve the other uses",
		Long: `Watch indexes the folders, then follows every change below them until it is
stopped. While it runs, dowse and dowse -q ask it and start warm.

Where the system runs short of memory (Linux says so), models make do with half of
what the setting memory allows, several times if need be, and take it back step by
step. The signal USR1 asks for a halving, USR2 gives all that it took back; no answer
under way is lost.`,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return runWatch(cmd.Context(), s, dirs)
		},
	}
}

func runWatch(ctx context.Context, s *streams, dirs []string) error {
	folders, err := app.ResolveFolders(dirs)
	if err != nil {
		return err
	}
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	return watchUntil(ctx, s, a, folders)
}

// watchUntil keeps the index fresh until ctx ends.
func watchUntil(ctx context.Context, s *streams, a *app.App, folders []string) error {
	follow, unfollow := followMemory(ctx)
	defer unfollow()
	owner, err := a.OpenOwner(ctx, func() {
		fmt.Fprintln(s.err, "waiting for another dowse to be done with the index")
	})
	if err != nil {
		return err
	}
	follow(owner)
	line := newProgressLine(s.err)
	err = owner.Watch(ctx, folders, func(e engine.Event) {
		line.event(e)
		if c := e.Changed; c != nil && *c != (engine.Changed{}) {
			line.done()
			fmt.Fprintf(s.err, "%s  %d added, %d updated, %d removed\n",
				time.Now().Format(time.TimeOnly), c.Added, c.Updated, c.Removed)
		}
		if p := e.Progress; p != nil && p.Phase == engine.Idle {
			line.done()
		}
	})
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = nil // Ctrl-C is how a watch ends
	}
	unfollow()
	return errors.Join(err, owner.Close())
}

// runScreen is the terminal UI.
func runScreen(ctx context.Context, s *streams, q queryFlags, dirs []string) error {
	folders, err := app.ResolveFolders(dirs)
	if err != nil {
		return err
	}
	req, err := q.request(dirs)
	if err != nil {
		return err
	}
	q.in = req.In
	if !isTerminal(s.in) || !isTerminal(s.out) {
		return errors.New(`the screen needs a terminal; use dowse -q "your question" in scripts`)
	}
	plain := q.plain || !takesEscapes(s.out)
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	service, err := a.Open(ctx, indexes.Own)
	if err != nil {
		return err
	}
	if plain { // the screen lets people choose some
		if err := requireFolders(ctx, service, folders); err != nil {
			return errors.Join(err, service.Close())
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	follow := indexes.Follow(ctx, service, folders)
	if plain {
		err = runPlain(ctx, s, q, dirs, service)
		cancel()
		<-follow
		return errors.Join(err, service.Close())
	}
	options := tui.Options{In: q.in, Version: app.Version(), NoColor: refusesColour() || s.colour == colourNever, OpenPart: a.OpenPart}
	options.Choose, options.Models = len(folders) == 0, app.ModelKeeper{App: a}
	screen := a.Config.Screen
	options.Theme, options.Still, options.Keys = screen.Theme, !screen.Motion, screen.Keys
	if kept := a.Queries(); kept != nil {
		options.Queries = kept
	}
	err = tui.Run(ctx, service, options)
	cancel()
	<-follow
	return errors.Join(err, service.Close())
}

// requireFolders refuses to search where no folder is indexed or named.
func requireFolders(ctx context.Context, service engine.Service, folders []string) error {
	if len(folders) > 0 {
		return nil
	}
	status, err := service.Status(ctx)
	if err != nil {
		return err
	}
	if len(status.Roots) == 0 {
		return errors.New("nothing is indexed yet; name a folder, such as dowse index ~/notes")
	}
	return nil
}
