package transformer_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// lower brings chunks to a level.
func lower(t *testing.T, s *transformer.Sequence, l kv.Level, chunks ...int) {
	t.Helper()
	for _, i := range chunks {
		if err := s.Lower(i, l); err != nil {
			t.Fatal(err)
		}
	}
}

// Behind chunks of fewer bits what is computed is not what it was, but it is near, and
// there is one result: that of appending the tokens there, whatever is computed together.
func TestK3_RecomputeBehindLoweredChunks(t *testing.T) {
	for level, most := range map[kv.Level]float64{kv.Level4: 0.25, kv.Level2: 0.8} {
		eachDecoder(t, 211, func(t *testing.T, rng *rand.Rand, folder string) {
			d := openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2, MaxTokens: 400, ChunkTokens: recomputeChunk})
			s := d.NewSequence()
			defer freeSequence(t, s)
			ids := randomIDs(rng, 10*recomputeChunk, d.Vocabulary())
			appendAll(t, d, s, ids, 160)
			before := dequantized(s, 6*recomputeChunk)
			lower(t, s, level, 0, 1, 3, 4)
			if err := s.Truncate(6 * recomputeChunk); err != nil {
				t.Fatal(err)
			}
			appendAll(t, d, s, ids[6*recomputeChunk:], 9)
			want := lastBits(s, 4*recomputeChunk)
			if off := distance(dequantized(s, 6*recomputeChunk), before); !(off > 0 && off < most) {
				t.Errorf("keys and values are off by %.2g of their length, at %d bits", off, level)
			}
			for _, together := range [][][]int{{{6, 7, 8, 9}}, {{6}, {7}, {8}, {9}}, {{6, 9}, {7}, {8}}} {
				last := slices.Max(slices.Concat(together...))
				drop(t, s, []int{6, 7, 8, last})
				if _, err := d.Restore(t.Context(), s, nil, nil); err != nil {
					t.Fatal(err)
				}
				for _, chunks := range together {
					drop(t, s, chunks)
					if _, err := d.Restore(t.Context(), s, chunks, nil); err != nil {
						t.Fatal(err)
					}
				}
				if !slices.EqualFunc(lastBits(s, 4*recomputeChunk), want, slices.Equal) {
					t.Errorf("%v computed together: other keys and values", together)
				}
			}
		})
	}
}

// lastBits are the keys and values of the last tokens, which are at 8 bits.
func lastBits(s *transformer.Sequence, tokens int) [][]byte {
	return transformer.BitsFrom(s, s.Len()-tokens)
}

// dequantized are the keys and values of the tokens from first on.
func dequantized(s *transformer.Sequence, first int) []float64 {
	var all []float64
	shape := s.Shape()
	for layer := range shape.Layers {
		for _, span := range s.Spans(layer, first, s.Len()) {
			for i, b := range span.K.Bytes {
				all = append(all, float64(b)*float64(span.K.Scale[i/shape.HeadDim].Float32()))
			}
			for i, b := range span.V.Bytes {
				all = append(all, float64(b)*float64(span.V.Scale[i/shape.HeadDim].Float32()))
			}
		}
	}
	return all
}

// distance is how far apart two vectors are, by the length of the second.
func distance(got, want []float64) float64 {
	apart, length := 0.0, 0.0
	for i := range want {
		apart += (got[i] - want[i]) * (got[i] - want[i])
		length += want[i] * want[i]
	}
	return math.Sqrt(apart / length)
}

// A chunk that is kept with fewer bits comes back with these; where it cannot be read,
// with all 8, and with the bits that it had before it was lowered.
func TestRestoreReadsLoweredChunks(t *testing.T) {
	const seed = 212
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	model := deep()["tied"]
	d := openDecoder(t, importFolder(t, model.folder(t)), transformer.DecoderOptions{Threads: 2, MaxTokens: 400, ChunkTokens: recomputeChunk})
	s := d.NewSequence()
	defer freeSequence(t, s)
	appendAll(t, d, s, randomIDs(rng, 165, d.Vocabulary()), 165)
	full := keep(s)
	lower(t, s, kv.Level4, 5, 8)
	lower(t, s, kv.Level2, 9)
	chunks := keep(s)
	all := []int{5, 6, 7, 8, 9, 10}
	require := func(levels ...kv.Level) {
		t.Helper()
		for n, i := range all {
			if s.Level(i) != levels[n] {
				t.Errorf("chunk %d has %d bits, want %d", i, s.Level(i), levels[n])
			}
			want := chunks.data[i]
			if levels[n] == kv.Level8 {
				want = full.data[i]
			}
			if i < s.Chunks()-1 && !slices.Equal(s.Data(i), want) {
				t.Errorf("chunk %d came back with other bytes", i)
			}
		}
	}
	drop(t, s, all)
	if _, err := d.Restore(t.Context(), s, nil, chunks.read); err != nil {
		t.Fatal(err)
	}
	require(4, 8, 8, 4, 2, 8)
	chunks.fails = map[[2]int]bool{{5, 3}: true}
	drop(t, s, all)
	if stats, err := d.Restore(t.Context(), s, []int{6, 7}, chunks.read); err != nil || stats.Computed != 3 || stats.Read != 3 {
		t.Errorf("%+v (%v)", stats, err)
	}
	require(8, 8, 8, 4, 2, 8)
}

// Whether layers are in memory or read, in one round or several, with one thread or
// more, what is computed has the same bits, and no more memory is held than the budget.
func TestK1_RecomputeOfAStreamedModel(t *testing.T) {
	const seed, tokens = 213, 800
	t.Logf("seed %d", seed)
	for name, model := range deep() {
		path := importFolder(t, model.folder(t))
		one := openDecoder(t, path, transformer.DecoderOptions{MaxTokens: deepTokens})
		rng := rand.New(rand.NewPCG(seed, 0))
		ids, s := randomIDs(rng, tokens, one.Vocabulary()), one.NewSequence()
		appendAll(t, one, s, ids, tokens)
		want, chunks := transformer.TokenBits(s), keep(s)
		freeSequence(t, s)
		for _, kept := range []int{0, 4, model.layers} {
			o := transformer.DecoderOptions{Threads: 2, MaxTokens: deepTokens, Ledger: &memory.Ledger{}}
			o.Budget = budgetFor(t, path, o.Threads, tokens, kept)
			d := openDecoder(t, path, o)
			s := d.NewSequence()
			if err := s.Resume(ids); err != nil {
				t.Fatal(err)
			}
			for _, compute := range [][]int{{0, 1, 2, 3, 4, 5, 6}, {1, 2, 4}, {6}} {
				stats := restored(t, d, s, compute, chunks.read, want)
				if stats.Computed != len(compute) || stats.Read != 7-len(compute) {
					t.Errorf("%s: %+v", name, stats)
				}
				drop(t, s, []int{0, 1, 2, 3, 4, 5, 6})
			}
			if most := o.Ledger.Peak(); most > o.Budget {
				t.Errorf("%s, %d layers kept: held %d bytes, the budget is %d: %+v", name, kept, most, o.Budget, o.Ledger.Snapshot())
			}
			freeSequence(t, s)
		}
	}
}

// An adapter is part of what is computed again.
func TestK1_RecomputeWithAnAdapter(t *testing.T) {
	const seed = 214
	t.Logf("seed %d", seed)
	m := decoders()["Llama"]
	path := importFolder(t, m.folder(t))
	m.vocabulary = openDecoder(t, path, transformer.DecoderOptions{}).Vocabulary()
	folder := adapterFolder(t, adapterTensors(m, seed, adapterModules()...), adapterConfig())
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2, MaxTokens: 300, ChunkTokens: recomputeChunk, Adapter: folder})
	s := d.NewSequence()
	defer freeSequence(t, s)
	requireRecompute(t, rand.New(rand.NewPCG(seed, 0)), d, s, 200)
}

// The same with a model of real size. DOWSE_TEST_DECODER is its pack.
func TestK1_RecomputeOfAModelOfRealSize(t *testing.T) {
	const seed = 215
	t.Logf("seed %d", seed)
	d := openDecoder(t, decoderPack(t), transformer.DecoderOptions{Threads: 2, MaxTokens: 400, ChunkTokens: recomputeChunk})
	s := d.NewSequence()
	defer freeSequence(t, s)
	rng := rand.New(rand.NewPCG(seed, 0))
	appendAll(t, d, s, randomIDs(rng, 300, d.Vocabulary()), 300)
	want, chunks := transformer.TokenBits(s), keep(s)
	for _, missing := range subsets(rng, s.Chunks())[:5] {
		drop(t, s, missing)
		restored(t, d, s, someOf(rng, missing), chunks.read, want)
	}
}

// A layer is computed behind what is read of it, however long that takes: with reads
// that let compute go ahead as far as it may.
func TestRestoreWaitsForWhatIsRead(t *testing.T) {
	const seed = 216
	t.Logf("seed %d", seed)
	model := deep()["untied"]
	d := openDecoder(t, importFolder(t, model.folder(t)), transformer.DecoderOptions{Threads: 2, MaxTokens: 400, ChunkTokens: recomputeChunk})
	s := d.NewSequence()
	defer freeSequence(t, s)
	appendAll(t, d, s, randomIDs(rand.New(rand.NewPCG(seed, 0)), 80, d.Vocabulary()), 80)
	want, chunks := transformer.TokenBits(s), keep(s)
	drop(t, s, []int{0, 1, 2, 3, 4})
	slowly := func(ctx context.Context, chunk, group int, dst []byte) error {
		for range 20_000 {
			runtime.Gosched()
		}
		return chunks.read(ctx, chunk, group, dst)
	}
	restored(t, d, s, []int{1, 4}, slowly, want)
	slices.SortFunc(chunks.reads, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	var all [][2]int
	for _, i := range []int{0, 2, 3} {
		for group := range kv.Groups {
			all = append(all, [2]int{i, group})
		}
	}
	if !slices.Equal(chunks.reads, all) {
		t.Errorf("groups that were read: %v", chunks.reads)
	}
}
