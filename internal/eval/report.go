package eval

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Write prints the figures of one collection as a table, a row for each stage.
func (r *Report) Write(w io.Writer, stages []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	// A tabwriter keeps what it is given until Flush, which reports failure.
	_, _ = fmt.Fprintf(t, "%s, %d documents, %d queries\n", r.Set, r.Documents, r.Queries)
	_, _ = fmt.Fprintln(t, "stage\tnDCG@10\trecall@5\trecall@10\trecall@20\tMRR@10\tms p50\tms p95\trecomputed\tlayers\t")
	for _, name := range stages {
		st := r.Stages[name]
		layers := "-"
		if st.FullLayers > 0 {
			layers = fmt.Sprintf("%.0f%%", 100*float64(st.ActiveLayers)/float64(st.FullLayers))
		}
		_, _ = fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.2f\t%.2f\t%.1f\t%s\t\n", name,
			st.NDCG10, st.Recall5, st.Recall10, st.Recall20, st.MRR10, st.P50, st.P95, float64(st.Recomputed)/float64(max(r.Queries, 1)), layers)
	}
	return t.Flush()
}
