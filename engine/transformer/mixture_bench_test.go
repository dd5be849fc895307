package transformer_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

var (
	mixtureFolder = flag.String("mixture", "", "folder for a seeded pack of the shape of Qwen3-30B-A3B, which is written if it is not there")
	mixtureLayers = flag.Int("mixture.layers", 48, "its layers")
	mixtureTokens = flag.Int("mixture.tokens", 32, "tokens that are decoded")
	mixtureBudget = flag.Int64("mixture.budget", 4<<30, "bytes that it may take")
)

// What a mixture costs that does not fit: bytes and seconds of a token, beside what the
// disk takes for these bytes and for those of all experts.
func TestMixtureCosts(t *testing.T) {
	if *mixtureFolder == "" {
		t.Skip("give -mixture, a folder on the disk that is to be measured")
	}
	path := seededMixture(t)
	ledger := &memory.Ledger{}
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2, Budget: *mixtureBudget, MaxTokens: 1024, Ledger: ledger})
	c, rng := d.NewSequence(), rand.New(rand.NewPCG(1, 2))
	logits := make([]float32, d.Vocabulary())
	read := func(what string, tokens int, ids func() []int32) {
		before, begin, n := d.Stats(), time.Now(), tokens
		for tokens > 0 {
			list := ids()
			if err := d.Append(t.Context(), c, list, logits); err != nil {
				t.Fatal(err)
			}
			tokens -= len(list)
		}
		took, s := time.Since(begin), d.Stats()
		e, b := s.Experts, before.Experts
		t.Logf("%s: %d tokens in %v, %.2f a second; %.1f MiB of experts and %.1f of layers a token; of %d experts %d were there, %d foreseen, %d demanded; %d of %d guessed, %d read in vain; %d layers kept, stalled %v",
			what, n, took.Round(time.Millisecond), float64(n)/took.Seconds(), mebibytes(e.BytesRead-b.BytesRead)/float64(n), mebibytes(s.Window.BytesRead-before.Window.BytesRead)/float64(n),
			e.Chosen-b.Chosen, e.Hits-b.Hits, e.Foreseen-b.Foreseen, e.Demanded-b.Demanded, e.Guessed-b.Guessed, e.Guessable-b.Guessable, e.Wasted-b.Wasted, s.Kept, (e.StallTime - b.StallTime).Round(time.Millisecond))
	}
	read("prompt", 64, func() []int32 { return randomIDs(rng, 64, 96) })
	read("decoding", *mixtureTokens, func() []int32 { return randomIDs(rng, 1, 96) })
	freeSequence(t, c)
	if ledger.Peak() > *mixtureBudget {
		t.Errorf("held %d bytes, the budget is %d", ledger.Peak(), *mixtureBudget)
	}
	t.Logf("held at most %.0f MiB", mebibytes(ledger.Peak()))
	diskRate(t, path)
}

func mebibytes(n int64) float64 { return float64(n) / (1 << 20) }

// seededMixture returns the pack, which it writes if it is not there.
func seededMixture(t *testing.T) string {
	t.Helper()
	path := filepath.Join(*mixtureFolder, "seeded-mixture.pack")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	config, begin := pack.SeededMixtures()["qwen3-30b-a3b"], time.Now()
	config.Layers = *mixtureLayers
	if err := pack.WriteSeededMixture(t.Context(), path, config, 1, nil); err != nil {
		t.Fatal(err)
	}
	t.Logf("written in %v", time.Since(begin))
	return path
}

// diskRate reports how fast the pack is read from its start to its end: what streaming all
// experts of all layers for each token is bound by.
func diskRate(t *testing.T, path string) {
	t.Helper()
	f, err := directio.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	size, err := f.Size()
	if err != nil {
		t.Fatal(err)
	}
	buffer, begin, read := directio.AlignedBytes(8<<20), time.Now(), int64(0)
	for ; read+int64(len(buffer)) <= min(size, 4<<30); read += int64(len(buffer)) {
		if err := f.ReadAt(buffer, read); err != nil {
			t.Fatal(err)
		}
	}
	rate := float64(read) / time.Since(begin).Seconds()
	t.Logf("one read after the other: %.0f MiB/s; all %.0f MiB of the pack would take %.1f s a token", rate/(1<<20), mebibytes(size), float64(size)/rate)
}
