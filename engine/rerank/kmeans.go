package rerank

import "math"

// maxClusters is the highest number of clusters considered.
const maxClusters = 5

// clusterer finds k-means clusters of sorted numbers. It is exact and has no
// random start: in one dimension the clusters of an optimum are intervals, so
// that dynamic programming over their ends finds one (Wang and Song,
// "Ckmeans.1d.dp", 2011). Equal numbers are one point with a weight and cannot
// be parted. A clusterer keeps its memory for the next call.
type clusterer struct {
	points []float64 // distinct, descending, moved to have their mean at 0
	ends   []int     // ends[p] is where the numbers equal to points[p] end

	// Sums over points[:p], each number counted: how many, their sum, the sum
	// of their squares. They give the spread of any interval at once.
	count, sum, squares []float64

	// cost[c][p] is the least sum of squared distances to the means when
	// points[:p] form c+1 clusters, and split[c][p] where the last begins.
	cost  [maxClusters][]float64
	split [maxClusters][]int
}

// clustering is a partition of sorted numbers into intervals.
type clustering struct {
	starts []int   // of each cluster, best first, and at the end how many numbers there are
	spread float64 // sum of squared distances to the means of the clusters
}

// size is the number of clusters.
func (c clustering) size() int { return len(c.starts) - 1 }

// of is the cluster that holds the number at a position.
func (c clustering) of(position int) int {
	cluster := 0
	for c.starts[cluster+1] <= position {
		cluster++
	}
	return cluster
}

// cluster partitions numbers, which descend and are finite, into k clusters or
// fewer if there are fewer distinct ones; with k = 0, into the number with the
// highest mean silhouette. It reports false if all are equal.
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
	// With as many clusters as points every silhouette is that of a single
	// point, which says nothing.
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

// load takes the numbers in and sums them up. Their mean is moved to 0,
// because sums of squares far from it lose their last digits.
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

// within is the sum of squared distances to their mean of points[from:to].
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

// fill finds cost and split of i+1 clusters for the prefixes low..high, whose
// last cluster begins within first..last. Where that of the prefix in the
// middle begins bounds the others, because a longer prefix never has it
// earlier: n log n steps a row instead of n*n.
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

// trace reads the best partition into k clusters out of what solve left.
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
