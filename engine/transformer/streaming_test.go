package transformer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// peaks of a ledger by pool.
func peaks(l *memory.Ledger) map[string]int64 {
	peak := map[string]int64{}
	for _, p := range l.Snapshot() {
		peak[p.Name] = p.Peak
	}
	return peak
}

// pages rounds up to pages of memory.
func pages(n int) int64 {
	page := os.Getpagesize()
	return int64((n + page - 1) / page * page)
}

func TestG3_WindowAndHiddenStatesStayWithinTheirBounds(t *testing.T) {
	const seed = 41
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rerankerPack(t, modeltest.Reranker{Layers: 7, Hidden: 96, Heads: 4, Intermediate: 300, Seed: 9})
	config := configOf(t, path)
	pairs := randomPairs(rng, 40, config)
	for _, rows := range []int{1, 60, 150} {
		ledger := &memory.Ledger{}
		c := openPlanned(t, path, 2, transformer.Plan{Streamed: true, Offload: true, ChunkRows: rows, TokenRows: 5}, ledger)
		trace(t, c, pairs)
		peak := peaks(ledger)
		if limit := 2 * pages(config.LayerBuffer()); peak[weights.WindowPool] != limit {
			t.Errorf("window: %d bytes, want %d", peak[weights.WindowPool], limit)
		}
		chunk := pages(4 * max(rows, config.MaxTokens) * config.Hidden)
		if peak[weights.HiddenPool] > 3*chunk {
			t.Errorf("hidden states: %d bytes in chunks of %d", peak[weights.HiddenPool], chunk)
		}
	}
}

func TestG4_EmbeddingRowsStayWithinTheirBounds(t *testing.T) {
	const seed = 42
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rerankerPack(t, modeltest.Reranker{Vocabulary: 2000, Layers: 1, Hidden: 64})
	config := configOf(t, path)
	for _, rows := range []int{1, 13, 200, 1999} {
		ledger := &memory.Ledger{}
		c := openPlanned(t, path, 2, transformer.Plan{Streamed: true, ChunkRows: 100, TokenRows: rows}, ledger)
		for _, n := range []int{1, 60, 3, 200} {
			pairs := randomPairs(rng, n, config)
			words := map[int32]bool{}
			for _, p := range pairs {
				for _, id := range p.IDs {
					words[id] = true
				}
			}
			pass, err := c.Begin(t.Context(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			s := pass.Stats().Rows
			if err := pass.Close(); err != nil {
				t.Fatal(err)
			}
			if s.Hits+s.Misses+s.Surplus != len(words) || s.Hits+s.Misses > rows || s.Misses+s.Surplus > 0 && s.BytesRead == 0 {
				t.Errorf("%d rows for %d words: %+v", rows, len(words), s)
			}
			if c.CachedRows() > rows {
				t.Errorf("%d rows are kept, %d may be", c.CachedRows(), rows)
			}
		}
		// Beside the rows: scale and three links each, one number for each word.
		if limit := pages((rows+1)*(config.Hidden+16) + 4*config.Vocabulary); peaks(ledger)[weights.RowsPool] > limit {
			t.Errorf("%d bytes for %d rows", peaks(ledger)[weights.RowsPool], rows)
		}
	}
}

func TestG4_WordsOfTheLastRequestAreFound(t *testing.T) {
	c := openPlanned(t, rerankerPack(t, modeltest.Reranker{Vocabulary: 500, Layers: 1}), 1, transformer.Plan{Streamed: true, ChunkRows: 9, TokenRows: 4}, nil)
	for i, step := range []struct {
		ids  []int32
		want weights.RowStats
	}{
		{[]int32{5, 400, 5, 7}, weights.RowStats{Misses: 3}},
		{[]int32{7, 400, 400}, weights.RowStats{Hits: 2}},
		{[]int32{1, 2}, weights.RowStats{Misses: 2}},                                     // 5, the oldest, goes
		{[]int32{7, 5}, weights.RowStats{Hits: 1, Misses: 1}},                            // 400 goes
		{[]int32{9, 8, 8, 6, 6, 3, 7}, weights.RowStats{Hits: 1, Misses: 3, Surplus: 1}}, // 9 comes once, as 3 does
		{[]int32{3, 6, 8, 7, 9}, weights.RowStats{Hits: 4, Surplus: 1}},
	} {
		p, err := c.Begin(t.Context(), []transformer.Pair{{IDs: step.ids}})
		if err != nil {
			t.Fatal(err)
		}
		got := p.Stats().Rows
		got.BytesRead = 0
		if got != step.want {
			t.Errorf("step %d: %+v, want %+v", i, got, step.want)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What is planned for a budget is not exceeded by any pool, and what a budget
// decides does not show in the scores.
func TestBudgetIsKept(t *testing.T) {
	model := modeltest.Reranker{Layers: 6, Hidden: 128, Heads: 4, Intermediate: 512, Vocabulary: 6000, Positions: 128, Seed: 6}
	t.Run("BERT", func(t *testing.T) { requireBudgets(t, model) })
	if testing.Short() {
		return // the planner alone differs
	}
	model.ModernBERT, model.Intermediate = true, 340
	t.Run("ModernBERT", func(t *testing.T) { requireBudgets(t, model) })
}

func requireBudgets(t *testing.T, model modeltest.Reranker) {
	const seed = 43
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	path := rerankerPack(t, model)
	pairs := randomPairs(rng, 50, configOf(t, path))
	want := trace(t, openPlanned(t, path, 1, everything(), nil), pairs)
	seen := map[string]bool{}
	for budget := int64(1 << 20); budget < 16<<20; budget += budget / 5 {
		ledger := &memory.Ledger{}
		c, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), transformer.CrossEncoderOptions{
			Limits: transformer.Limits{Budget: budget, Threads: 2}, Ledger: ledger, Spill: t.TempDir(),
		})
		if errors.Is(err, transformer.ErrBudget) {
			seen["too small"] = true
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Begin(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		plan := p.Stats().Plan
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		requireEqual(t, "in a budget", trace(t, c, pairs), want)
		requirePeaks(t, ledger, plan, budget)
		seen[map[bool]string{true: "streamed", false: "resident"}[plan.Streamed]] = true
		seen[map[bool]string{true: "offload", false: "in memory"}[plan.Offload]] = true
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if left := ledger.Total(); left != 0 {
			t.Errorf("%d bytes are still held: %v", left, ledger.Snapshot())
		}
	}
	for _, way := range []string{"too small", "streamed", "resident", "offload", "in memory"} {
		if !seen[way] {
			t.Errorf("no budget led to %q", way)
		}
	}
}

// requirePeaks compares what was held with what was planned.
func requirePeaks(t *testing.T, ledger *memory.Ledger, plan transformer.Plan, budget int64) {
	t.Helper()
	peak := peaks(ledger)
	acts := peak[kernel.ScratchPool] + peak[weights.HiddenPool]
	total := acts
	for _, pool := range []struct {
		name    string
		planned int64
	}{
		{weights.ResidentPool, plan.Peak.Weights}, {weights.WindowPool, plan.Peak.Window},
		{weights.RowsPool, plan.Peak.Rows},
	} {
		total += peak[pool.name]
		if peak[pool.name] > pool.planned+int64(os.Getpagesize()) {
			t.Errorf("budget %d: %s held %d bytes, planned %d", budget, pool.name, peak[pool.name], pool.planned)
		}
	}
	if acts > plan.Peak.Activations || 4*acts < plan.Peak.Activations {
		t.Errorf("budget %d: activations held %d bytes (%d of hidden states), planned %d: %+v", budget, acts, peak[weights.HiddenPool], plan.Peak.Activations, plan)
	}
	if total > budget {
		t.Errorf("budget %d: held %d bytes", budget, total)
	}
}

func TestDamageDuringAPassIsAnError(t *testing.T) {
	model := modeltest.Reranker{Layers: 8, Vocabulary: 3000}
	path := rerankerPack(t, model)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plan := transformer.Plan{Streamed: true, ChunkRows: 50, TokenRows: 3}
	for name, c := range map[string]struct {
		damage func(f *os.File) error
		want   error
	}{
		"cut short": {func(f *os.File) error { return f.Truncate(int64(len(whole)) / 4096 / 2 * 4096) }, pack.ErrTruncated},
		"overwritten": {func(f *os.File) error {
			_, err := f.WriteAt(make([]byte, 40000), int64(len(whole)-60000))
			return err
		}, pack.ErrCorrupt},
	} {
		broken := path + "." + name
		if err := os.WriteFile(broken, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		encoder := openPlanned(t, broken, 2, plan, nil)
		p, err := encoder.Begin(t.Context(), []transformer.Pair{{IDs: []int32{1, 2, 3}}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(broken, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(c.damage(f), f.Close()); err != nil {
			t.Fatal(err)
		}
		for l := 0; l < p.Layers() && err == nil; l++ {
			err = p.Advance(t.Context(), l, []int{0})
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A pack that is removed or replaced while it is in use stays what it was.
func TestRemovedPackIsStillRead(t *testing.T) {
	path := rerankerPack(t, rerankers["BERT"])
	c := openPlanned(t, path, 1, transformer.Plan{Streamed: true, ChunkRows: 50, TokenRows: 3}, nil)
	pairs := []transformer.Pair{{IDs: []int32{4, 5, 6}}, {IDs: []int32{7}}}
	want := trace(t, c, pairs)
	if err := os.Remove(path); err != nil {
		t.Skipf("an open file cannot be removed here: %v", err)
	}
	requireEqual(t, "after the file was removed", trace(t, c, pairs), want)
}

func TestCancelledPass(t *testing.T) {
	for _, plan := range []transformer.Plan{everything(), {Streamed: true, Offload: true, ChunkRows: 10, TokenRows: 3}} {
		path := rerankerPack(t, rerankers["BERT"])
		pairs := randomPairs(rand.New(rand.NewPCG(1, 0)), 30, configOf(t, path))
		c := openPlanned(t, path, 2, plan, nil)
		ctx, cancel := context.WithCancel(t.Context())
		p, err := c.Begin(ctx, pairs)
		if err != nil {
			t.Fatal(err)
		}
		waiting, stop := context.WithTimeout(t.Context(), 5*time.Millisecond)
		if _, err := c.Begin(waiting, pairs); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second pass at the same time: %v", err)
		}
		stop()
		cancel()
		if err := p.Advance(ctx, 0, []int{0, 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("after cancel: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Begin(ctx, pairs); !errors.Is(err, context.Canceled) {
			t.Errorf("begin after cancel: %v", err)
		}
		if scores, err := c.Score(t.Context(), pairs); err != nil || slices.Contains(scores, 0) {
			t.Errorf("after a cancelled pass: %v, %v", scores, err)
		}
	}
}

func TestStreamingIsCounted(t *testing.T) {
	path := rerankerPack(t, rerankers["BERT"])
	config := configOf(t, path)
	c := openPlanned(t, path, 2, transformer.Plan{Streamed: true, Offload: true, ChunkRows: 60, TokenRows: 3}, nil)
	pairs := randomPairs(rand.New(rand.NewPCG(1, 0)), 30, config)
	p, err := c.Begin(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	all := upTo(len(pairs))
	for l := range 2 {
		if err := p.Advance(t.Context(), l, all); err != nil {
			t.Fatal(err)
		}
	}
	s := p.Stats()
	if s.Window.LayersRead != 2 || s.Window.BytesRead != int64(2*config.LayerBuffer()) || s.Window.Stalls > 2 {
		t.Errorf("%+v", s.Window)
	}
	if s.OffloadRead == 0 || s.OffloadWritten != s.OffloadRead/2*3 {
		t.Errorf("%d bytes of states were read, %d written", s.OffloadRead, s.OffloadWritten)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}
