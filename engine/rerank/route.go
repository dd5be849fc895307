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

// byMargin orders the best first. Equal ones never part, so that their order
// does not matter.
func byMargin(a, b scored) int { return cmp.Compare(b.margin, a.margin) }

// router decides after a layer which candidates are certain: progressive
// cluster pruning. It remembers, for patience, how often each was found so.
type router struct {
	opts   Options
	guards Guards
	kmeans clusterer
	streak []int // by candidate: checks in a row that routed it up (> 0) or down (< 0)

	sorted  []scored  // the active candidates, best first
	margins []float64 // of sorted
}

// verdict is what a check found.
type verdict struct {
	dispersion float64
	clusters   int   // 0 when no clusters were made
	selected   []int // candidates, ascending
	dropped    []int
}

func newRouter(n int, opts Options) *router {
	return &router{opts: opts, guards: opts.guards(), streak: make([]int, n)}
}

// route looks at the active candidates and their scores after a number of
// layers, and says who leaves when need more of them are wanted.
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

// measure sorts the active candidates and returns the dispersion of their
// scores.
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

// boundary is the range of sorted candidates that go on: the cluster that
// holds the last one needed, and the neighbours that no wide enough gap parts
// from it.
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

// leaving notes that candidates were routed up (+1) or down (-1), and returns
// those of them that have been so often enough.
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

// forget ends the streaks of candidates that no check found certain.
func (r *router) forget(uncertain []scored) {
	for _, s := range uncertain {
		r.streak[s.id] = 0
	}
}
