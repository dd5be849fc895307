package rerank

import "cmp"

// Trust is how far the scores after a layer already tell the final order:
// Goodman and Kruskal's gamma against the final scores, the difference of
// pairs in the same order and in the opposite one over their sum, from -1 to
// 1. Ties count in neither. Where there is no pair at all it is 1: nothing is
// in the wrong order.
type Trust struct {
	Gamma        float64 // over all pairs
	ClusterGamma float64 // over pairs of different clusters, the only ones that pruning parts
}

// trustBound is the cluster gamma below which a layer must not prune.
const trustBound = 0.95

// pairs counts pairs of candidates.
type pairs struct{ same, opposite int }

func (p pairs) gamma() float64 {
	if p.same+p.opposite == 0 {
		return 1
	}
	return float64(p.same-p.opposite) / float64(p.same+p.opposite)
}

func (p *pairs) add(sign int) {
	switch {
	case sign > 0:
		p.same++
	case sign < 0:
		p.opposite++
	}
}

// trust measures every layer over all traces, which have the same depth.
func trust(traces []Trace, opts Options) []Trust {
	out := make([]Trust, traces[0].Layers)
	for layer := range out {
		var all, parted pairs
		for i := range traces {
			countPairs(&traces[i], layer, opts, &all, &parted)
		}
		out[layer] = Trust{Gamma: all.gamma(), ClusterGamma: parted.gamma()}
	}
	return out
}

// countPairs adds the pairs of one trace: all, and those parted by clusters of
// all its candidates.
func countPairs(t *Trace, layer int, opts Options, all, parted *pairs) {
	r := newRouter(t.Candidates, opts)
	ids := make([]int, t.Candidates)
	for i := range ids {
		ids[i] = i
	}
	r.measure(ids, t.layer(layer))
	cluster := make([]int, len(r.sorted)) // by place in sorted
	if partition, ok := r.kmeans.cluster(r.margins, opts.Clusters); ok {
		for i := range cluster {
			cluster[i] = partition.of(i)
		}
	}
	final := t.final()
	for i, a := range r.sorted {
		for j, b := range r.sorted[:i] {
			sign := cmp.Compare(b.margin, a.margin) * cmp.Compare(final[b.id], final[a.id])
			all.add(sign)
			if cluster[i] != cluster[j] {
				parted.add(sign)
			}
		}
	}
}

// trustedFrom is the number of layers to compute before the clusters of every
// further layer can be trusted. The last layer is not pruned and not looked
// at.
func trustedFrom(layers []Trust) int {
	for l := len(layers) - 2; l >= 0; l-- {
		if !(layers[l].ClusterGamma >= trustBound) {
			return l + 2
		}
	}
	return 0
}
