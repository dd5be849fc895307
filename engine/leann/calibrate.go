package leann

import (
	"math"
	"slices"
)

// targetRecall is the recall@10 that the number of recomputed vectors is
// chosen for, and measuredBest the 10: a screen of results. With the three
// best alone, sentences turn out so easy that everything else is found worse
// than need be (on 11,429 abstracts 9 vectors instead of 97, and an nDCG@10 of
// 0.425 instead of 0.434, where an exact scan has 0.435).
const (
	targetRecall = 0.95
	measuredBest = 10
)

// Bounds of what is chosen: fewer would hang on the queries that happened to
// be measured, more would keep people waiting.
const (
	MinRecompute = 32
	MaxRecompute = 80
)

// measure finds how many vectors a search must recompute: it ranks all codes
// for each query and looks how far down the truly best chunks stand.
func (s *quantizing) measure(queries []float32) error {
	var depths []int
	walks, err := s.newWalkMeasure()
	if err != nil {
		return err
	}
	for ; len(queries) > 0; queries = queries[s.Dim:] {
		query := queries[:s.Dim]
		truth, _, err := Flat{s.Dim, s.Dot}.Search(s.ctx, query, measuredBest, s.live, s.w.Vectors)
		if err != nil {
			return err
		}
		near, _, err := scan(s.ctx, s.w, s.books, query, MaxRecompute, s.live)
		if err != nil {
			return err
		}
		for _, h := range truth {
			at := slices.IndexFunc(near, func(n scored) bool { return n.node == h.Chunk })
			if at < 0 {
				at = math.MaxInt - 1
			}
			depths = append(depths, at+1)
		}
		if err := walks.add(s.ctx, query, truth, s.books, s.live); err != nil {
			return err
		}
	}
	s.done.Recompute = min(max(quantile(depths, targetRecall), MinRecompute), MaxRecompute)
	s.done.Measured = walks.result()
	return nil
}

// quantile returns what a share of numbers is not above; it sorts them.
func quantile(numbers []int, share float64) int {
	slices.Sort(numbers)
	return numbers[min(int(math.Ceil(share*float64(len(numbers)))), len(numbers))-1]
}
