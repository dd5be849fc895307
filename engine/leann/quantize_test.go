package leann

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// stored returns an index of the first n vectors of a cloud.
func stored(t testing.TB, rng *rand.Rand, c *cloud, n int) *memory {
	m := newMemory(t, c.dim)
	m.add(rng, c, 0, n)
	return m
}

func TestQuantizeWaitsForMinChunks(t *testing.T) {
	rng := seeded(t, 121)
	c := newCloud(rng, MinChunks, 8)
	m := stored(t, rng, c, MinChunks-1)
	before := m.clone()
	if done := m.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80]}); done != (Quantized{}) || !m.equal(before) {
		t.Errorf("%d chunks were quantized: %+v", MinChunks-1, done)
	}
	m.add(rng, c, MinChunks-1, MinChunks)
	if done := m.quantize(QuantizeOptions{CodeBytes: 2}); done != (Quantized{Chunks: MinChunks, Books: 1}) || len(m.runs) != 0 {
		t.Errorf("%d chunks, quantized %+v, %d runs are left", MinChunks, done, len(m.runs))
	}
	m.sound(below(MinChunks), MinChunks)
	quantized := m.clone()
	if done := m.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80]}); done != (Quantized{}) || !m.equal(quantized) {
		t.Errorf("quantizing again did %+v", done)
	}
	if done := newMemory(t, 8).quantize(QuantizeOptions{CodeBytes: 2}); done != (Quantized{}) {
		t.Errorf("nothing at all was quantized: %+v", done)
	}
}

// checkCodes compares the codes of an index with the slow twin: each vector
// encoded by itself, by the codebook that its block names.
func (m *memory) checkCodes(c *cloud, n int) {
	m.t.Helper()
	books, codes := m.library(), m.codes()
	if len(codes) != n {
		m.t.Fatalf("%d codes for %d chunks", len(codes), n)
	}
	byBlock := map[uint32]uint32{}
	for id, own := range codes {
		code := make([]byte, books[own.book].codeBytes())
		books[own.book].encode(code, c.Vector(id))
		if !bytes.Equal(code, own.code) {
			m.t.Fatalf("chunk %d has code %x, want %x", id, own.code, code)
		}
		if book, ok := byBlock[id>>blockBits]; ok && book != own.book {
			m.t.Fatalf("block %d has codes of books %d and %d", id>>blockBits, book, own.book)
		}
		byBlock[id>>blockBits] = own.book
	}
}

// TestQuantizeInParts lets an index grow: it takes the codebooks it has while
// they stand for most of it, and then trains another for blocks to come.
func TestQuantizeInParts(t *testing.T) {
	rng := seeded(t, 122)
	c := newCloud(rng, 10_000, 8)
	m := newMemory(t, 8)
	at := 0
	for _, step := range []struct{ to, books int }{
		{1500, 1}, {2000, 0}, {3999, 0}, {3999, 0}, {8500, 1}, {9000, 0}, {9001, 0}, {10_000, 0},
	} {
		m.add(rng, c, at, step.to)
		want := Quantized{Chunks: step.to - at, Books: step.books}
		if want.Chunks == 0 {
			want = Quantized{}
		}
		if done := m.quantize(QuantizeOptions{CodeBytes: 2}); done != want || len(m.runs) != 0 {
			t.Fatalf("up to chunk %d: quantized %+v, want %+v; %d runs are left", step.to, done, want, len(m.runs))
		}
		at = step.to
		m.checkCodes(c, at)
		m.sound(below(at), uint32(at))
	}
	if book := m.codes()[0].book; book != 0 || m.codes()[8400].book != 1 {
		t.Errorf("the first block has book %d, the third %d", book, m.codes()[8400].book)
	}
	kept := stored(t, rng, c, 10_000)
	for _, q := range c.queries(rng, 5) {
		found := m.find(c, c, Query{Vector: q, Depth: 20, Recompute: 10_000, Batch: 1000})
		if want := kept.flat(q, 20, nil); !slices.Equal(found.Hits, want) {
			t.Fatalf("hits %v, want %v", found.Hits, want)
		}
	}
}

// TestQuantizeTakesTheBestBook: new blocks get the codebook that suits them.
func TestQuantizeTakesTheBestBook(t *testing.T) {
	rng := seeded(t, 123)
	// Two kinds of text whose vectors lie in different halves of space.
	kinds := newCloud(rng, 3*blockSize, 8)
	for at := 0; at < len(kinds.of); at += 8 {
		second := at >= 4000*8 && at < 2*blockSize*8+600*8
		for d := range 8 {
			if (d < 4) == second {
				kinds.of[at+d] *= 0.01
			}
		}
	}
	m := newMemory(t, 8)
	m.add(rng, kinds, 0, 4000) // the first kind
	m.quantize(QuantizeOptions{CodeBytes: 2})
	m.add(rng, kinds, blockSize, 2*blockSize) // the second
	if done := m.quantize(QuantizeOptions{CodeBytes: 2}); done.Books != 1 {
		t.Fatalf("quantized %+v", done)
	}
	m.add(rng, kinds, 2*blockSize, 2*blockSize+600) // the second again
	if done := m.quantize(QuantizeOptions{CodeBytes: 2}); done.Books != 0 || m.codes()[2*blockSize].book != 1 {
		t.Errorf("quantized %+v by book %d", done, m.codes()[2*blockSize].book)
	}
}

func TestQuantizeRefusesAChunkWithBoth(t *testing.T) {
	rng := seeded(t, 124)
	c := newCloud(rng, 1100, 16)
	m := stored(t, rng, c, 1100)
	runs := maps.Clone(m.runs)
	m.quantize(QuantizeOptions{CodeBytes: 4})
	m.checkCodes(c, 1100)
	m.runs = runs
	if _, err := m.index().Quantize(t.Context(), m, QuantizeOptions{CodeBytes: 4}); err == nil || !strings.Contains(err.Error(), "chunk 0 has a code and a vector") {
		t.Errorf("quantizing what has codes: %v", err)
	}
}

// TestQuantizeMeasures asks whole searches for what calibration counts by itself: the
// margin is the least one of those tried with which they find targetRecall of the truly
// best, or the last one that costs maxMean vectors at most.
func TestQuantizeMeasures(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 125)
	c := newCloud(rng, 2*MinChunks, 24)
	near, far := slices.Concat(c.queries(rng, 24)...), []float32{}
	for range 24 {
		far = append(far, gauss(rng, make([]float32, 24), 1)...)
	}
	margins := map[float64]bool{}
	for _, tt := range []struct {
		bytes   int
		queries []float32
	}{{12, near}, {1, near}, {5, far}, {3, far}} {
		bytes, queries := tt.bytes, tt.queries
		m := stored(t, rng, c, 2*MinChunks)
		again, kept := m.clone(), m.clone()
		done := m.quantize(QuantizeOptions{CodeBytes: bytes, Queries: queries})
		if twice := again.quantize(QuantizeOptions{CodeBytes: bytes, Queries: queries}); twice != done {
			t.Errorf("codes of %d bytes: quantized %+v, then %+v", bytes, done, twice)
		}
		model, want := done.Errors, 0.0
		for model.Margin = minMargin; want == 0; model.Margin += marginStep {
			recall, mean := searchWith(c, m, kept, queries, model)
			switch {
			case mean > maxMean && model.Margin > minMargin:
				want = model.Margin - marginStep
			case recall >= targetRecall || model.Margin >= maxMargin:
				want = model.Margin
			}
		}
		t.Logf("codes of %d bytes: %+v", bytes, done.Errors)
		if !done.Errors.Sound() || math.Abs(done.Errors.Margin-want) > 1e-9 {
			t.Errorf("codes of %d bytes: %+v, want a margin of %v", bytes, done.Errors, want)
		}
		margins[want] = true
	}
	if len(margins) < 2 {
		t.Errorf("the margins are %v, whatever the codes", margins)
	}
	if done := stored(t, rng, c, MinChunks).quantize(QuantizeOptions{CodeBytes: 2}); done.Errors != (ErrorModel{}) {
		t.Errorf("without queries: %+v", done.Errors)
	}
}

// searchWith returns the recall of the Wanted best and the vectors that searches of
// an index recompute in the mean; kept has all vectors.
func searchWith(c *cloud, m, kept *memory, queries []float32, model ErrorModel) (found, mean float64) {
	n := float64(len(queries) / 24)
	for q := queries; len(q) > 0; q = q[24:] {
		got := m.find(c, c, Query{Vector: q[:24], Depth: Wanted, Recompute: MaxRecompute, Wanted: Wanted, Errors: model, Batch: RecomputeBatch})
		found += recall(got.Hits, kept.flat(q[:24], Wanted, nil)) / n
		mean += float64(got.Stats.Recomputed) / n
	}
	return found, mean
}

// TestQuantizeMeasuresMostOnly: where most vectors are gone nobody knows what is
// truly best.
func TestQuantizeMeasuresMostOnly(t *testing.T) {
	rng := seeded(t, 126)
	c := newCloud(rng, 3000, 8)
	m := stored(t, rng, c, 1100)
	if done := m.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80]}); done.Errors == (ErrorModel{}) {
		t.Errorf("quantized %+v", done)
	}
	m.add(rng, c, 1100, 1500)
	if done := m.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80]}); done != (Quantized{Chunks: 400}) {
		t.Errorf("quantized %+v", done)
	}
}

// TestQuantizeIsRepeatable: the same vectors give the same bytes, however they
// are divided into runs.
func TestQuantizeIsRepeatable(t *testing.T) {
	rng := seeded(t, 127)
	c := newCloud(rng, blockSize+500, 8)
	m, whole := stored(t, rng, c, blockSize+500), newMemory(t, 8)
	whole.put(0, c.of)
	m.quantize(QuantizeOptions{CodeBytes: 4})
	whole.quantize(QuantizeOptions{CodeBytes: 4})
	if !m.equal(whole) {
		t.Error("the same vectors gave other bytes")
	}
	m.checkCodes(c, blockSize+500)
}

// fuse is a context that is cancelled once it has been looked at so often.
type fuse struct {
	context.Context
	left int
}

func (f *fuse) Err() error {
	if f.left == 0 {
		return context.Canceled
	}
	f.left--
	return nil
}

func TestQuantizeEndsWithContext(t *testing.T) {
	rng := seeded(t, 128)
	c := newCloud(rng, 1100, 8)
	vectors := stored(t, rng, c, 1100)
	ended := 0
	for looks := 0; ; looks = 2*looks + 1 {
		m := vectors.clone()
		_, err := m.index().Quantize(&fuse{t.Context(), looks}, m, QuantizeOptions{CodeBytes: 2, Queries: c.of[:80]})
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled after %d looks: %v", looks, err)
		}
		ended++
	}
	if ended < 7 {
		t.Errorf("quantizing looked at its context %d times", 1<<ended)
	}
}

// TestQuantizedBytes is T-L6 for the blocks: they take the codes and no more
// than was reckoned with.
func TestQuantizedBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 129)
	c := newCloud(rng, 10_000, 8)
	m := stored(t, rng, c, 10_000)
	m.quantize(QuantizeOptions{CodeBytes: 3})
	perChunk := float64(m.size()) / 10_000
	t.Logf("%.3f bytes a chunk for codes of 3", perChunk)
	if perChunk > 3+overheadBytes {
		t.Errorf("%.3f bytes a chunk for codes of 3", perChunk)
	}
}

// TestQuantizeLeavesOutTheDead: chunks that are gone lose their codes in the
// blocks that are written, and do not decide what is measured or trained.
func TestQuantizeLeavesOutTheDead(t *testing.T) {
	rng := seeded(t, 130)
	c := newCloud(rng, 3000, 8)
	m := stored(t, rng, c, 1100)
	m.quantize(QuantizeOptions{CodeBytes: 2})
	m.add(rng, c, 1100, 1600)
	twin, dead := m.clone(), without{}
	for id := range uint32(900) {
		dead[id] = true
	}
	// 500 fresh ones are fewer than 1,100 codes, and more than 200 live ones.
	if done := twin.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80]}); done != (Quantized{Chunks: 500}) {
		t.Errorf("quantized %+v beside the dead", done)
	}
	if done := m.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80], Live: dead}); done != (Quantized{}) {
		t.Errorf("quantized %+v, though %d chunks are few", done, 700)
	}
	m.add(rng, c, 1600, 2600)
	done := m.quantize(QuantizeOptions{CodeBytes: 2, Queries: c.of[:80], Live: dead})
	if done.Chunks != 1500 || done.Books != 1 || done.Errors == (ErrorModel{}) {
		t.Errorf("quantized %+v", done)
	}
	for id := range m.codes() {
		if dead[id] {
			t.Fatalf("chunk %d is gone and has a code", id)
		}
	}
}

// TestQuantizeInSteps ends quantizing after every number of steps: what is left is sound,
// a search finds the same as before, and the next call goes on with the same codebook to
// the same bytes.
func TestQuantizeInSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	rng := seeded(t, 127)
	const n = 3*stepChunks + 500
	c := newCloud(rng, n, 8)
	whole := stored(t, rng, c, n)
	start, kept := whole.clone(), whole.clone()
	whole.quantize(QuantizeOptions{CodeBytes: 2})
	for steps := range 4 {
		m := start.clone()
		p, err := m.index().Prepare(t.Context(), m, QuantizeOptions{CodeBytes: 2})
		if err != nil || p.Books != 1 || !m.equal(start) {
			t.Fatalf("prepared %+v, %v", p, err)
		}
		for range steps {
			if err := errors.Join(p.Encode(t.Context(), m), p.Put(m)); err != nil || !p.Left() {
				t.Fatalf("after %d steps nothing is left, %v", steps, err)
			}
		}
		if err := p.Encode(t.Context(), m); err != nil { // the end comes before Put
			t.Fatal(err)
		}
		m.sound(below(n), n)
		for _, q := range c.queries(rng, 3) {
			if got := m.find(c, c, Query{Vector: q, Depth: 10, Recompute: n, Batch: 1000}); !slices.Equal(got.Hits, kept.flat(q, 10, nil)) {
				t.Errorf("after %d steps %v is found", steps, got.Hits)
			}
		}
		m.quantize(QuantizeOptions{CodeBytes: 2})
		if !m.equal(whole) {
			t.Errorf("ended after %d steps and begun again, the index is another one", steps)
		}
	}
}
