package weights

import "testing"

// A text whose channels are others than those of the texts before is one that a contextual
// cache follows, and a static one does not.
func TestReplayedCaches(t *testing.T) {
	low, high := []int32{0, 1, 2}, []int32{5, 6, 7}
	of := func(active []int32, tokens int) (text ActiveText) {
		for range tokens {
			text = append(text, active)
		}
		return text
	}
	learned, texts := []ActiveText{of(low, 9)}, []ActiveText{of(low, 4), of(high, 6)}
	static := ReplayStatic(learned, texts, 2, 8, 3)
	if static.Hits != 2*3 || static.Misses != 4*3 {
		t.Errorf("static: %+v", static)
	}
	contextual := ReplayContextual(texts, 2, 8, 3)
	if contextual.Hits != 6*3 || contextual.Misses != 0 {
		t.Errorf("contextual, behind prompts: %+v", contextual)
	}
	// Without a prompt the first token of the first text misses, and the second text's
	// channels take the places of those that are no longer active.
	if got := ReplayContextual(texts, 0, 8, 3); got.Hits != 3*3+5*3 || got.Misses != 2*3 {
		t.Errorf("contextual: %+v", got)
	}
	// The published example, with its second token.
	example := []ActiveText{{{0, 1, 4, 6}, {0, 4, 6, 7}}}
	if got := ReplayContextual(example, 0, 8, 4); got.Hits != 3 || got.Misses != 4+1 {
		t.Errorf("published example: %+v", got)
	}
}
