package eval

import (
	"math"
	"slices"
)

// Scores are the metrics of one query, or their means over queries; each lies
// in [0, 1].
type Scores struct {
	NDCG10   float64 `json:"ndcg@10"`
	Recall5  float64 `json:"recall@5"`
	Recall10 float64 `json:"recall@10"`
	Recall20 float64 `json:"recall@20"`
	MRR10    float64 `json:"mrr@10"`
}

// Score rates one ranked list of documents, best first, by the grades of the judged ones.
// An id that stands in the list twice counts once. A query without a relevant document
// scores zero everywhere.
func Score(ranked []Ranked, grades map[string]int) (s Scores) {
	var ideal []int // grades of the best list
	for _, grade := range grades {
		if grade > 0 {
			ideal = append(ideal, grade)
		}
	}
	if len(ideal) == 0 {
		return s
	}
	seen, rank := make(map[string]bool, len(ranked)), 0
	for _, d := range ranked {
		if seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		rank++
		grade := grades[d.ID]
		if grade <= 0 || rank > 20 {
			continue
		}
		s.Recall20++
		if rank > 10 {
			continue
		}
		s.Recall10++
		if rank <= 5 {
			s.Recall5++
		}
		s.NDCG10 += gain(grade, rank)
		if s.MRR10 == 0 {
			s.MRR10 = 1 / float64(rank)
		}
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	best := 0.0
	for i, grade := range ideal[:min(10, len(ideal))] {
		best += gain(grade, i+1)
	}
	relevant := float64(len(ideal))
	s.NDCG10, s.Recall5, s.Recall10, s.Recall20 = s.NDCG10/best, s.Recall5/relevant, s.Recall10/relevant, s.Recall20/relevant
	return s
}

// gain is the discounted gain of a document of a grade at a rank from 1.
func gain(grade, rank int) float64 { return float64(grade) / math.Log2(float64(rank)+1) }

// add sums scores.
func (s Scores) add(o Scores) Scores {
	return Scores{s.NDCG10 + o.NDCG10, s.Recall5 + o.Recall5, s.Recall10 + o.Recall10, s.Recall20 + o.Recall20, s.MRR10 + o.MRR10}
}

// scale multiplies scores.
func (s Scores) scale(f float64) Scores {
	return Scores{s.NDCG10 * f, s.Recall5 * f, s.Recall10 * f, s.Recall20 * f, s.MRR10 * f}
}

// Percentile returns the smallest value that at least share of the values do not
// exceed (nearest rank); 0 for no values. It sorts values.
func Percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	i := int(math.Ceil(share*float64(len(values)))) - 1
	return values[max(0, min(i, len(values)-1))]
}
