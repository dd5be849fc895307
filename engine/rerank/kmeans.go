package rerank

import (
	"math"
	"slices"
)

// maxClusters is the highest number of clusters considered.
const maxClusters = 5

// clusterer finds exact k-means clusters of sorted numbers. In one dimension optimal clusters are
// intervals, so dynamic programming over their ends finds them (Wang and Song, "Ckmeans.1d.dp",
// 2011). Equal numbers are one weighted point. It reuses its memory.
type clusterer struct {
	points []float64 // distinct, descending, shifted to mean 0
	ends   []int     // ends[p] is the end of the numbers equal to points[p]

	// Sums over the numbers of points[:p]: count, sum and squares give the spread of any
	// interval.
	count, sum, squares []float64

	// cost[c][p] is the least sum of squared distances to the means of c+1 clusters of
	// points[:p], split[c][p] the start of the last one.
	cost  [maxClusters][]float64
	split [maxClusters][]int
}

// clustering is a partition of sorted numbers into intervals.
type clustering struct {
	starts []int   // of each cluster, best first, then the number of numbers
	spread float64 // sum of squared distances to the clusters' means
}

// size returns the number of clusters.
func (c clustering) size() int { return len(c.starts) - 1 }

// of returns the cluster of a position.
func (c clustering) of(position int) int {
	cluster := 0
	for c.starts[cluster+1] <= position {
		cluster++
	}
	return cluster
}

// cluster partitions finite, descending numbers into k clusters, or as many as there are distinct
// ones; with k = 0 into the number with the highest mean silhouette. It reports false if all are
// equal.
func (c *clusterer) cluster(numbers []float64, k int) (clustering, bool) {
	c.load(numbers)
	distinct := len(c.points)
	if distinct < 2 {
		return clustering{}, false
	}
	if k > 0 {
		k = min(k, distinct)
		c.solve(k)
		return c.trace(k), true
	}
	// With as many clusters as points all silhouettes are those of single points, which say
	// nothing.
	most := max(2, min(maxClusters, distinct-1))
	c.solve(most)
	best := c.trace(2)
	highest := c.silhouette(best)
	for k := 3; k <= most; k++ {
		next := c.trace(k)
		if s := c.silhouette(next); s > highest+silhouetteTie {
			best, highest = next, s
		}
	}
	return best, true
}

// load sums up the numbers, shifted to mean 0 because squares far from it lose precision.
func (c *clusterer) load(numbers []float64) {
	var mean float64
	for _, x := range numbers {
		mean += x / float64(len(numbers))
	}
	c.points, c.ends = c.points[:0], c.ends[:0]
	c.count, c.sum, c.squares = append(c.count[:0], 0), append(c.sum[:0], 0), append(c.squares[:0], 0)
	for start := 0; start < len(numbers); {
		end := start + 1
		for end < len(numbers) && numbers[end] == numbers[start] {
			end++
		}
		p, x, weight := len(c.points), numbers[start]-mean, float64(end-start)
		c.points, c.ends = append(c.points, x), append(c.ends, end)
		c.count = append(c.count, c.count[p]+weight)
		c.sum = append(c.sum, c.sum[p]+weight*x)
		c.squares = append(c.squares, c.squares[p]+weight*x*x)
		start = end
	}
}

// within returns the sum of squared distances of points[from:to] to their mean.
func (c *clusterer) within(from, to int) float64 {
	if to-from < 2 {
		return 0
	}
	sum := c.sum[to] - c.sum[from]
	return math.Max(0, c.squares[to]-c.squares[from]-sum*sum/(c.count[to]-c.count[from]))
}

// solve fills cost and split for 1 to k clusters of every prefix.
func (c *clusterer) solve(k int) {
	n := len(c.points)
	for i := range k {
		if cap(c.cost[i]) <= n {
			c.cost[i], c.split[i] = make([]float64, n+1), make([]int, n+1)
		}
		c.cost[i], c.split[i] = c.cost[i][:n+1], c.split[i][:n+1]
	}
	for p := 1; p <= n; p++ {
		c.cost[0][p], c.split[0][p] = c.within(0, p), 0
	}
	for i := 1; i < k; i++ {
		c.fill(i, i+1, n, i, n-1)
	}
}

// fill finds cost and split of i+1 clusters for the prefixes low..high, whose last cluster begins
// in first..last. A longer prefix never has it earlier, so the middle one bounds the others: n log n
// steps a row.
func (c *clusterer) fill(i, low, high, first, last int) {
	if low > high {
		return
	}
	middle := (low + high) / 2
	best, at := math.Inf(1), first
	for s := first; s <= min(last, middle-1); s++ {
		if cost := c.cost[i-1][s] + c.within(s, middle); cost < best {
			best, at = cost, s
		}
	}
	c.cost[i][middle], c.split[i][middle] = best, at
	c.fill(i, low, middle-1, first, at)
	c.fill(i, middle+1, high, at, last)
}

// trace reads the best partition into k clusters.
func (c *clusterer) trace(k int) clustering {
	n := len(c.points)
	starts := make([]int, k+1)
	starts[k] = c.ends[n-1]
	for i, end := k-1, n; i > 0; i-- {
		end = c.split[i][end]
		starts[i] = c.ends[end-1]
	}
	return clustering{starts: starts, spread: c.cost[k-1][n]}
}

// silhouetteTie is a difference of mean silhouettes within rounding: fewer clusters win.
const silhouetteTie = 1e-9

// silhouette is the mean of (b-a)/max(a,b), where a is a number's mean distance to the others of its
// cluster and b that to the nearest other cluster; 0 for a number alone in its cluster (Rousseeuw,
// "Silhouettes", 1987).
//
// On a line the mean distance to a cluster on one side is that to its mean, so the nearest one is a
// neighbour, and prefix sums give a and b.
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

// interval returns the points of a cluster.
func (c *clusterer) interval(partition clustering, cluster int) (from, to int) {
	if start := partition.starts[cluster]; start > 0 {
		from = c.pointsUpTo(start)
	}
	return from, c.pointsUpTo(partition.starts[cluster+1])
}

// pointsUpTo returns how many points the first numbers are.
func (c *clusterer) pointsUpTo(numbers int) int {
	p, _ := slices.BinarySearch(c.ends, numbers)
	return p + 1
}

// toOthers returns the sum of distances of a point to points[from:to].
func (c *clusterer) toOthers(point, from, to int) float64 {
	x := c.points[point]
	higher := c.sum[point] - c.sum[from] - x*(c.count[point]-c.count[from])
	lower := x*(c.count[to]-c.count[point]) - (c.sum[to] - c.sum[point])
	return math.Max(0, higher+lower)
}

// mean returns the mean of a cluster, +Inf beyond the ends.
func (c *clusterer) mean(partition clustering, cluster int) float64 {
	if cluster < 0 || cluster >= partition.size() {
		return math.Inf(1)
	}
	from, to := c.interval(partition, cluster)
	return (c.sum[to] - c.sum[from]) / (c.count[to] - c.count[from])
}
