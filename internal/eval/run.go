// Package eval measures ranking quality and latency over judged queries.
//
// The metrics are those of trec_eval: nDCG@10 with the judged grades as linear gains,
// recall@k over documents of grade 1 and more, and the reciprocal rank of the first such
// document within ten, each averaged over queries.
package eval

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Report is what one collection came to.
type Report struct {
	Set       string           `json:"set"`
	Asked     string           `json:"asked,omitempty"` // language of the queries of a Parallel
	Of        string           `json:"of,omitempty"`    // language of its documents, or AllLanguages
	Documents int              `json:"documents"`
	Queries   int              `json:"queries"`
	Stages    map[string]Stage `json:"stages"`

	Rankings []Ranking `json:"-"` // of the last stage, for WriteRun
}

// Stage is one way of ranking, measured.
type Stage struct {
	Scores
	P50 float64 `json:"ms_p50"` // milliseconds a query, wall clock, one at a time
	P95 float64 `json:"ms_p95"`
	Cost
}

// Cost counts the work of ranking, summed over the queries.
type Cost struct {
	Recomputed   int `json:"recomputed"`    // vectors of documents that were computed again
	Memoized     int `json:"memoized"`      // vectors that were still known from queries before
	ActiveLayers int `json:"active_layers"` // layers of the reranker, over all candidates
	FullLayers   int `json:"full_layers"`   // what they would be without pruning
}

func (c Cost) add(d Cost) Cost {
	return Cost{c.Recomputed + d.Recomputed, c.Memoized + d.Memoized, c.ActiveLayers + d.ActiveLayers, c.FullLayers + d.FullLayers}
}

// Query is one judged query.
type Query struct {
	ID     string         `json:"_id"`
	Text   string         `json:"text"`
	Grades map[string]int // by id of the document
}

// Ranked is a document at its place in a ranking.
type Ranked struct {
	ID    string
	Score float64 // higher is better; its scale is the stage's
}

// Ranking is the result of one query.
type Ranking struct {
	Query     string // its id
	Documents []Ranked
}

// depth is how many documents are retrieved for a query.
const depth = 100

// Retriever ranks the documents of the collection for a query.
type Retriever interface {
	// Retrieve returns at most k documents, best first, and what that cost.
	Retrieve(ctx context.Context, stage, query string, k int) ([]Ranked, Cost, error)
}

// Run asks every query of every stage, one after the other. limit > 0 asks
// only that many queries, spread evenly over the collection. progress is
// called after each query with the number asked and the number to ask. The caller
// fills in Documents.
func Run(ctx context.Context, set string, judged []Query, r Retriever, stages []string, limit int, progress func(done, total int)) (*Report, error) {
	queries := Spread(judged, limit)
	report := &Report{Set: set, Queries: len(queries), Stages: map[string]Stage{}}
	done, total := 0, len(stages)*len(queries)
	for _, stage := range stages {
		var sum Scores
		var cost Cost
		times := make([]float64, 0, len(queries))
		report.Rankings = make([]Ranking, 0, len(queries))
		for _, q := range queries {
			start := time.Now()
			found, took, err := r.Retrieve(ctx, stage, q.Text, depth)
			if err != nil {
				return nil, fmt.Errorf("stage %s, query %s: %w", stage, q.ID, err)
			}
			times = append(times, float64(time.Since(start).Microseconds())/1000)
			cost = cost.add(took)
			sum = sum.add(Score(found, q.Grades))
			report.Rankings = append(report.Rankings, Ranking{q.ID, found})
			done++
			if progress != nil {
				progress(done, total)
			}
		}
		report.Stages[stage] = Stage{
			Scores: sum.scale(1 / float64(len(queries))),
			P50:    Percentile(times, 0.50),
			P95:    Percentile(times, 0.95),
			Cost:   cost,
		}
	}
	return report, nil
}

// Spread picks n of a list at even distances; all of it if n is 0 or too large.
func Spread[T any](list []T, n int) []T {
	if n <= 0 || n >= len(list) {
		return list
	}
	picked := make([]T, n)
	for i := range picked {
		picked[i] = list[i*len(list)/n]
	}
	return picked
}

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
