package rerank

import "math"

// Grouped is a partition as tests see it.
type Grouped struct {
	Starts []int
	Spread float64
}

// Cluster is clusterer.cluster.
func Cluster(numbers []float64, k int) (Grouped, bool) {
	var c clusterer
	g, ok := c.cluster(numbers, k)
	return Grouped{g.starts, g.spread}, ok
}

// Clusterings are the partitions into 2 to 5 clusters and their silhouettes,
// from one clusterer that was used for other numbers before.
func Clusterings(numbers []float64) (groups []Grouped, silhouettes []float64) {
	var c clusterer
	c.cluster([]float64{9, 8, 7, 3, 2, 1, -4}, 0)
	for k := 2; k <= maxClusters; k++ {
		if g, ok := c.cluster(numbers, k); ok && g.size() == k {
			groups = append(groups, Grouped{g.starts, g.spread})
			silhouettes = append(silhouettes, c.silhouette(g))
		}
	}
	return groups, silhouettes
}

// Reused is clusterer.cluster of one clusterer.
func Reused() func(numbers []float64) bool {
	var c clusterer
	return func(numbers []float64) bool {
		_, ok := c.cluster(numbers, 0)
		return ok
	}
}

// Check is router.route after layer 0, with all n candidates active; it
// returns the number of clusters.
func Check(n int, opts Options) func(scores []float32) int {
	r := newRouter(n, opts)
	active := make([]int, n)
	for i := range active {
		active[i] = i
	}
	return func(scores []float32) int { return r.route(1, active, scores, opts.K).clusters }
}

// Dispersion is dispersion.
func Dispersion(margins []float64, d Domain) float64 { return dispersion(margins, d) }

// Sweep is sweep at the thresholds that Calibrate tries.
func Sweep(t Trace, opts Options) (taus, agreements, costs []float64, err error) {
	taus = thresholds()
	outcomes, err := sweep(&t, opts, taus)
	for _, o := range outcomes {
		agreements, costs = append(agreements, o.agreement), append(costs, o.cost)
	}
	return taus, agreements, costs, err
}

// Cheapest is cheapest, for points at the thresholds 1, 2, ... and +Inf.
func Cheapest(costs []float64, feasible []bool, trusted int) (tau float64, lowest int) {
	var points []Point
	for i := range costs {
		points = append(points, Point{Tau: float64(i + 1), Cost: costs[i], Feasible: feasible[i]})
	}
	best, lowest := cheapest(append(points, Point{Tau: math.Inf(1), Cost: 1, Feasible: true}), trusted)
	return best.Tau, lowest
}

// Beginnings is beginnings.
func Beginnings(opts Options, layers int) []int { return beginnings(opts, layers) }

// LowerBound is lowerBound.
func LowerBound(values []float64, seed uint64) float64 { return lowerBound(values, seed) }

// TrustedFrom is trustedFrom, for layers of these cluster gammas.
func TrustedFrom(gammas ...float64) int {
	var layers []Trust
	for _, g := range gammas {
		layers = append(layers, Trust{ClusterGamma: g})
	}
	return trustedFrom(layers)
}
