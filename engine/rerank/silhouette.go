package rerank

import (
	"math"
	"slices"
)

// silhouetteTie is a difference of mean silhouettes that is rounding: the
// smaller number of clusters then wins.
const silhouetteTie = 1e-9

// silhouette is the mean over all numbers of (b-a)/max(a,b), where a is the
// mean distance of a number to the others of its cluster and b that to the
// nearest other cluster; 0 for a number alone in its cluster (Rousseeuw,
// "Silhouettes", 1987).
//
// On a line a cluster to one side is as far, on average, as its mean is, so
// that the nearest one is a neighbour and sums over prefixes give a and b
// without a second loop.
func (c *clusterer) silhouette(partition clustering) float64 {
	var total float64
	for cluster := range partition.size() {
		from, to := c.interval(partition, cluster)
		size := c.count[to] - c.count[from]
		if size == 1 {
			continue
		}
		above, below := c.mean(partition, cluster-1), c.mean(partition, cluster+1)
		for p := from; p < to; p++ {
			x, weight := c.points[p], c.count[p+1]-c.count[p]
			near := c.toOthers(p, from, to) / (size - 1)
			far := math.Min(math.Abs(x-above), math.Abs(x-below))
			if widest := math.Max(near, far); widest > 0 {
				total += weight * (far - near) / widest
			}
		}
	}
	return total / c.count[len(c.points)]
}

// interval is the range of points that a cluster holds.
func (c *clusterer) interval(partition clustering, cluster int) (from, to int) {
	if start := partition.starts[cluster]; start > 0 {
		from = c.pointsUpTo(start)
	}
	return from, c.pointsUpTo(partition.starts[cluster+1])
}

// pointsUpTo is how many points the first numbers are.
func (c *clusterer) pointsUpTo(numbers int) int {
	p, _ := slices.BinarySearch(c.ends, numbers)
	return p + 1
}

// toOthers is the sum of distances of the point to all of points[from:to].
func (c *clusterer) toOthers(point, from, to int) float64 {
	x := c.points[point]
	higher := c.sum[point] - c.sum[from] - x*(c.count[point]-c.count[from])
	lower := x*(c.count[to]-c.count[point]) - (c.sum[to] - c.sum[point])
	return math.Max(0, higher+lower)
}

// mean is that of a cluster, +Inf for one beyond the ends.
func (c *clusterer) mean(partition clustering, cluster int) float64 {
	if cluster < 0 || cluster >= partition.size() {
		return math.Inf(1)
	}
	from, to := c.interval(partition, cluster)
	return (c.sum[to] - c.sum[from]) / (c.count[to] - c.count[from])
}
