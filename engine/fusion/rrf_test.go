package fusion_test

import (
	"fmt"
	"slices"
	"testing"

	"dowse/engine/fusion"
)

func TestRRFAddsReciprocalRanks(t *testing.T) {
	words := []fusion.Scored{{ID: 7, Score: 12}, {ID: 3, Score: 5}}
	meaning := []fusion.Scored{{ID: 3, Score: 0.6}, {ID: 9, Score: 0.5}}
	got := fusion.RRF(0, words, meaning)
	want := []fusion.Scored{{ID: 3, Score: 1.0/2 + 1}, {ID: 7, Score: 1}, {ID: 9, Score: 1.0 / 2}}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestRRFProperties(t *testing.T) {
	r := random(t)
	for range trials {
		lexical, vector := randomLists(r)
		fused := fusion.RRF(fusion.ReferenceK, lexical, vector)
		if !slices.Equal(fused, fusion.RRF(fusion.ReferenceK, shuffled(r, vector), shuffled(r, lexical))) {
			t.Fatal("another order of input gave another ranking")
		}
		if !slices.Equal(ids(fused), inOrder(fused)) {
			t.Fatalf("not best first: %v", fused)
		}
		for _, list := range [][]fusion.Scored{lexical, vector} {
			if alone := fusion.RRF(fusion.ReferenceK, list, nil); !slices.Equal(ids(alone), inOrder(list)) {
				t.Fatalf("alone: %v, want %v", ids(alone), inOrder(list))
			}
			if twice := fusion.RRF(fusion.ReferenceK, list, list); !slices.Equal(ids(twice), inOrder(list)) {
				t.Fatalf("with itself: %v, want %v", ids(twice), inOrder(list))
			}
		}
	}
}

func TestRepeatedIDsCountOnce(t *testing.T) {
	list := []fusion.Scored{{ID: 1, Score: 1}, {ID: 2, Score: 2}, {ID: 1, Score: 3}}
	want := []fusion.Scored{{ID: 1, Score: 1.0 / 61}, {ID: 2, Score: 1.0 / 62}}
	if got := fusion.RRF(fusion.ReferenceK, list); !slices.Equal(got, want) {
		t.Errorf("RRF: %v, want %v", got, want)
	}
	if got, _ := fusion.Adaptive(list, nil, fusion.Features{}); !slices.Equal(ids(got), []uint32{1, 2}) {
		t.Errorf("Adaptive: %v, want 1 before 2", got)
	}
}

func ExampleAdaptive() {
	words := []fusion.Scored{{ID: 1, Score: 8.1}, {ID: 2, Score: 7.9}}
	meaning := []fusion.Scored{{ID: 2, Score: 0.62}, {ID: 3, Score: 0.31}}
	fused, weights := fusion.Adaptive(words, meaning, fusion.Features{Terms: 3})
	fmt.Printf("words %.2f, meaning %.2f\n", weights.Lexical, weights.Vector)
	for _, f := range fused {
		fmt.Printf("%d %.2f\n", f.ID, f.Score)
	}
	// Output:
	// words 0.48, meaning 0.52
	// 2 0.79
	// 1 0.64
	// 3 0.16
}
