package transformer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/transformer"
)

// densities are those of the first chunks of a sequence.
func densities(c *transformer.Sequence, chunks int) []float32 {
	all := make([]float32, chunks)
	for i := range all {
		all[i] = c.Density(i)
	}
	return all
}

// T-K6: the density of chunks has the same bits however a text is cut into calls and
// work is shared, and counting changes no logit.
func TestDensityDoesNotDependOnHowATextIsCut(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed, tokens, chunk = 91, 300, 16
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		one := openDecoder(t, path, transformer.DecoderOptions{ChunkTokens: chunk})
		ids := randomIDs(rng, tokens, one.Vocabulary())
		plain, counted := one.NewSequence(), one.NewSequence()
		logits := appendAll(t, one, plain, ids, 1)
		counted.TrackDensity()
		if got := appendAll(t, one, counted, ids, 1); !slices.Equal(got, logits) {
			t.Error("counting gives other logits")
		}
		want := densities(counted, tokens/chunk)
		if slices.Contains(want, 0) || plain.Density(0) != 0 {
			t.Errorf("densities %v, uncounted %g", want, plain.Density(0))
		}
		freeSequence(t, plain)
		freeSequence(t, counted)
		for threads := 1; threads <= 3; threads++ {
			d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads, ChunkTokens: chunk})
			for _, sizes := range [][]int{{tokens}, {100, 1, 60, 3}} {
				c := d.NewSequence()
				c.TrackDensity()
				appendAll(t, d, c, ids, sizes...)
				if got := densities(c, tokens/chunk); !slices.Equal(got, want) {
					t.Errorf("%d threads, pieces of %v: %v, want %v", threads, sizes, got, want)
				}
				freeSequence(t, c)
			}
		}
	})
}

// Of a tree that is verified the root counts, once it is kept, as if it had been
// appended.
func TestDensityOfATreeIsThatOfItsRoot(t *testing.T) {
	const seed, chunk, known = 92, 16, 64
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		for threads := 1; threads <= 3; threads++ {
			d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads, ChunkTokens: chunk})
			ids, tree := randomIDs(rng, known, d.Vocabulary()), randomTree(rng, 40, d.Vocabulary())
			grown := func() *transformer.Sequence {
				c := d.NewSequence()
				c.TrackDensity()
				appendAll(t, d, c, ids, known)
				return c
			}
			appended, verified := grown(), grown()
			before := densities(verified, known/chunk)
			verify(t, d, verified, tree)
			verified.DropTree()
			if got := densities(verified, known/chunk); !slices.Equal(got, before) {
				t.Errorf("%d threads: a tree that was dropped counts: %v, want %v", threads, got, before)
			}
			appendAll(t, d, appended, tree.Tokens[:1], 1)
			verify(t, d, verified, tree)
			if err := verified.Keep(pathTo(tree, 20)); err != nil {
				t.Fatal(err)
			}
			if got, want := densities(verified, known/chunk), densities(appended, known/chunk); !slices.Equal(got, want) || slices.Equal(got, before) {
				t.Errorf("%d threads: %v, want %v, before %v", threads, got, want, before)
			}
			freeSequence(t, appended)
			freeSequence(t, verified)
		}
	})
}

// Behind a past of several levels logits have the same bits however a text is cut.
func TestN3_LogitsBehindALoweredPastDoNotDependOnHowATextIsCut(t *testing.T) {
	const seed, chunk, known, more = 93, 16, 100, 50
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		var ids []int32
		var want, full []float32
		for threads := 1; threads <= 3; threads++ {
			d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads, ChunkTokens: chunk})
			if ids == nil {
				ids = randomIDs(rng, known+more, d.Vocabulary())
			}
			c := d.NewSequence()
			appendAll(t, d, c, ids[:known], known)
			if full == nil {
				full = appendAll(t, d, c, ids[known:], more)
				if err := c.Truncate(known); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.LowerTo([]kv.Level{4, 2, 8, 4, 2}); err != nil {
				t.Fatal(err)
			}
			for _, sizes := range [][]int{{more}, {1}, {7, 20}} {
				got := appendAll(t, d, c, ids[known:], sizes...)
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d threads, pieces of %v: other bits", threads, sizes)
				}
				if err := c.Truncate(known); err != nil {
					t.Fatal(err)
				}
			}
			freeSequence(t, c)
		}
		if slices.Equal(want, full) {
			t.Error("lowered keys and values are those of 8 bits")
		}
	})
}
