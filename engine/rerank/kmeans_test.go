package rerank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/rerank"
)

// descending draws n numbers, best first; coarse ones are often equal.
func descending(r *rand.Rand, n int, coarse bool) []float64 {
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = r.NormFloat64() + 4*float64(r.IntN(4))
		if coarse {
			numbers[i] = math.Round(numbers[i])
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers)
	return numbers
}

// spread is the sum of squared distances to the means of labelled groups.
func spread(numbers []float64, labels []int) float64 {
	var total float64
	for label := range slices.Max(labels) + 1 {
		var sum, count float64
		for i, x := range numbers {
			if labels[i] == label {
				sum, count = sum+x, count+1
			}
		}
		for i, x := range numbers {
			if labels[i] == label {
				total += (x - sum/count) * (x - sum/count)
			}
		}
	}
	return total
}

// leastSpread tries every partition into at most k groups, intervals or not.
func leastSpread(numbers []float64, k int) float64 {
	least := math.Inf(1)
	labels := make([]int, len(numbers))
	var try func(i, used int)
	try = func(i, used int) {
		if i == len(numbers) {
			least = min(least, spread(numbers, labels))
			return
		}
		for label := range min(used+1, k) {
			labels[i] = label
			try(i+1, max(used, label+1))
		}
	}
	try(0, 0)
	return least
}

// labelsOf are the clusters of numbers that lie between starts.
func labelsOf(starts []int) []int {
	var labels []int
	for cluster := range len(starts) - 1 {
		for range starts[cluster+1] - starts[cluster] {
			labels = append(labels, cluster)
		}
	}
	return labels
}

// slowSilhouette is the mean silhouette straight from its definition.
func slowSilhouette(numbers []float64, labels []int) float64 {
	var total float64
	for i, x := range numbers {
		distance, count := map[int]float64{}, map[int]float64{}
		for j, y := range numbers {
			if i != j {
				distance[labels[j]] += math.Abs(x - y)
				count[labels[j]]++
			}
		}
		if count[labels[i]] == 0 {
			continue
		}
		a, b := distance[labels[i]]/count[labels[i]], math.Inf(1)
		for label := range count {
			if label != labels[i] {
				b = min(b, distance[label]/count[label])
			}
		}
		if max(a, b) > 0 {
			total += (b - a) / max(a, b)
		}
	}
	return total / float64(len(numbers))
}

// distinct is how many different numbers there are.
func distinct(numbers []float64) int { return len(slices.Compact(slices.Clone(numbers))) }

// TestG7LeastSpread is T-G7's half about k-means: no partition into as many
// clusters has a smaller sum of squared distances.
func TestG7LeastSpread(t *testing.T) {
	r := random(t)
	for trial := range 120 {
		numbers := descending(r, 2+r.IntN(7)+trial/110*2, trial%2 == 0)
		for k := 2; k <= 5; k++ {
			g, ok := rerank.Cluster(numbers, k)
			if ok != (distinct(numbers) > 1) {
				t.Fatalf("%v: clusters %v", numbers, ok)
			}
			if !ok {
				continue
			}
			if got, want := len(g.Starts)-1, min(k, distinct(numbers)); got != want {
				t.Fatalf("%v: %d clusters instead of %d", numbers, got, want)
			}
			least, real := leastSpread(numbers, k), spread(numbers, labelsOf(g.Starts))
			if real > least+1e-9 || math.Abs(real-g.Spread) > 1e-9 {
				t.Fatalf("%v in %d: %v spreads %v, said to be %v; the least is %v", numbers, k, g.Starts, real, g.Spread, least)
			}
		}
	}
}

// TestClusterLarge compares the divided programme with the plain one, n*n
// steps a row, where brute force is out of reach.
func TestClusterLarge(t *testing.T) {
	r := random(t)
	for trial := range 20 {
		numbers := descending(r, 30+r.IntN(200), trial%2 == 0)
		row := prefixSpreads(numbers, 0)
		for k := 2; k <= 5; k++ {
			next := slices.Repeat([]float64{math.Inf(1)}, len(row))
			for start := range numbers {
				for i, s := range prefixSpreads(numbers[start:], row[start]) {
					next[start+i] = min(next[start+i], s)
				}
			}
			next[0], row = 0, next
			g, ok := rerank.Cluster(numbers, k)
			if want := row[len(numbers)]; !ok || math.Abs(g.Spread-want) > 1e-9*(1+want) {
				t.Fatalf("%d numbers in %d: spread %v instead of %v", len(numbers), k, g.Spread, want)
			}
		}
	}
}

// prefixSpreads are base plus the spread of each prefix, by Welford's
// recurrence.
func prefixSpreads(numbers []float64, base float64) []float64 {
	out := []float64{base}
	var mean, squares float64
	for i, x := range numbers {
		d := x - mean
		mean += d / float64(i+1)
		squares += d * (x - mean)
		out = append(out, base+squares)
	}
	return out
}

// TestSilhouette compares silhouettes from prefix sums with the definition,
// and the choice of the number of clusters with trying all.
func TestSilhouette(t *testing.T) {
	r := random(t)
	for trial := range 300 {
		numbers := descending(r, 2+r.IntN(40), trial%2 == 0)
		groups, silhouettes := rerank.Clusterings(numbers)
		var chosen []int
		highest := math.Inf(-1)
		for i, g := range groups {
			want := slowSilhouette(numbers, labelsOf(g.Starts))
			if math.Abs(silhouettes[i]-want) > 1e-9 {
				t.Fatalf("%v in %v: silhouette %v instead of %v", numbers, g.Starts, silhouettes[i], want)
			}
			if k := len(g.Starts) - 1; (k == 2 || k < distinct(numbers)) && want > highest+1e-9 {
				chosen, highest = g.Starts, want
			}
		}
		if g, _ := rerank.Cluster(numbers, 0); !slices.Equal(g.Starts, chosen) {
			t.Fatalf("%v: chose %v instead of %v", numbers, g.Starts, chosen)
		}
	}
}

// TestSilhouetteTie: where two and three clusters are equally good, two are
// made. The silhouettes are 1/4, 2/3 and 71/120.
func TestSilhouetteTie(t *testing.T) {
	for _, numbers := range [][]float64{
		{5, 3, 2, 0}, {10, 6, 4, 0}, {5, 3, 2, 0, 0, 0}, {5, 5, 5, 3, 2, 0}, {10, 5, 4, 4, 4, 0}, {10, 6, 6, 6, 5, 0},
	} {
		_, silhouettes := rerank.Clusterings(numbers)
		if g, _ := rerank.Cluster(numbers, 0); len(g.Starts)-1 != 2 || math.Abs(silhouettes[0]-silhouettes[1]) > 1e-12 {
			t.Errorf("%v: %v, silhouettes %v", numbers, g.Starts, silhouettes)
		}
	}
}

// TestClusterFarFromZero: margins that share a large part lose no digits.
func TestClusterFarFromZero(t *testing.T) {
	r := random(t)
	for range 50 {
		near := descending(r, 5+r.IntN(30), true)
		far := slices.Clone(near)
		for i := range far {
			far[i] += 1 << 26
		}
		a, _ := rerank.Cluster(near, 3)
		b, _ := rerank.Cluster(far, 3)
		if math.Abs(a.Spread-b.Spread) > 1e-6 {
			t.Fatalf("%v: %+v, moved %+v", near, a, b)
		}
	}
}

// TestEqualNumbersTogether: no cluster begins between equal numbers, even if
// that would be the cheapest place.
func TestEqualNumbersTogether(t *testing.T) {
	r := random(t)
	for range 300 {
		numbers := descending(r, 2+r.IntN(60), true)
		g, ok := rerank.Cluster(numbers, []int{0, 3, 5}[r.IntN(3)])
		if !ok {
			continue
		}
		for _, start := range g.Starts[1 : len(g.Starts)-1] {
			if numbers[start] == numbers[start-1] {
				t.Fatalf("%v parted at %v", numbers, g.Starts)
			}
		}
	}
}

// TestDispersion checks values by hand and the bound that probabilities have.
func TestDispersion(t *testing.T) {
	for _, c := range []struct {
		margins []float64
		domain  rerank.Domain
		want    float64
	}{
		{nil, rerank.Prob, 0},
		{[]float64{2, 2, 2}, rerank.Raw, 0},
		{[]float64{3, 1}, rerank.Raw, 0.5},
		{[]float64{-1, -3}, rerank.Raw, 0.5},
		{[]float64{1, -1}, rerank.Raw, math.Inf(1)},
		{[]float64{math.Log(3), -math.Log(3)}, rerank.Prob, 0.5},
		{[]float64{-1e9, -2e9}, rerank.Prob, math.Inf(1)}, // both round to 0
	} {
		if got := rerank.Dispersion(c.margins, c.domain); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("dispersion of %v (%v) is %v instead of %v", c.margins, c.domain, got, c.want)
		}
	}
	r := random(t)
	for range 300 {
		margins := descending(r, 1+r.IntN(30), false)
		if d := rerank.Dispersion(margins, rerank.Prob); d < 0 || d > math.Sqrt(float64(len(margins)-1))+1e-9 {
			t.Fatalf("dispersion of %v is %v", margins, d)
		}
	}
}

// BenchmarkCluster finds the clusters of n scores and their number.
func BenchmarkCluster(b *testing.B) {
	for _, n := range []int{20, 60, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			numbers := descending(rand.New(rand.NewPCG(1, 2)), n, false)
			cluster := rerank.Reused()
			b.ReportAllocs()
			for b.Loop() {
				if !cluster(numbers) {
					b.Fatal("no clusters")
				}
			}
		})
	}
}

// BenchmarkCheck is all that one layer costs beside the model: sorting,
// dispersion, clusters and routing.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{20, 60, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := randomScript(b, rand.New(rand.NewPCG(1, 2)), n, 2, false)
			check := rerank.Check(n, rerank.Options{K: 10, Literal: true})
			b.ReportAllocs()
			for b.Loop() {
				if clusters := check(s.margins[0]); clusters == 0 {
					b.Fatal("no clusters")
				}
			}
		})
	}
}
