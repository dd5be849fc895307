package engine

import (
	"context"
	"time"
)

// Reranker judges passages by reading query and passage together.
type Reranker interface {
	// Rerank puts passages in order. An error leaves the order as it was.
	Rerank(ctx context.Context, job RerankJob) (*Reranking, error)
	// Ready opens what Rerank needs, while a search does something else; Rerank has the errors. It
	// returns when that is open, or ctx is done.
	Ready(ctx context.Context)
	// Depth is how many passages it reads in the time that a search has for it.
	Depth() int
	// Near is how many of passages with scores, best first, are near enough to the first that reading
	// them may put them before it.
	Near(scores []float64) int
}

// RerankJob is what a Reranker is asked.
type RerankJob struct {
	Query    string
	Passages []string  // with the headings above them
	Prior    []float64 // the score that each comes with; one that is 0 lower weighs less
	// Closeness of each to the query, before it is read. It compares between queries,
	// as Prior does not.
	Closeness []float64
	K         int       // the best of them, whose order is to be right
	Deadline  time.Time // when the best ranking known by then is wanted; zero means whenever it is done
	Trace     bool      // compute all layers, and keep what pruning can be calibrated by
	// Observe, when not nil, is told of every layer as it ends.
	Observe func(RerankLayer)
}

// Reranking is the outcome of a RerankJob.
type Reranking struct {
	Order  []int     // numbers of the passages, best first
	Scores []float64 // by number; higher is better, and none above that of one before in Order
	// Partial, by number, says that a passage was not read to the end, so that it ranks below
	// those that were, and its score is at most what stands in Scores; nil where none is. The
	// score of one that was depends on the query and on that passage alone, beside its Prior.
	Partial []bool
	// Relevance, by number, is 0 and above for a passage on the topic of the query,
	// below for another, NaN for one that was not read to the end; nil where the model
	// cannot tell.
	Relevance []float64
	Stats     RerankStats
}

// RerankStats says what a reranking cost.
type RerankStats struct {
	Model        string `json:"model"`
	Candidates   int    `json:"candidates"`
	Read         int    `json:"read"`          // candidates that were read to the end: the others cannot be the best
	Layers       int    `json:"layers"`        // of the model
	ActiveLayers int    `json:"active_layers"` // layers computed, summed over candidates
	FullLayers   int    `json:"full_layers"`   // what they would be without pruning
	Cut          bool   `json:"cut,omitempty"` // the time was over before the last layer
	BytesRead    int64  `json:"bytes_read,omitempty"`
	// Problem says why the ranking is the one without a reranker.
	Problem string `json:"problem,omitempty"`
	// Instead says why another model than the one of the settings reranked.
	Instead string `json:"instead,omitempty"`
	// Sent is what a server was sent; nil where none was.
	Sent *Sent `json:"sent,omitempty"`
}

// RerankLayer is what became of the candidates at one layer. They go by their
// place before reranking, from 0.
type RerankLayer struct {
	Layer      int       `json:"layer"`  // from 0
	Layers     int       `json:"layers"` // of the model
	Candidates int       `json:"candidates"`
	Active     []int     `json:"active"`             // computed in this layer, ascending
	Scores     []float32 `json:"scores"`             // of Active, after this layer
	Selected   []int     `json:"selected,omitempty"` // certain to be among the best: computed no further
	Dropped    []int     `json:"dropped,omitempty"`  // certain not to be
	Millis     float64   `json:"ms"`
	// Chunks are the ids of all candidates in the ranking known by now.
	Chunks []uint32 `json:"chunks"`
}

// RerankDepth is how many candidates are reranked, however many results are wanted,
// until it is known how many a machine has time for: a person looks at ten, and below
// twice as many the hybrid ranking rarely hides the best. The order of the upper
// half has to be right. Measurements keep to it.
const RerankDepth = 20

// CalibrationReport says what queries taught about pruning.
type CalibrationReport struct {
	Model     string    `json:"model"`
	Queries   int       `json:"queries"` // that were asked now
	Traces    int       `json:"traces"`  // in all
	Needed    int       `json:"needed"`  // traces, before anything is pruned
	Target    float64   `json:"target"`
	Pruning   bool      `json:"pruning"`
	Shipped   bool      `json:"shipped,omitempty"` // by what came with the model, as long as there are too few traces
	Tau       float64   `json:"tau,omitempty"`
	Sure      int       `json:"sure,omitempty"` // results, from the best on, that have to be right
	MinLayers int       `json:"min_layers"`
	Agreement float64   `json:"agreement"` // of the best K with those of the full pass
	Cost      float64   `json:"cost"`      // share of the full pass
	Gamma     []float64 `json:"gamma"`     // by layer, of its scores with the final ones
	Cluster   []float64 `json:"cluster_gamma"`
}
