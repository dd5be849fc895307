package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
)

// newCalibrate is dowse calibrate.
func newCalibrate(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "calibrate [FILE]",
		Short: "Measure how early the reranker may drop candidates",
		Long: `Calibrate asks the queries of a file, one a line ("-" is the standard input),
of your index, with the reranker in full, and keeps what each layer said. From
that, and from searches before, it chooses how early candidates may be dropped
so that the best half agrees with those of the full pass (rerank.precision, 0.99; the
first results count most). Without a file it does so from searches before alone.
Until there are 50 of them the thresholds that come with the reranker decide, and
nothing is dropped where none come with it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var queries []string
			if len(args) == 1 {
				var err error
				if queries, err = readQueries(s, args[0]); err != nil {
					return err
				}
			}
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			report, err := a.Calibrate(cmd.Context(), queries, func(done, total int) {
				line.show("asking", fmt.Sprintf("query %d of %d", done, total))
			})
			if err != nil {
				return err
			}
			line.done()
			if asJSON {
				return writeJSON(s.out, report)
			}
			return writeCalibration(plain{s.out}, report)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// readQueries reads the lines of a file.
func readQueries(s *streams, path string) (queries []string, err error) {
	in := s.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("the queries cannot be read: %w", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		in = file
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if q := strings.TrimSpace(lines.Text()); q != "" {
			queries = append(queries, q)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the queries cannot be read: %w", err)
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("%s holds no query; want one a line", path)
	}
	return queries, nil
}

// writeCalibration says what was found, for people.
func writeCalibration(w io.Writer, r *engine.CalibrationReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d queries traced, %d of them now\n", r.Model, r.Traces, r.Queries)
	switch {
	case r.Traces < r.Needed && !r.Pruning:
		fmt.Fprintf(&b, "nothing is dropped early before %d are traced\n", r.Needed)
	case !r.Pruning:
		fmt.Fprintf(&b, "nothing is dropped early: no threshold agrees to %.1f%% with the full pass\n", 100*r.Target)
	default:
		fmt.Fprintf(&b, "after layer %d candidates are dropped that cannot be among the best %d, where scores spread by more than %.3g:\n", r.MinLayers, r.Sure, r.Tau)
		fmt.Fprintf(&b, "the best agree to %.1f%% with the full pass, for %.0f%% of the work", 100*r.Agreement, 100*r.Cost)
		if r.Shipped {
			fmt.Fprintf(&b, ", as measured before the model was published;\nyour own searches decide once %d are traced", r.Needed)
		}
		fmt.Fprintln(&b)
	}
	if len(r.Gamma) > 0 {
		fmt.Fprintln(&b, "agreement of each layer's order with the last one's (gamma; between clusters):")
		for i, g := range r.Gamma {
			fmt.Fprintf(&b, "  layer %2d  %5.2f  %5.2f\n", i+1, g, r.Cluster[i])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
