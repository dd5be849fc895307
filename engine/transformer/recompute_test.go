package transformer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// recomputeChunk is how many tokens share a chunk in the tests.
const recomputeChunk = 16

// kept is what a test keeps of the chunks of a sequence, as a disk does.
type kept struct {
	shape  kv.Shape
	data   [][]byte
	levels []kv.Level
	fails  map[[2]int]bool // chunk and group that cannot be read
	mu     sync.Mutex
	reads  [][2]int
}

func keep(s *transformer.Sequence) *kept {
	k := &kept{shape: s.Shape(), fails: map[[2]int]bool{}}
	for i := range s.Chunks() {
		k.data, k.levels = append(k.data, slices.Clone(s.Data(i))), append(k.levels, s.Level(i))
	}
	return k
}

func (k *kept) read(ctx context.Context, chunk, group int, dst []byte) error {
	k.mu.Lock()
	k.reads = append(k.reads, [2]int{chunk, group})
	k.mu.Unlock()
	if k.fails[[2]int{chunk, group}] {
		for i := range dst { // half of it may be there, and be wrong
			dst[i] = 77
		}
		return errors.New("damaged")
	}
	from, to := k.shape.GroupBytes(group, k.levels[chunk])
	if len(dst) != to-from {
		return fmt.Errorf("room for %d bytes, want %d", len(dst), to-from)
	}
	copy(dst, k.data[chunk][from:to])
	return ctx.Err()
}

// drop makes chunks missing ones.
func drop(t testing.TB, s *transformer.Sequence, chunks []int) {
	t.Helper()
	for _, i := range chunks {
		if err := s.Drop(i); err != nil {
			t.Fatal(err)
		}
	}
}

// restored restores chunks and requires the tokens' bits.
func restored(t testing.TB, d *transformer.Decoder, s *transformer.Sequence, compute []int, read transformer.ReadGroup, want [][]byte) transformer.RestoreStats {
	t.Helper()
	stats, err := d.Restore(t.Context(), s, compute, read)
	if err != nil {
		t.Fatal(err)
	}
	if missing := s.MissingChunks(); len(missing) > 0 {
		t.Fatalf("chunks %v are missing", missing)
	}
	if !slices.EqualFunc(transformer.TokenBits(s), want, slices.Equal) {
		t.Fatalf("other keys and values where %v are computed", compute)
	}
	return stats
}

// subsets are sets of n chunks, among them random ones.
func subsets(rng *rand.Rand, n int) [][]int {
	var all, even []int
	for i := range n {
		all = append(all, i)
		if i%2 == 0 {
			even = append(even, i)
		}
	}
	sets := [][]int{all, {0}, {n - 1}, even, {0, n - 1}}
	for range 4 {
		some := rng.Perm(n)[:1+rng.IntN(n)]
		slices.Sort(some)
		sets = append(sets, some)
	}
	return sets
}

// someOf is about half of some chunks, at least none.
func someOf(rng *rand.Rand, chunks []int) []int {
	var some []int
	for _, i := range chunks {
		if rng.IntN(2) == 0 {
			some = append(some, i)
		}
	}
	return some
}

// Whatever chunks are missing, and whatever of them is computed and read, their keys and
// values have the bits that they had first: with each kind of model and of attention, on
// any number of threads, and with an open last chunk.
func TestK1_RecomputeGivesTheSameBits(t *testing.T) {
	eachDecoder(t, 201, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		fewest, most := 1, 3
		if testing.Short() { // for the race detector two threads are enough
			fewest, most = 2, 2
		}
		for threads := fewest; threads <= most; threads++ {
			ledger := &memory.Ledger{}
			d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads, MaxTokens: 600, ChunkTokens: recomputeChunk, Ledger: ledger})
			s := d.NewSequence()
			requireRecompute(t, rng, d, s, 300+5)
			freeSequence(t, s)
		}
	})
}

// requireRecompute appends tokens to a sequence and restores sets of its chunks.
func requireRecompute(t *testing.T, rng *rand.Rand, d *transformer.Decoder, s *transformer.Sequence, tokens int) {
	t.Helper()
	ids := randomIDs(rng, tokens, d.Vocabulary())
	appendAll(t, d, s, ids[:tokens-9], 128)
	appendAll(t, d, s, ids[tokens-9:], 1)
	want, chunks := transformer.TokenBits(s), keep(s)
	for _, missing := range subsets(rng, s.Chunks()) {
		drop(t, s, missing)
		stats := restored(t, d, s, missing, chunks.read, want)
		if stats.Computed != len(missing) || stats.Read != 0 || stats.Failed != 0 {
			t.Errorf("%+v of %d chunks that were computed", stats, len(missing))
		}
		drop(t, s, missing)
		restored(t, d, s, nil, nil, want) // nothing can be read
		drop(t, s, missing)
		compute := someOf(rng, missing)
		stats = restored(t, d, s, compute, chunks.read, want)
		if stats.Computed != len(compute) || stats.Read != len(missing)-len(compute) || stats.Bytes != int64(stats.Read*len(chunks.data[0])) {
			t.Errorf("%+v where %d of %d chunks were computed", stats, len(compute), len(missing))
		}
	}
}

// What prompts take is known to who plans a recompute.
func TestDecoderMeasuresPrompts(t *testing.T) {
	d := openDecoder(t, importFolder(t, decoders()["Llama"].folder(t)), transformer.DecoderOptions{MaxTokens: 400})
	s := d.NewSequence()
	defer freeSequence(t, s)
	ids := randomIDs(rand.New(rand.NewPCG(1, 0)), 300, d.Vocabulary())
	appendAll(t, d, s, ids[:20], 1) // steps of an answer
	appendAll(t, d, s, ids[20:120], 100)
	if got := d.Meter().Profile(); got != kv.UsualProfile {
		t.Errorf("%+v after steps, and logits of all tokens", got)
	}
	if err := d.Append(t.Context(), s, ids[120:], nil); err != nil {
		t.Fatal(err)
	}
	if got := d.Meter().Profile(); got == kv.UsualProfile || got.Byte != kv.UsualProfile.Byte {
		t.Errorf("%+v after a prompt", got)
	}
}

// A conversation whose tokens alone are known goes on as if it had never been away.
func TestK2_ResumedSequenceGoesOn(t *testing.T) {
	eachDecoder(t, 202, func(t *testing.T, rng *rand.Rand, folder string) {
		d := openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2, MaxTokens: 400, ChunkTokens: recomputeChunk})
		ids := randomIDs(rng, 200, d.Vocabulary())
		s, other := d.NewSequence(), d.NewSequence()
		defer freeSequence(t, s)
		defer freeSequence(t, other)
		appendAll(t, d, s, ids[:170], 170)
		chunks := keep(s)
		want := appendAll(t, d, s, ids[170:], 7)
		if err := other.Resume(ids[:170]); err != nil {
			t.Fatal(err)
		}
		if err := d.Append(t.Context(), other, ids[170:], nil); err == nil || other.Len() != 170 {
			t.Error("tokens are appended to chunks that are missing")
		}
		if err := d.Verify(t.Context(), other, kv.Tree{Tokens: []int32{1}, Parents: []int32{-1}}, make([]float32, d.Vocabulary())); err == nil {
			t.Error("a tree stands on chunks that are missing")
		}
		if _, err := d.Restore(t.Context(), other, []int{0, 3, 10}, chunks.read); err != nil {
			t.Fatal(err)
		}
		if got := appendAll(t, d, other, ids[170:], 11); !slices.Equal(got, want) {
			t.Error("other logits")
		}
	})
}

// A chunk that cannot be read, in whatever group of layers, is computed.
func TestRestoreComputesWhatCannotBeRead(t *testing.T) {
	eachDecoder(t, 203, func(t *testing.T, rng *rand.Rand, folder string) {
		d := openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2, MaxTokens: 400, ChunkTokens: recomputeChunk})
		s := d.NewSequence()
		defer freeSequence(t, s)
		appendAll(t, d, s, randomIDs(rng, 250, d.Vocabulary()), 250)
		want, chunks, all := transformer.TokenBits(s), keep(s), subsets(rng, s.Chunks())[0]
		for _, compute := range [][]int{nil, {4, 9}, {0}} {
			for group := 1; group < kv.Groups; group++ {
				chunks.fails = map[[2]int]bool{{2, group}: true, {7, kv.Groups - 1}: true}
				drop(t, s, all)
				stats := restored(t, d, s, compute, chunks.read, want)
				if stats.Failed != 2 || stats.Computed != len(compute)+2 || stats.Read != len(all)-stats.Computed {
					t.Errorf("%+v of %d chunks", stats, len(all))
				}
			}
		}
	})
}

// After an error those chunks are missing that were, and no memory is held for them.
func TestRestoreThatEndsEarly(t *testing.T) {
	const seed = 204
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	ledger := &memory.Ledger{}
	d := openDecoder(t, importFolder(t, decoders()["Llama"].folder(t)), transformer.DecoderOptions{MaxTokens: 400, ChunkTokens: recomputeChunk, Ledger: ledger})
	s, other := d.NewSequence(), openDecoder(t, importFolder(t, decoders()["Qwen2"].folder(t)), transformer.DecoderOptions{}).NewSequence()
	defer freeSequence(t, s)
	appendAll(t, d, s, randomIDs(rng, 100, d.Vocabulary()), 100)
	chunks := keep(s)
	if _, err := d.Restore(t.Context(), other, nil, chunks.read); err == nil {
		t.Error("the sequence of another decoder is restored")
	}
	drop(t, s, []int{1, 2, 4})
	if _, err := d.Restore(t.Context(), s, []int{3}, chunks.read); err == nil {
		t.Error("a chunk that is there is computed")
	}
	held := ledger.Total()
	for _, compute := range [][]int{nil, {1}, {1, 2, 4}} {
		ctx, cancel := context.WithCancel(t.Context())
		stop := func(ctx context.Context, chunk, group int, dst []byte) error {
			cancel()
			return chunks.read(ctx, chunk, group, dst)
		}
		if len(compute) == 3 {
			cancel()
		}
		_, err := d.Restore(ctx, s, compute, stop)
		if cancel(); !errors.Is(err, context.Canceled) {
			t.Errorf("%v computed: %v", compute, err)
		}
		if got := s.MissingChunks(); !slices.Equal(got, []int{1, 2, 4}) || ledger.Total() != held {
			t.Errorf("%v computed: %v are missing, %d bytes held, %d before", compute, got, ledger.Total(), held)
		}
	}
}
