package topk

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type item struct{ score, id int }

func byScore(a, b item) int { return cmp.Compare(b.score, a.score) }

func byScoreAndID(a, b item) int { return cmp.Or(byScore(a, b), cmp.Compare(a.id, b.id)) }

// TestTopAgainstSorting compares what is kept, after each item, with the beginning
// of all of them, sorted. Scores are few, so that ties are many.
func TestTopAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{-1, 0, 1, 2, 7, 200, 300} {
		top := New(k, byScoreAndID)
		var all []item
		for _, id := range rng.Perm(200) {
			next := item{rng.IntN(20), id}
			top.Offer(next)
			all = append(all, next)
			slices.SortFunc(all, byScoreAndID)
			best := all[:max(0, min(k, len(all)))]
			if full := len(best) == max(k, 0); top.Full() != full {
				t.Fatalf("best %d of %d: full is %v", k, len(all), !full)
			}
			if len(best) > 0 && top.Worst() != best[len(best)-1] {
				t.Fatalf("best %d of %d: the worst is %v, want %v", k, len(all), top.Worst(), best[len(best)-1])
			}
		}
		if got, want := top.Sorted(), all[:max(0, min(k, len(all)))]; !slices.Equal(got, want) {
			t.Fatalf("best %d: %v, want %v", k, got, want)
		}
	}
}

// TestTopKeepsTheFirst: of equal items those that came first stay.
func TestTopKeepsTheFirst(t *testing.T) {
	top := New(2, byScore)
	for id := range 3 {
		top.Offer(item{1, id})
	}
	for _, kept := range top.Sorted() {
		if kept.id == 2 {
			t.Errorf("%v has displaced an equal one", kept)
		}
	}
}
