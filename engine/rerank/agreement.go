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
	grades, ideal := make(map[int]float64, len(want)), 0.0
	for i, c := range want {
		grade, discount := 1.0, 1.0
		if mode != Set {
			grade, discount = 1/float64((i+1)*(i+1)), math.Log2(float64(i+2))
		}
		grades[c.ID] = grade
		ideal += grade / discount
	}
	gain := 0.0
	for i, c := range got {
		discount := 1.0
		if mode != Set {
			discount = math.Log2(float64(i + 2))
		}
		gain += grades[c.ID] / discount
	}
	return gain / ideal
}
