package rerank

import (
	"cmp"
	"math"
	"slices"
)

// scored is a candidate with its margin.
type scored struct {
	id     int
	margin float32
}

// byMargin orders the best first. Equal ones never separate, so their order does not matter.
func byMargin(a, b scored) int { return cmp.Compare(b.margin, a.margin) }

// router decides after a layer which candidates are certain (progressive cluster pruning). It
// counts, for patience, how often each was.
type router struct {
	opts   Options
	guards Guards
	kmeans clusterer
	streak []int // by candidate: checks in a row that routed it up (> 0) or down (< 0)

	sorted  []scored  // the active candidates, best first
	margins []float64 // of sorted
}

// verdict is the outcome of a check.
type verdict struct {
	dispersion float64
	clusters   int   // 0: none were made
	selected   []int // candidates, ascending
	dropped    []int
}

func newRouter(n int, opts Options) *router {
	return &router{opts: opts, guards: opts.guards(), streak: make([]int, n)}
}

// route checks the active candidates after done layers, need more of which are wanted.
func (r *router) route(done int, active []int, scores []float32, need int) verdict {
	v := verdict{dispersion: r.measure(active, scores)}
	if done < r.guards.MinLayers || len(active) <= need {
		return v
	}
	if v.dispersion <= r.opts.Tau || len(active) < r.guards.MinActive {
		r.forget(r.sorted)
		return v
	}
	partition, ok := r.kmeans.cluster(r.margins, r.opts.Clusters)
	if !ok {
		r.forget(r.sorted)
		return v
	}
	v.clusters = partition.size()
	from, to := r.boundary(partition, need)
	if r.opts.Mode != Set {
		from = 0 // winners stay for their final scores
	}
	v.selected = r.leaving(r.sorted[:from], +1)
	v.dropped = r.leaving(r.sorted[to:], -1)
	r.forget(r.sorted[from:to])
	return v
}

// measure sorts the active candidates and returns the dispersion of their scores.
func (r *router) measure(active []int, scores []float32) float64 {
	r.sorted, r.margins = r.sorted[:0], r.margins[:0]
	for i, id := range active {
		r.sorted = append(r.sorted, scored{id, scores[i]})
	}
	slices.SortFunc(r.sorted, byMargin)
	for _, s := range r.sorted {
		r.margins = append(r.margins, float64(s.margin))
	}
	return dispersion(r.margins, r.opts.Domain)
}

// boundary returns the sorted candidates that go on: the cluster of the last one needed, and
// neighbours without a wide enough gap.
func (r *router) boundary(partition clustering, need int) (from, to int) {
	within := math.Sqrt(partition.spread / float64(len(r.margins)))
	near := func(start int) bool {
		return r.margins[start-1]-r.margins[start] <= r.guards.MinGap*within
	}
	first := partition.of(need - 1)
	last := first + 1
	for first > 0 && near(partition.starts[first]) {
		first--
	}
	for last < partition.size() && near(partition.starts[last]) {
		last++
	}
	return partition.starts[first], partition.starts[last]
}

// leaving counts that candidates were routed up (+1) or down (-1), and returns those that were so
// often enough.
func (r *router) leaving(routed []scored, direction int) []int {
	var ids []int
	for _, s := range routed {
		streak := r.streak[s.id] * direction
		streak = max(streak, 0) + 1
		r.streak[s.id] = streak * direction
		if streak >= r.guards.Patience {
			ids = append(ids, s.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// forget ends the streaks of uncertain candidates.
func (r *router) forget(uncertain []scored) {
	for _, s := range uncertain {
		r.streak[s.id] = 0
	}
}

// dispersion is the coefficient of variation |std/mean| of the margins in the domain, with the
// population's standard deviation; +Inf for a mean of 0, and 0 for no margins. Margins must be
// sorted, so that rounding does not depend on the numbering of candidates.
func dispersion(margins []float64, domain Domain) float64 {
	if len(margins) == 0 {
		return 0
	}
	var sum float64
	for _, m := range margins {
		sum += domain.of(m)
	}
	mean := sum / float64(len(margins))
	if mean == 0 {
		return math.Inf(1)
	}
	var squares float64
	for _, m := range margins {
		d := domain.of(m) - mean
		squares += d * d
	}
	return math.Abs(math.Sqrt(squares/float64(len(margins))) / mean)
}

// of returns a margin in the domain.
func (d Domain) of(margin float64) float64 {
	if d == Raw {
		return margin
	}
	return 1 / (1 + math.Exp(-margin))
}
