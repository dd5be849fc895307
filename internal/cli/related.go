package cli

import (
	"context"
	"errors"
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
	output   outputFlags
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
	r.output.bind(cmd)
	return cmd
}

// request checks the flags and makes the request of them.
func (r *relatedFlags) request(place string) (engine.RelatedRequest, error) {
	req := engine.RelatedRequest{Filter: r.filter, SameFile: r.sameFile}
	err := errors.Join(checkLimit(r.k), r.output.check())
	if err != nil {
		return req, err
	}
	req.Fold = r.output.folds()
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
	page, err := r.output.page(r.k, r.named(&req))
	if err != nil {
		return err
	}
	req.K = page.Wanted()
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
	related.Like.PathBytes = bytesOf(related.Like.Path)
	printed, err := r.output.print(s, found{
		passages: related.Passages, page: page, request: r.named(&req),
		object: func(passages []engine.Passage, left rest) any {
			whole := *related
			whole.Passages = passages
			return struct {
				engine.Related
				rest
			}{whole, left}
		},
	})
	if err != nil || printed > 0 {
		return err
	}
	if r.output.format != formatJSON {
		s.note("dowse: nothing found")
	}
	return errNothing
}

// named is what decides on the ranking.
func (r *relatedFlags) named(req *engine.RelatedRequest) []string {
	return append([]string{"related", req.Path, strconv.Itoa(req.Line), req.Filter, strconv.FormatBool(req.SameFile), strconv.FormatBool(req.Fold)}, req.In...)
}
