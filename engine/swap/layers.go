package swap

import (
	"context"
	"time"

	"dowse/engine/weights"
	"dowse/models/pack"
)

// Bound are the layers L of a decoder over a row pack, as they stay in memory: without
// weights.
type Bound[L any] struct {
	Layers []L
	// Whole returns a layer with all its weights.
	Whole func(layer L, d DenseLayer) (L, error)
	// Sparse returns a layer whose projections take the rows of active channels.
	Sparse func(layer L, rows *Lender) L
}

// Lender lends the rows of active input channels of a layer to a pass of one token.
type Lender struct {
	// Take finds the rows of channels of a bundle of a layer, which stay where they are until
	// the layer is released.
	Take func(layer int, b pack.Bundle, channels []int32, rows []*int8) error
	// Hint tells which channels were active, by which the next rows are read ahead.
	Hint func(layer int, b pack.Bundle, channels []int32)
}

// LayersOptions configure NewLayers.
type LayersOptions struct {
	Options
	Sparsity *Sparsity // nil where nothing is left out
	Passes   Passes    // of one token; no bit depends on them
}

// Layers lends the layers L of a row pack to the passes of a decoder: the Source of a
// prompt (Prompt), of a token (Token), and of other passes (Whole). One is under way at a
// time.
type Layers[L any] struct {
	Cold bool             // decodes behind a prompt without rows that the prompt left in memory
	Now  func() time.Time // times passes of one token

	swapper *Swapper
	bound   Bound[L]
	sparse  []L             // of passes by active rows
	rows    Lender          // of these
	release func(layer int) // takes back the layer that is lent, or nil
	lent    int
	decoded bool // a token was decoded since the last prompt
	passes  chooser
	warming
}

// NewLayers returns Layers of the rows that r reads.
func NewLayers[L any](r Records, bound Bound[L], o LayersOptions) (*Layers[L], error) {
	swapper, err := New(r, o.Options)
	if err != nil {
		return nil, err
	}
	s := &Layers[L]{Now: time.Now, swapper: swapper, bound: bound, rows: Lender{Hint: swapper.Hint}}
	for _, layer := range bound.Layers {
		s.sparse = append(s.sparse, bound.Sparse(layer, &s.rows))
	}
	layout, level := r.Layout(), 0.0
	if o.Sparsity != nil {
		level = o.Sparsity.Level
		s.active, s.took = newActiveCounts(o.Sparsity.Thresholds, layout), make([]time.Duration, layout.Layers)
	}
	token, _ := Predict(layout, o.Disk, o.Budget, level)
	s.passes.forced = o.Passes
	s.passes.begin(token.Token, PredictWhole(layout, o.Disk, o.Budget))
	return s, nil
}

// Begin notes that a prompt follows, with which counts of active channels begin anew
// (ActiveFlow 4.5).
func (s *Layers[L]) Begin() {
	if !s.decoded {
		return
	}
	s.swapper.BeginSequence()
	if s.active != nil {
		s.active.reset()
	}
	s.decoded = false
}

// Whole is the Source of layers with all their weights, which come group by group.
func (s *Layers[L]) Whole() weights.Source[L] { return wholeLayers[L]{s} }

// Prompt is Whole for a prompt, whose layers leave the rows in memory that were active
// most often, as Observer counted them.
func (s *Layers[L]) Prompt() weights.Source[L] {
	return &promptLayers[L]{wholeLayers: wholeLayers[L]{s}}
}

// Observer is to be told the inputs of a prompt; nil where nothing is left out.
func (s *Layers[L]) Observer() Observer {
	if s.active == nil {
		return nil
	}
	return s.active
}

// Token is the Source of a pass that leaves small inputs out of a single token: layers by
// active rows or, where that takes less time, whole ones. done is due after the pass.
func (s *Layers[L]) Token() (source weights.Source[L], done func()) {
	s.decoded = true
	dense, begin := s.passes.dense, s.Now()
	done = func() { s.passes.took(dense, s.Now().Sub(begin).Seconds()) }
	if dense {
		return s.Whole(), done
	}
	return sparseLayers[L]{s}, done
}

// Tree is the Source of a pass over several nodes, whose active channels together may be
// nearly all, or of one that leaves nothing out.
func (s *Layers[L]) Tree() weights.Source[L] {
	s.decoded = true
	return s.Whole()
}

// SetBudget is Swapper.SetBudget. It takes back the layer of a pass that was broken off.
func (s *Layers[L]) SetBudget(bytes int64) error {
	s.budget = bytes
	s.settle()
	return s.swapper.SetBudget(bytes)
}

// Stats is Swapper.Stats.
func (s *Layers[L]) Stats() Stats { return s.swapper.Stats() }

// Cached is Swapper.Cached.
func (s *Layers[L]) Cached() int64 { return s.swapper.Cached() }

// Made returns how many passes of one token there were: by active rows, and by whole layers.
func (s *Layers[L]) Made() (sparse, dense int) {
	return s.passes.passes[kind(false)], s.passes.passes[kind(true)]
}

// Close gives all memory back. Nothing may be under way.
func (s *Layers[L]) Close() error {
	if s == nil {
		return nil
	}
	s.settle()
	return s.swapper.Close()
}

// settle takes back the layer that is lent, also that of a pass that was broken off.
func (s *Layers[L]) settle() {
	if s.release != nil {
		s.release(s.lent)
		s.release = nil
	}
}

// sparseLayers is the Source of layers whose weights come channel by channel.
type sparseLayers[L any] struct{ *Layers[L] }

// Acquire implements weights.Source.
func (s sparseLayers[L]) Acquire(ctx context.Context, i int) (L, error) {
	s.settle()
	s.rows.Take = func(layer int, b pack.Bundle, channels []int32, rows []*int8) error {
		return s.swapper.Rows(ctx, layer, b, channels, rows)
	}
	s.lent, s.release = i, s.swapper.Release
	return s.sparse[i], nil
}

// Release implements weights.Source.
func (s sparseLayers[L]) Release(int) { s.settle() }

// Close does nothing: the Swapper is its owner's.
func (s sparseLayers[L]) Close() error { return nil }

// wholeLayers is the Source of layers with all their weights.
type wholeLayers[L any] struct{ *Layers[L] }

// Acquire implements weights.Source.
func (s wholeLayers[L]) Acquire(ctx context.Context, i int) (layer L, err error) {
	s.settle()
	dense, err := s.swapper.AcquireDense(ctx, i)
	if err != nil {
		return layer, err
	}
	s.lent, s.release = i, s.swapper.ReleaseDense
	return s.bound.Whole(s.bound.Layers[i], dense)
}

// Release implements weights.Source.
func (s wholeLayers[L]) Release(int) { s.settle() }

// Close does nothing: the Swapper is its owner's.
func (s wholeLayers[L]) Close() error { return nil }

// warming is what a prompt leaves to the tokens that are decoded behind it: the rows that
// were active most often are kept as its layers go (CoordGen 3.2, with active rows in the
// place of another graph).
type warming struct {
	active *activeCounts   // nil where nothing is left out
	took   []time.Duration // [layers]: what the last round of a prompt took
	budget int64           // bytes of rows
}

// copyRate is the bytes of rows that are copied in a second: half of what one core of a
// small computer reaches, since others compute meanwhile.
const copyRate = 2 << 30

// warmFrom returns the first layer whose rows are kept as a prompt goes: computing the
// round hides copying the rows of the layers from there on. A first round has not been
// timed and keeps those of all.
func (s *warming) warmFrom() int {
	layers := len(s.took)
	if layers == 0 || s.took[0] == 0 {
		return 0
	}
	load, each := make([]time.Duration, layers), float64(s.budget)/float64(layers)
	for i := range load {
		load[i] = time.Duration(each / copyRate * float64(time.Second))
	}
	return layers - switchPlan(s.took, load)
}

// promptLayers keeps rows of each layer as a prompt leaves it, and notes what it took.
type promptLayers[L any] struct {
	wholeLayers[L]
	begin time.Time // of the layer
}

// Acquire implements weights.Source.
func (s *promptLayers[L]) Acquire(ctx context.Context, i int) (L, error) {
	layer, err := s.wholeLayers.Acquire(ctx, i)
	s.begin = time.Now()
	return layer, err
}

// Release implements weights.Source.
func (s *promptLayers[L]) Release(i int) {
	if s.active != nil {
		if !s.Cold && !s.passes.dense && i >= s.warmFrom() {
			s.swapper.Warm(i, s.active.counts[i])
		}
		s.took[i] = time.Since(s.begin)
	}
	s.settle()
}
