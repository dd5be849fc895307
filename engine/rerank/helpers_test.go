package rerank_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"dowse/engine/rerank"
)

// trials is how many random runs each property sees.
const trials = 400

// random is a source with a fixed seed, named in the log of a failing test.
func random(t testing.TB) *rand.Rand {
	t.Helper()
	const seed = 20261121
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 5))
}

// script is a Forward with margins written down beforehand. It checks that it
// is driven as Forward demands, and may take time on a clock of its own.
type script struct {
	t       testing.TB
	margins [][]float32 // [layer][candidate]
	active  [][]int     // of each Advance

	clock time.Time
	each  time.Duration         // for one candidate in one layer
	after func(layer int) error // may fail, after the layer
}

func (s *script) Layers() int { return len(s.margins) }

func (s *script) Advance(_ context.Context, layer int, active []int) error {
	if layer != len(s.active) {
		s.t.Errorf("layer %d follows %d layers", layer, len(s.active))
	}
	if !slices.IsSorted(active) || len(active) == 0 {
		s.t.Errorf("layer %d: active %v", layer, active)
	}
	if layer > 0 && !subset(active, s.active[layer-1]) {
		s.t.Errorf("layer %d: %v after %v", layer, active, s.active[layer-1])
	}
	s.active = append(s.active, slices.Clone(active))
	s.clock = s.clock.Add(time.Duration(len(active)) * s.each)
	if s.after != nil {
		return s.after(layer)
	}
	return nil
}

func (s *script) Scores(layer int, active []int, dst []float32) {
	if layer != len(s.active)-1 || !slices.Equal(active, s.active[layer]) {
		s.t.Errorf("scores of layer %d for %v after %v", layer, active, s.active)
	}
	for i, id := range active {
		dst[i] = s.margins[layer][id]
	}
}

// now is the clock of the script.
func (s *script) now() time.Time { return s.clock }

// n is the number of candidates.
func (s *script) n() int { return len(s.margins[0]) }

// final is the margins of the last layer.
func (s *script) final() []float32 { return s.margins[len(s.margins)-1] }

// run runs the script.
func (s *script) run(opts rerank.Options) rerank.Result {
	s.t.Helper()
	s.active = nil
	opts.Now = s.now
	result, err := rerank.Run(context.Background(), s, s.n(), opts)
	if err != nil {
		s.t.Fatalf("%+v: %v", opts, err)
	}
	return result
}

// trace is the script as a trace.
func (s *script) trace() rerank.Trace {
	return rerank.Trace{Candidates: s.n(), Layers: s.Layers(), Margins: slices.Concat(s.margins...)}
}

// scripted returns a script of these margins by layer.
func scripted(t testing.TB, margins ...[]float32) *script {
	return &script{t: t, margins: margins, clock: time.Unix(1000, 0)}
}

// randomScript draws margins that approach their final ones layer by layer, as
// those of a model do. Coarse ones are often equal.
func randomScript(t testing.TB, r *rand.Rand, n, layers int, coarse bool) *script {
	s := scripted(t)
	truth := make([]float64, n)
	for i := range truth {
		truth[i] = 2*r.NormFloat64() + 3*float64(r.IntN(3)) - 4
	}
	for l := range layers {
		settled := float64(l+1) / float64(layers)
		row := make([]float32, n)
		for i := range row {
			m := settled*truth[i] + (1-settled)*r.NormFloat64()
			if coarse {
				m = math.Round(2*m) / 2
			}
			row[i] = float32(m)
		}
		s.margins = append(s.margins, row)
	}
	return s
}

// randomOptions draws options of every kind.
func randomOptions(r *rand.Rand, layers int) rerank.Options {
	opts := rerank.Options{
		K:        1 + r.IntN(12),
		Mode:     rerank.Mode(r.IntN(2)),
		Tau:      math.Exp(6*r.Float64() - 4),
		Domain:   rerank.Domain(r.IntN(2)),
		Clusters: []int{0, 0, 2, 3, 5}[r.IntN(5)],
		Literal:  r.IntN(3) == 0,
		Guards: rerank.Guards{
			MinLayers: r.IntN(layers),
			MinGap:    float64(r.IntN(3)) / 2,
			Patience:  r.IntN(3),
			MinActive: r.IntN(6),
		},
	}
	if r.IntN(8) == 0 {
		opts.Tau = math.Inf(1)
	}
	return opts
}

// eachTrial runs a property over random scripts and options.
func eachTrial(t *testing.T, property func(r *rand.Rand, s *script, opts rerank.Options)) {
	t.Helper()
	r := random(t)
	for trial := range trials {
		layers := 1 + r.IntN(14)
		s := randomScript(t, r, 1+r.IntN(40), layers, r.IntN(2) == 0)
		opts := randomOptions(r, layers)
		property(r, s, opts)
		if t.Failed() {
			t.Fatalf("trial %d: n %d, layers %d, %+v", trial, s.n(), layers, opts)
		}
	}
}

// subset reports whether all of a, ascending, are in b, ascending.
func subset(a, b []int) bool {
	return !slices.ContainsFunc(a, func(x int) bool {
		_, found := slices.BinarySearch(b, x)
		return !found
	})
}

// ids are the numbers of candidates, in their order.
func ids(candidates []rerank.Candidate) []int {
	out := make([]int, len(candidates))
	for i, c := range candidates {
		out[i] = c.ID
	}
	return out
}

// best ranks candidates by margin, then number: what a full pass answers.
func best(margins []float32, k int) []int {
	order := make([]int, len(margins))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(margins[b], margins[a]) })
	return order[:min(k, len(order))]
}

// repeated is a row of n margins that differ by little.
func repeated(margin float32, n int) []float32 {
	row := make([]float32, n)
	for i := range row {
		row[i] = margin + float32(i)/1024
	}
	return row
}
