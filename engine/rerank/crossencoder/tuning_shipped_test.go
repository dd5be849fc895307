package crossencoder

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"dowse/engine/rerank"
	"dowse/models"
)

// shippedFor are thresholds for the best 7 of 20, beginning late.
func shippedFor(model string, agreement float64) *models.Pruning {
	return &models.Pruning{Model: model, Prior: 20, Thresholds: []models.Threshold{
		{Candidates: 20, K: 7, Sure: 3, MinLayers: 6, Tau: 0.25, Traces: 200, Agreement: agreement, Cost: 0.8},
	}}
}

// TestShippedPrunesAtOnce: what comes with a model is used from the first search
// on, for what it was measured on alone.
func TestShippedPrunesAtOnce(t *testing.T) {
	const n, k = 20, 7
	tuning := testTuning(t.TempDir())
	tuning.Ship(shippedFor("model", 0.999), 20)
	opts := tuning.Options(n, k)
	if opts.Tau != 0.25 || opts.Sure != 3 || opts.Guards.MinLayers != 6 || opts.K != k {
		t.Fatalf("the first search has the options %+v", opts)
	}
	result, err := rerank.Run(t.Context(), pass(rand.New(rand.NewPCG(5, 0)), n), n, opts)
	if err != nil || result.Cost() >= 1 {
		t.Errorf("the first search costs %v, %v", result.Cost(), err)
	}
	if opts := tuning.Options(n, 6); opts.Sure != 3 || opts.K != 6 {
		t.Errorf("the best 6 of 20: %+v", opts)
	}
	for name, p := range map[string]*models.Pruning{
		"other weights":     shippedFor("another", 0.999),
		"too low for those": shippedFor("model", 0.98),
		"nothing":           nil,
	} {
		other := testTuning(t.TempDir())
		other.Ship(p, 20)
		if opts := other.Options(n, k); !math.IsInf(opts.Tau, 1) {
			t.Errorf("%s: %+v", name, opts)
		}
	}
	other := testTuning(t.TempDir())
	if other.Ship(shippedFor("model", 0.999), 10); !math.IsInf(other.Options(n, k).Tau, 1) {
		t.Error("used with another prior than it was measured with")
	}
	if opts := tuning.Options(60, k); !math.IsInf(opts.Tau, 1) {
		t.Errorf("another number of candidates: %+v", opts)
	}
}

// TestOwnTracesRefine: fifty traces that allow more than what came with the model
// replace it, also in other processes; a file from before it measured this way does
// not.
func TestOwnTracesRefine(t *testing.T) {
	const seed, n, k = 8, 20, 7
	t.Logf("seed %d", seed)
	random, folder := rand.New(rand.NewPCG(seed, 0)), t.TempDir()
	tuning := testTuning(folder)
	tuning.Ship(shippedFor("model", 0.999), 20)
	for range rerank.MinTraces - 1 {
		tuning.record(t, pass(random, n), k)
	}
	if opts := tuning.Options(n, k); opts.Guards.MinLayers != 6 {
		t.Fatalf("replaced after %d traces: %+v", rerank.MinTraces-1, opts)
	}
	tuning.record(t, pass(random, n), k)
	opts := tuning.Options(n, k)
	if opts.Guards.MinLayers >= 6 || math.IsInf(opts.Tau, 1) {
		t.Fatalf("not replaced after %d traces: %+v", rerank.MinTraces, opts)
	}
	again := testTuning(folder)
	again.Ship(shippedFor("model", 0.999), 20)
	if other := again.Options(n, k); other.Tau != opts.Tau || other.Sure != opts.Sure || other.Guards != opts.Guards {
		t.Errorf("another process prunes with %+v, this one with %+v", other, opts)
	}
	old := testTuning(t.TempDir())
	old.Ship(shippedFor("model", 0.999), 20)
	if err := os.WriteFile(old.path(old.Key(n, k), "json"), []byte(`{"traces": 90, "tau": 0.5, "min_layers": 4, "agreement": 0.99, "cost": 0.9}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if opts := old.Options(n, k); opts.Guards.MinLayers != 6 {
		t.Errorf("a choice by another measure is used: %+v", opts)
	}
}

// TestOwnTracesContradict: where what came with the model misses the target on a
// person's own queries, it is given up, and where these allow no cheaper one, kept.
func TestOwnTracesContradict(t *testing.T) {
	const seed, n, k = 9, 20, 7
	t.Logf("seed %d", seed)
	for _, c := range []struct {
		name   string
		late   bool // own traces allow to prune after the last layer that can, and no sooner
		prunes bool
	}{{"contradicted", false, false}, {"kept", true, true}} {
		random := rand.New(rand.NewPCG(seed, 0))
		tuning := testTuning(t.TempDir())
		shipped := shippedFor("model", 0.999)
		if c.late {
			shipped.Thresholds[0].MinLayers = 7
		}
		tuning.Ship(shipped, 20)
		for range rerank.MinTraces {
			trace := traced(t, pass(random, n))
			last := 6 // the layers before the last one lie
			if !c.late {
				last = 7
			}
			for i := range trace.Margins[:last*n] {
				trace.Margins[i] = -trace.Margins[i]
			}
			if err := tuning.keep(t.Context(), trace, k); err != nil {
				t.Fatal(err)
			}
		}
		got := tuning.of(tuning.Key(n, k))
		if got == tuning.shipped[tuning.Key(n, k)] || got.Traces != rerank.MinTraces || got.prunes() != c.prunes {
			t.Errorf("%s: %+v", c.name, got)
		}
		if opts := tuning.Options(n, k); math.IsInf(opts.Tau, 1) == c.prunes {
			t.Errorf("%s: %+v", c.name, opts)
		}
	}
}

// TestChoosingCanBeStopped: the trace that was to be chosen by stays, and the next
// one chooses.
func TestChoosingCanBeStopped(t *testing.T) {
	const seed, n, k = 10, 20, 7
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	tuning := testTuning(t.TempDir())
	for range rerank.MinTraces - 1 {
		tuning.record(t, pass(random, n), k)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tuning.keep(ctx, traced(t, pass(random, n)), k); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if opts := tuning.Options(n, k); !math.IsInf(opts.Tau, 1) {
		t.Fatalf("chosen though it was stopped: %+v", opts)
	}
	tuning.record(t, pass(random, n), k)
	tuning.record(t, pass(random, n), k)
	if opts := tuning.Options(n, k); math.IsInf(opts.Tau, 1) {
		t.Error("what was stopped was never done")
	}
}
