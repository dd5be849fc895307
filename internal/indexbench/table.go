package indexbench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Write prints the report for people.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d passages of %d files, %d bytes of text, %d queries, vectors of %d numbers, codes of %d bytes, %d cores\n",
		r.Chunks, r.Files, r.TextBytes, r.Queries, r.Dim, r.CodeBytes, r.Cores)
	var points []string
	for _, p := range r.Embedding {
		points = append(points, fmt.Sprintf("%.1f by %d", p.Millis, p.Batch))
	}
	fmt.Fprintf(w, "embedding, ms a passage: %s\n", strings.Join(points, ", "))
	for _, table := range []func(*tabwriter.Writer){r.writeMethods, r.writeGraphs, r.writeGrowth} {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		table(t)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// missing stands where no setting of the grid reaches a recall.
const missing = "-"

func (r *Report) writeMethods(t *tabwriter.Writer) {
	fmt.Fprintln(t, "method\tbytes/chunk\t% of text\tgoal\trecall@3\trecomputes\tcached\town us\test. ms\tsetting")
	for _, row := range r.Methods {
		for _, result := range row.Results {
			goal := missing
			if result.Goal > 0 {
				goal = fmt.Sprintf("%.2f", result.Goal)
			}
			fmt.Fprintf(t, "%s\t%.1f\t%.2f\t%s\t%s\n", row.Method, row.BytesPerChunk, 100*row.TextShare, goal, outcomeText(result.Best))
		}
	}
}

// outcomeText is the columns of an outcome.
func outcomeText(o *Outcome) string {
	if o == nil {
		return strings.Join([]string{missing, missing, missing, missing, missing, missing}, "\t")
	}
	cached := missing
	if o.Cached > 0 {
		cached = fmt.Sprintf("%.1f (%.0f%%)", o.Cached, 100*o.Cached/o.Vectors)
	}
	return fmt.Sprintf("%.3f\t%.1f\t%s\t%.0f\t%.1f\t%s", o.Recall, o.Recomputes, cached, o.OwnMicros, o.Millis, o.Setting)
}

func (r *Report) writeGraphs(t *tabwriter.Writer) {
	fmt.Fprint(t, "graph, a=1\tbuild s\tdegree\tbytes/chunk")
	for _, goal := range goals {
		fmt.Fprintf(t, "\trecomputes at %.2f\tratio", goal)
	}
	fmt.Fprintln(t, "\tshape")
	for _, row := range r.Graphs {
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f", row.Graph, row.BuildSeconds, row.Degree, row.BytesPerChunk)
		for _, g := range row.Results {
			ratio := missing
			if g.Ratio > 0 {
				ratio = fmt.Sprintf("%.2f", g.Ratio)
			}
			fmt.Fprintf(t, "\t%s\t%s", recomputesText(g.Best), ratio)
		}
		fmt.Fprintf(t, "\t%s\n", row.Shape)
	}
}

func (r *Report) writeGrowth(t *tabwriter.Writer) {
	for i, row := range r.Growth {
		if i == 0 {
			fmt.Fprintf(t, "recomputes at %.2f", growthGoal)
			for _, p := range row.Sizes {
				fmt.Fprintf(t, "\t%d chunks", p.Chunks)
			}
			fmt.Fprintln(t)
		}
		fmt.Fprint(t, row.Method)
		for _, p := range row.Sizes {
			fmt.Fprintf(t, "\t%s", recomputesText(p.Best))
		}
		fmt.Fprintln(t)
	}
}

func recomputesText(o *Outcome) string {
	if o == nil {
		return missing
	}
	return fmt.Sprintf("%.1f (%s)", o.Recomputes, o.Setting)
}
