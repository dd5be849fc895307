package rerank

import "cmp"

// Trust is how far the scores after a layer tell the final order: Goodman and Kruskal's gamma, the
// difference of equally and oppositely ordered pairs over their sum, -1 to 1, without ties; 1 if
// there are no pairs.
type Trust struct {
	Gamma        float64 // over all pairs
	ClusterGamma float64 // over pairs in different clusters, which pruning separates
}

// trustBound is the cluster gamma below which a layer must not prune.
const trustBound = 0.95

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

// trust measures every layer over traces of one depth.
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

// countPairs adds the pairs of one trace: all, and those in different clusters.
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

// trustedFrom returns the number of layers after which all clusters can be trusted. The last layer
// does not prune and is ignored.
func trustedFrom(layers []Trust) int {
	for l := len(layers) - 2; l >= 0; l-- {
		if !(layers[l].ClusterGamma >= trustBound) {
			return l + 2
		}
	}
	return 0
}
