package fusion_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/fusion"
)

// trials is how many random inputs each property sees.
const trials = 300

// random returns a source with a fixed seed, named in the log of a failing test.
func random(t *testing.T) *rand.Rand {
	t.Helper()
	const seed = 20261121
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// randomList draws n documents with ids below 300 and coarse scores from lo,
// so that ties and overlaps are common.
func randomList(r *rand.Rand, n int, lo, step float64) []fusion.Scored {
	list := make([]fusion.Scored, n)
	for i, id := range r.Perm(300)[:n] {
		list[i] = fusion.Scored{ID: uint32(id), Score: lo + step*float64(r.IntN(64))}
	}
	return list
}

// randomLists draws a BM25 list and a vector list of up to 150 documents.
func randomLists(r *rand.Rand) (lexical, vector []fusion.Scored) {
	return randomList(r, r.IntN(150), 0.25, 0.25), randomList(r, r.IntN(150), -0.125, 1.0/64)
}

func randomFeatures(r *rand.Rand) fusion.Features {
	terms := r.IntN(8)
	return fusion.Features{Terms: terms, Unknown: r.IntN(terms + 1)}
}

// shuffled returns list in another order.
func shuffled(r *rand.Rand, list []fusion.Scored) []fusion.Scored {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// ids returns the documents of a list, in its order.
func ids(list []fusion.Scored) []uint32 {
	out := make([]uint32, len(list))
	for i, s := range list {
		out[i] = s.ID
	}
	return out
}

// inOrder returns the documents of a list by score, then id: the order that the
// package promises for a list alone.
func inOrder(list []fusion.Scored) []uint32 {
	left := slices.Clone(list)
	var out []uint32
	for len(left) > 0 {
		best := 0
		for i, s := range left {
			b := left[best]
			if s.Score > b.Score || s.Score == b.Score && s.ID < b.ID {
				best = i
			}
		}
		out = append(out, left[best].ID)
		left = slices.Delete(left, best, best+1)
	}
	return out
}
