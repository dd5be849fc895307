package crossencoder

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"dowse/engine/rerank"
)

// easy is a pass in which the best candidates stand out from the first layer.
type easy struct{ scores []float32 }

func (e easy) Layers() int { return 8 }

func (e easy) Advance(ctx context.Context, _ int, _ []int) error { return ctx.Err() }

func (e easy) Scores(_ int, active []int, dst []float32) {
	for i, c := range active {
		dst[i] = e.scores[c]
	}
}

// pass makes an easy pass of n candidates, a third of them good.
func pass(random *rand.Rand, n int) easy {
	e := easy{make([]float32, n)}
	for i := range e.scores {
		e.scores[i] = float32(random.NormFloat64() * 0.3)
		if i%3 == 0 {
			e.scores[i] += 6
		} else {
			e.scores[i] -= 4
		}
	}
	return e
}

// record runs a full pass and keeps its trace.
func (t *Tuning) record(tt *testing.T, f easy, k int) {
	tt.Helper()
	if err := t.keep(tt.Context(), traced(tt, f), k); err != nil {
		tt.Fatal(err)
	}
}

// traced is the trace of a full pass.
func traced(t *testing.T, f easy) rerank.Trace {
	t.Helper()
	recorder := rerank.NewRecorder(f, len(f.scores))
	if _, err := rerank.Run(t.Context(), recorder, len(f.scores), rerank.Exact(1+len(f.scores)/2)); err != nil {
		t.Fatal(err)
	}
	trace, err := recorder.Trace()
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func testTuning(folder string) *Tuning {
	base := rerank.Exact(1)
	base.Mode, base.Guards = rerank.Order, rerank.Guards{MinLayers: 4, MinGap: 0.5, MinActive: 4}
	return NewTuning(folder, "model", base, rerank.DefaultTarget)
}

// TestTuningLearns is T-G11 for what lies on the disk: nothing is pruned until
// there are fifty traces, then what they allow is, also by other processes.
func TestTuningLearns(t *testing.T) {
	const seed, n, k = 5, 20, 7
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	folder := filepath.Join(t.TempDir(), "rerank")
	tuning := testTuning(folder)
	for range rerank.MinTraces - 1 {
		tuning.record(t, pass(random, n), k)
	}
	if opts := tuning.Options(n, k); !math.IsInf(opts.Tau, 1) {
		t.Fatalf("with %d traces tau is %v", rerank.MinTraces-1, opts.Tau)
	}
	tuning.record(t, pass(random, n), k)
	opts := tuning.Options(n, k)
	if math.IsInf(opts.Tau, 1) || opts.K != k || opts.Mode != rerank.Order {
		t.Fatalf("with %d traces the options are %+v", rerank.MinTraces, opts)
	}
	result, err := rerank.Run(t.Context(), pass(random, n), n, opts)
	if err != nil || result.Cost() >= 1 {
		t.Errorf("cost %v, %v", result.Cost(), err)
	}
	if other := testTuning(folder).Options(n, k); other.Tau != opts.Tau || other.Guards != opts.Guards {
		t.Errorf("another process prunes with %+v", other)
	}
	if other := testTuning(folder).Options(60, k); !math.IsInf(other.Tau, 1) {
		t.Errorf("another number of candidates is pruned with %+v", other)
	}
}

// TestTuningForgets keeps the newest traces, and does without damaged files.
func TestTuningForgets(t *testing.T) {
	const seed, n, k = 6, 9, 3
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	folder := t.TempDir()
	tuning := testTuning(folder)
	for range rerank.MaxTraces + 5 {
		tuning.record(t, pass(random, n), k)
	}
	key := rerank.KeyOf("model", rerank.Prob, n, k)
	traces, err := tuning.Traces(key)
	if err != nil || len(traces) != rerank.MaxTraces {
		t.Fatalf("%d traces, %v", len(traces), err)
	}
	data := encodeTraces(traces)
	data[100] ^= 1 // in the first trace
	if got := decodeTraces(data[:len(data)-3]); len(got) < rerank.MaxTraces-2 || len(got) >= rerank.MaxTraces {
		t.Errorf("%d traces of a damaged file", len(got))
	}
	for _, text := range []string{"", "{", `{"sure": 3, "tau": -1, "cost": 0.5}`, `{"tau": 0.1, "cost": 0.5}`, `{"sure": 3, "tau": 0.1}`} {
		if err := os.WriteFile(tuning.path(key, "json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if opts := testTuning(folder).Options(n, k); !math.IsInf(opts.Tau, 1) {
			t.Errorf("%q prunes with %v", text, opts.Tau)
		}
	}
}

// TestTuningSurvivesAnError: one sample that cannot be kept does not end them.
func TestTuningSurvivesAnError(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "rerank")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tuning := testTuning(folder) // cannot be made
	f := pass(rand.New(rand.NewPCG(1, 1)), 9)
	if err := tuning.keep(t.Context(), traced(t, f), 3); err == nil {
		t.Fatal("a sample was kept in a file")
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	tuning.record(t, f, 3)
	if traces, err := tuning.Traces(tuning.Key(9, 3)); err != nil || len(traces) != 1 {
		t.Errorf("%d traces, %v", len(traces), err)
	}
}

// TestTracesOfTwoProcesses: none is lost when both write, and a damaged one
// takes no other with it.
func TestTracesOfTwoProcesses(t *testing.T) {
	const n, k, each = 9, 3, 20
	folder := t.TempDir()
	var both sync.WaitGroup
	for seed := range 2 {
		both.Go(func() {
			random, tuning := rand.New(rand.NewPCG(uint64(seed), 0)), testTuning(folder)
			for range each {
				tuning.record(t, pass(random, n), k)
			}
		})
	}
	both.Wait()
	tuning := testTuning(folder)
	key := rerank.KeyOf("model", rerank.Prob, n, k)
	traces, err := tuning.Traces(key)
	if err != nil || len(traces) != 2*each {
		t.Fatalf("%d traces of %d, %v", len(traces), 2*each, err)
	}
	data := encodeTraces(traces)
	for _, at := range []int{0, 9, 10, 13, 40} { // mark, length, checksum, contents
		damaged := slices.Clone(data)
		damaged[at] ^= 0x40
		if got := decodeTraces(damaged); len(got) != 2*each-1 {
			t.Errorf("byte %d: %d traces of %d", at, len(got), 2*each)
		}
	}
}
