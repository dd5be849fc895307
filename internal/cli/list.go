package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/reply"
)

// listFlags are the flags of dowse list.
type listFlags struct {
	skipped bool
	null    bool
	json    bool
	format  string
}

// listFormats are those of a list of files.
var listFormats = []string{formatPaths, formatJSON, formatJSONL, formatCSV}

// newList is dowse list: what is indexed.
func newList(s *streams) *cobra.Command {
	var l listFlags
	cmd := &cobra.Command{
		Use:   "list [DIR...]",
		Short: "List the files of the index, or those that are left out",
		Long: `List prints the paths of the files in the index, one a line, of all folders or of some. With
--skipped it looks at the folders and prints what is not in the index, and why.

  dowse list ~/notes -0 | xargs -0 wc -w
  dowse list --format csv > files.csv`,
		RunE: func(cmd *cobra.Command, dirs []string) error { return runList(cmd.Context(), s, l, dirs) },
	}
	f := cmd.Flags()
	f.BoolVar(&l.skipped, "skipped", false, "list what is not in the index, and why")
	f.BoolVarP(&l.null, "null", "0", false, "end each path with a zero byte, for xargs -0")
	f.BoolVar(&l.json, "json", false, "print one JSON object")
	f.StringVar(&l.format, "format", formatPaths, "how to print: "+strings.Join(listFormats, ", "))
	return cmd
}

func (l *listFlags) check() error {
	switch {
	case l.json && l.null, (l.json || l.null) && l.format != formatPaths && l.format != formatJSON:
		return errors.New("--json, -0 and --format are formats of the same output: give one of them")
	case l.json:
		l.format = formatJSON
	case !slices.Contains(listFormats, l.format):
		return fmt.Errorf("--format %s: want %s%s", l.format, strings.Join(listFormats, ", "), didYouMean(l.format, listFormats))
	}
	return nil
}

// filesAtOnce is how many files are asked for at a time.
const filesAtOnce = 20_000

func runList(ctx context.Context, s *streams, l listFlags, dirs []string) error {
	if err := l.check(); err != nil {
		return err
	}
	in, err := app.ResolveFolders(dirs)
	if err != nil {
		return err
	}
	if l.skipped {
		return l.runSkipped(ctx, s, in)
	}
	var all []engine.IndexedFile
	err = withService(ctx, s, func(service engine.Service) error {
		req := engine.FilesRequest{In: in, Limit: filesAtOnce}
		for {
			page, err := service.Files(ctx, req)
			if err != nil {
				return err
			}
			if all = append(all, page.Files...); page.More == 0 || len(page.Files) == 0 {
				return nil
			}
			req.After = page.Files[len(page.Files)-1].Path
		}
	})
	if err != nil {
		return err
	}
	if err := l.print(s, all); err != nil {
		return fmt.Errorf("cannot write the list: %w", err)
	}
	if len(all) > 0 {
		return nil
	}
	if l.format != formatJSON {
		s.note("dowse: no file of the index lies there")
	}
	return errNothing
}

// print prints files in the format.
func (l *listFlags) print(s *streams, all []engine.IndexedFile) error {
	paths := make([]string, len(all))
	for i := range all {
		paths[i] = all[i].Path
		all[i].PathBytes = bytesOf(all[i].Path)
	}
	switch l.format {
	case formatJSON:
		return writeJSON(s.out, engine.Files{Files: append([]engine.IndexedFile{}, all...)})
	case formatJSONL:
		return jsonLines(s.out, all)
	case formatCSV:
		rows := [][]string{{"path", "format", "title", "date", "text_bytes", "chunks", "lacking"}}
		for _, f := range all {
			rows = append(rows, []string{f.Path, f.Format, f.Title, f.Date.Format(time.RFC3339), strconv.FormatInt(f.TextBytes, 10), strconv.Itoa(f.Chunks), f.Lacking})
		}
		return l.table(s, rows)
	}
	return l.lines(s, paths)
}

// lines prints a path a line, or behind zero bytes.
func (l *listFlags) lines(s *streams, paths []string) error {
	var b strings.Builder
	for _, path := range paths {
		end := "\n"
		if l.null {
			end = "\x00"
		}
		b.WriteString(argument(path) + end)
	}
	return writeRaw(s, b.String())
}

// table prints rows as CSV.
func (l *listFlags) table(s *streams, rows [][]string) error {
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	return writeRaw(s, b.String())
}

// writeRaw writes text with names as they are, but what a terminal must not get.
func writeRaw(s *streams, text string) error {
	if isTerminal(s.out) {
		text = printable(text)
	}
	_, err := io.WriteString(s.out, text)
	return err
}

// jsonLines prints a JSON object a line.
func jsonLines[T any](w io.Writer, all []T) error {
	for i := range all {
		line, err := reply.JSON(&all[i])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, safeJSON(line)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// runSkipped lists what is not in the index below some folders, or anywhere.
func (l *listFlags) runSkipped(ctx context.Context, s *streams, in []string) error {
	return withService(ctx, s, func(service engine.Service) error {
		left, err := service.LeftOut(ctx)
		if err != nil {
			return err
		}
		if len(in) > 0 {
			left = reply.LeftOut(left, in, "")
		}
		switch {
		case l.format == formatJSON:
			return writeJSON(s.out, map[string]any{"left_out": left})
		case l.format == formatJSONL:
			return jsonLines(s.out, left)
		case l.format == formatCSV:
			rows := [][]string{{"path", "reason", "detail"}}
			for _, f := range left {
				rows = append(rows, []string{f.Path, f.Reason, f.Detail})
			}
			return l.table(s, rows)
		case l.null:
			paths := make([]string, len(left))
			for i := range left {
				paths[i] = left[i].Path
			}
			return l.lines(s, paths)
		}
		return printLeftOut(s, left)
	})
}
