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

// Score rates one ranked list of documents, best first, by the grades of the
// judged ones. An id that stands in the list twice counts once. A
// query without a relevant document scores zero everywhere.
func Score(ranked []Ranked, grades map[string]int) Scores {
	var s Scores
	seen := make(map[string]bool, len(ranked))
	relevant := 0
	for _, grade := range grades {
		if grade > 0 {
			relevant++
		}
	}
	if relevant == 0 {
		return s
	}
	rank, gain := 0, 0.0
	found5, found10, found20 := 0, 0, 0
	for _, d := range ranked {
		if seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		rank++
		if rank > 20 {
			break
		}
		grade := grades[d.ID]
		if grade <= 0 {
			continue
		}
		found20++
		if rank > 10 {
			continue
		}
		found10++
		if rank <= 5 {
			found5++
		}
		gain += float64(grade) / math.Log2(float64(rank)+1)
		if s.MRR10 == 0 {
			s.MRR10 = 1 / float64(rank)
		}
	}
	s.NDCG10 = gain / idealGain(grades, 10)
	s.Recall5 = float64(found5) / float64(relevant)
	s.Recall10 = float64(found10) / float64(relevant)
	s.Recall20 = float64(found20) / float64(relevant)
	return s
}

// idealGain returns the discounted gain of the best possible list of k documents.
func idealGain(grades map[string]int, k int) float64 {
	sorted := make([]int, 0, len(grades))
	for _, grade := range grades {
		if grade > 0 {
			sorted = append(sorted, grade)
		}
	}
	slices.SortFunc(sorted, func(a, b int) int { return b - a })
	gain := 0.0
	for i, grade := range sorted[:min(k, len(sorted))] {
		gain += float64(grade) / math.Log2(float64(i)+2)
	}
	return gain
}

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
