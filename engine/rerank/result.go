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
	Finished Fate = iota // it went through all layers: its score is final
	Selected             // certain to be among the best K, it left early
	Dropped              // certain not to be among the best K, it left early
	Stopped              // it was still undecided when the time was up
)

// String is the name of the fate.
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

// Candidate is one candidate as the run left it.
type Candidate struct {
	ID    int
	Score float32 // margin after Layer; 0 if no layer was computed
	Layer int     // the last layer computed for it, from 0; -1 if none was
	Fate  Fate
}

// LayerReport is what happened after one layer: a column of the map of layers
// and candidates.
type LayerReport struct {
	Layer  int
	Active []int     // candidates computed in this layer, ascending
	Scores []float32 // Scores[i] is the margin of Active[i] after it
	// Dispersion is the coefficient of variation of the scores in the domain
	// of the options; it may be +Inf.
	Dispersion float64
	// Clusters is the number of clusters that the scores were parted into; 0
	// when nobody could leave: below the threshold, held back by a guard, or
	// after the last layer.
	Clusters int
	Selected []int // candidates that left as winners, ascending
	Dropped  []int // candidates that left as losers, ascending
	Elapsed  time.Duration
}

// Result is the outcome of a run.
type Result struct {
	// Ranking holds every candidate once, best first. The first min(n, K) are
	// the answer. Winners that left early come first, the earliest before the
	// others; losers come last, those that stayed longest before the others;
	// where that says nothing the score decides, then the number of the
	// candidate.
	Ranking []Candidate
	// Top is the part of Ranking that was asked for.
	Top    []Candidate
	Layers []LayerReport // of the layers computed, in order
	// ActiveLayers counts the candidates computed in each layer, over all
	// layers; FullLayers is that count without pruning: candidates times
	// layers. Their ratio is the cost.
	ActiveLayers int
	FullLayers   int
	// Cut says that the deadline ended the run. Top is then the best that was
	// known.
	Cut bool
}

// Cost is the share of the full forward pass that was computed; 1 if there was
// nothing to compute.
func (r *Result) Cost() float64 {
	if r.FullLayers == 0 {
		return 1
	}
	return float64(r.ActiveLayers) / float64(r.FullLayers)
}

// rank puts candidates in the order of Result.Ranking.
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

// place is where candidates of a fate stand in a ranking.
func (f Fate) place() int {
	switch f {
	case Selected:
		return 0
	case Dropped:
		return 2
	}
	return 1
}

// byLayer compares two candidates of one place: early winners and late losers
// are better. Those that stayed to the end have the same layer.
func (c Candidate) byLayer(d Candidate) int {
	if c.Fate == Dropped {
		return cmp.Compare(d.Layer, c.Layer)
	}
	return cmp.Compare(c.Layer, d.Layer)
}
