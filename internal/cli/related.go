package cli

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
)

// relatedFlags are the flags of dowse related.
type relatedFlags struct {
	k        int
	in       []string
	filter   string
	sameFile bool
	json     bool
}

// newRelated is dowse related: passages like one of a file.
func newRelated(s *streams) *cobra.Command {
	var r relatedFlags
	cmd := &cobra.Command{
		Use:   "related FILE[:LINE]",
		Short: "Print the passages most like one of a file",
		Long: `Related prints the passages of other files that mean most nearly what the passage
at that line means. Without a line the file counts as a whole: what is most like
any of its passages, and of each other file the best passage.

  dowse related notes/dns.md:12
  dowse related notes/dns.md --in ~/notes/server --filter "ext:md after:2026"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runRelated(cmd.Context(), s, r, args[0]) },
	}
	f := cmd.Flags()
	f.IntVarP(&r.k, "limit", "k", engine.DefaultK, "how many passages to print")
	f.StringArrayVar(&r.in, "in", nil, "look below this folder only (may be repeated)")
	f.StringVar(&r.filter, "filter", "", "look at these files only: path:, ext:, type:, tag:, after: and so on, as in a query")
	f.BoolVar(&r.sameFile, "same-file", false, "print other passages of the file too")
	f.BoolVar(&r.json, "json", false, "print one JSON object")
	return cmd
}

// request checks the flags and makes the request of them.
func (r *relatedFlags) request(place string) (engine.RelatedRequest, error) {
	req := engine.RelatedRequest{K: r.k, Filter: r.filter, SameFile: r.sameFile, Fold: !r.json}
	err := checkLimit(r.k)
	if err != nil {
		return req, err
	}
	if req.In, err = resolveIn(r.in); err != nil {
		return req, err
	}
	name, line, err := splitPlace(place)
	if err != nil {
		return req, err
	}
	req.Line = line
	req.Path, err = app.ResolveFile(name)
	return req, err
}

// splitPlace reads FILE or FILE:LINE. A file whose name ends like a line is found
// by its name.
func splitPlace(place string) (name string, line int, err error) {
	at := strings.LastIndexByte(place, ':')
	if at <= 0 {
		return place, 0, nil
	}
	if _, err := os.Lstat(place); err == nil {
		return place, 0, nil
	}
	digits := place[at+1:]
	if strings.Trim(digits, "0123456789") != "" || digits == "" {
		return place, 0, nil
	}
	if line, err = strconv.Atoi(digits); err != nil || line < 1 {
		return "", 0, fmt.Errorf("%s: lines count from 1", place)
	}
	return place[:at], line, nil
}

// runRelated answers dowse related.
func runRelated(ctx context.Context, s *streams, r relatedFlags, place string) error {
	req, err := r.request(place)
	if err != nil {
		return err
	}
	var related *engine.Related
	err = withService(ctx, s, func(service engine.Service) (err error) {
		related, err = service.Related(ctx, req, func(e engine.Event) {
			if e.Problem != "" {
				s.note("dowse: " + e.Problem)
			}
		})
		return err
	})
	if err != nil {
		return err
	}
	if r.json {
		keepBytes(related.Passages)
		related.Like.PathBytes = bytesOf(related.Like.Path)
		err = writeJSON(s.out, related)
	} else {
		_, err = fmt.Fprint(s.out, passagesText(painter(wantColour(s.out)), related.Passages, false))
	}
	if err != nil {
		return fmt.Errorf("cannot write the answer: %w", err)
	}
	if len(related.Passages) > 0 {
		return nil
	}
	if !r.json {
		s.note("dowse: nothing found")
	}
	return errNothing
}
