package rerank_test

import (
	"fmt"

	"dowse/engine/rerank"
)

// The scores of six candidates after each of four layers. The best two are
// known after the second layer.
func ExampleReplay() {
	trace := rerank.Trace{Candidates: 6, Layers: 4, Margins: []float32{
		0.1, 0.0, 0.2, 0.1, 0.0, 0.1,
		2.0, -1.9, 2.2, -2.1, -2.0, -1.8,
		3.1, -3.0, 2.9, -3.2, -2.8, -3.1,
		4.0, -3.9, 4.4, -4.0, -4.1, -3.7,
	}}
	result, err := rerank.Replay(trace, rerank.Options{K: 2, Tau: 0.5, Literal: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range result.Top {
		fmt.Printf("candidate %d %s after layer %d\n", c.ID, c.Fate, c.Layer)
	}
	fmt.Printf("%d of %d candidate layers computed\n", result.ActiveLayers, result.FullLayers)
	// Output:
	// candidate 2 selected after layer 1
	// candidate 0 selected after layer 1
	// 12 of 24 candidate layers computed
}
