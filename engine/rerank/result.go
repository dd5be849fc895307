package rerank

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Fate is how a candidate left the run.
type Fate uint8

// The fates.
const (
	Finished Fate = iota // after all layers: its score is final
	Selected             // early, certainly among the best K
	Dropped              // early, certainly not among the best K
	Stopped              // undecided at the deadline
)

// String returns the name of the fate.
func (f Fate) String() string {
	switch f {
	case Finished:
		return "finished"
	case Selected:
		return "selected"
	case Dropped:
		return "dropped"
	case Stopped:
		return "stopped"
	}
	return fmt.Sprintf("Fate(%d)", uint8(f))
}

// Candidate is a candidate at the end of a run.
type Candidate struct {
	ID    int
	Score float32 // margin after Layer; 0 without one
	Layer int     // last computed layer, from 0; -1: none
	Fate  Fate
}

// LayerReport describes one layer of a run.
type LayerReport struct {
	Layer  int
	Active []int     // computed candidates, ascending
	Scores []float32 // margins of Active after it
	// Dispersion is the coefficient of variation of the scores in the domain; it may be +Inf.
	Dispersion float64
	// Clusters is the number of clusters; 0 if nobody could leave: below the threshold, guarded,
	// or after the last layer.
	Clusters int
	Selected []int // winners that left, ascending
	Dropped  []int // losers that left, ascending
	Elapsed  time.Duration
}

// Result is the outcome of a run.
type Result struct {
	// Ranking has every candidate once, best first; the first min(n, K) are the answer. Early
	// winners come first, the earliest first; losers last, the latest first; then score and
	// number decide.
	Ranking []Candidate
	// Top is the part of Ranking that was asked for.
	Top    []Candidate   // the answer, a prefix of Ranking
	Layers []LayerReport // computed layers in order
	// ActiveLayers counts candidates computed over all layers, FullLayers the same without
	// pruning. Their ratio is the cost.
	ActiveLayers int
	FullLayers   int
	// Cut: the deadline ended the run, and Top is the best known so far.
	Cut bool
}

// Cost returns the computed share of the full pass; 1 if there was nothing to compute.
func (r *Result) Cost() float64 {
	if r.FullLayers == 0 {
		return 1
	}
	return float64(r.ActiveLayers) / float64(r.FullLayers)
}

func rank(candidates []Candidate) {
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(
			cmp.Compare(a.Fate.place(), b.Fate.place()),
			a.byLayer(b),
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(a.ID, b.ID),
		)
	})
}

// place is the place of a fate in a ranking.
func (f Fate) place() int {
	switch f {
	case Selected:
		return 0
	case Dropped:
		return 2
	}
	return 1
}

// byLayer orders early winners and late losers first. Finished candidates have equal layers.
func (c Candidate) byLayer(d Candidate) int {
	if c.Fate == Dropped {
		return cmp.Compare(d.Layer, c.Layer)
	}
	return cmp.Compare(c.Layer, d.Layer)
}
