package rerank

import "math"

// Agreement is how much of the best results of the full forward pass, want, a
// pruned one got, from 0 to 1. In mode Set it is the share of them that was
// found. Where their order counts it is nDCG: the full pass's i-th result, from
// 1, has the grade 1/i^2, as it is about so often the one that was looked for. A
// mistake among the last results then costs as little as it does a person.
func Agreement(mode Mode, want, got []Candidate) float64 {
	if len(want) == 0 {
		return 1
	}
	grade, discount := func(int) float64 { return 1 }, func(int) float64 { return 1 }
	if mode != Set {
		grade = func(i int) float64 { return 1 / float64((i+1)*(i+1)) }
		discount = func(i int) float64 { return math.Log2(float64(i + 2)) }
	}
	grades, ideal, gain := make(map[int]float64, len(want)), 0.0, 0.0
	for i, c := range want {
		grades[c.ID] = grade(i)
		ideal += grade(i) / discount(i)
	}
	for i, c := range got {
		gain += grades[c.ID] / discount(i)
	}
	return gain / ideal
}
