package askbench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Report is what Run found.
type Report struct {
	Folder    string `json:"folder"`
	Questions int    `json:"questions"`
	Rows      []Row  `json:"ways"`
}

// Row is a way of asking.
type Row struct {
	Way  string `json:"way"`
	Cold Times  `json:"cold"` // nobody owns the store
	Warm Times  `json:"warm"` // beside a watcher that has computed ahead
}

// Times are of one process a question.
type Times struct {
	P50    float64 `json:"ms_p50"` // of the process, wall clock, milliseconds
	P95    float64 `json:"ms_p95"`
	Search float64 `json:"search_ms_p50"` // of the search in it
	Found  int     `json:"found"`         // questions with a result

	Recomputed float64 `json:"recomputed"`    // vectors, mean a question
	Active     int     `json:"active_layers"` // of the reranker, computed for all questions and candidates
	Full       int     `json:"full_layers"`   // what they would be without pruning
}

// layers words the share of layers that were computed.
func (t Times) layers() string {
	if t.Full == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(t.Active)/float64(t.Full))
}

// Write prints the report for people.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d questions over %s, a process each, medians in ms\n", r.Questions, r.Folder)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "ranking\tcold\tp95\twarm\tp95\tsearch, cold\twarm\trecomputed, cold\twarm\tlayers\t")
	for _, row := range r.Rows {
		c, h := row.Cold, row.Warm
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t%s\t\n",
			row.Way, c.P50, c.P95, h.P50, h.P95, c.Search, h.Search, c.Recomputed, h.Recomputed, h.layers())
	}
	return t.Flush()
}
