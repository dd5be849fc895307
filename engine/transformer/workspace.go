package transformer

import (
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// workspace is the working memory of one forward pass. It grows to the largest batch, until
// Free.
type workspace struct {
	ledger  *memory.Ledger
	scratch *kernel.Scratch

	buffer    *memory.Buffer
	rows      int
	wide      []float32 // of an encoder [rows,max(3D,F)]: queries, keys and values first, the feed-forward layer then
	attention []float32 // [rows,D]: results of attention
	normed    []float32 // of a decoder, [rows,D]
	stored    []byte    // of a decoder: keys and values that are not kept

	positions []int32  // of the rows of a decoder's batch
	density   []uint32 // [tokens]: see kernel.CausalInput

	// team, unless nil, shares projections of few rows, which are quantised first.
	team      *team
	quantized []uint8
	scales    []kernel.RowScale
	scaled    []float32 // inputs that were multiplied with their scales

	masked maskedScratch

	states *memory.Buffer // of hidden
}

// newWorkspace returns an empty workspace charged to the ledger, which may be
// nil.
func newWorkspace(ledger *memory.Ledger) *workspace {
	return &workspace{ledger: ledger, scratch: kernel.NewScratch(ledger)}
}

// reserve makes room for a layer over a batch of rows tokens.
func (w *workspace) reserve(rows int, s *weights.Shape) error {
	if rows <= w.rows {
		return nil
	}
	w.rows = 0
	if err := w.buffer.Free(); err != nil {
		return err
	}
	buffer, err := memory.NewBuffer(w.ledger, kernel.ScratchPool, rows*s.RowBytes())
	if err != nil {
		return err
	}
	w.buffer, w.rows = buffer, rows
	all := buffer.Float32()
	take := func(n int) []float32 {
		piece := all[:n:n]
		all = all[n:]
		return piece
	}
	w.wide, w.attention, w.normed = take(rows*s.Wide), take(rows*s.Attention), take(rows*s.Normed)
	w.stored = buffer.Bytes()[rows*(s.RowBytes()-s.Stored):]
	return nil
}

// scaleInputs returns x [rows,K] times the projection's In, or x if it is nil.
func (w *workspace) scaleInputs(k *kernel.Kernel, x []float32, rows int, weights *pack.Linear) []float32 {
	if weights.In == nil {
		return x
	}
	w.scaled = grown(w.scaled, rows*weights.K)
	k.ScaleInputs(w.scaled, x, weights.In, rows)
	return w.scaled
}

// positionsOf returns the positions of the rows of a batch.
func (w *workspace) positionsOf(b *batch) []int32 {
	if b.branches != nil {
		w.positions = append(w.positions[:0], b.branches.positions...)
		return w.positions
	}
	if b.places != nil {
		w.positions = append(w.positions[:0], b.places...)
		return w.positions
	}
	first := kv.Tokens(b.before)
	w.positions = w.positions[:0]
	for _, length := range b.lengths {
		for i := range length {
			w.positions = append(w.positions, int32(first+i))
		}
	}
	return w.positions
}

// hidden returns memory for n floats of hidden states, which it does not clear.
func (w *workspace) hidden(n int) ([]float32, error) {
	if w.states == nil || w.states.Size() < 4*n {
		if err := w.states.Free(); err != nil {
			return nil, err
		}
		states, err := memory.NewBuffer(w.ledger, kernel.ScratchPool, 4*n)
		if err != nil {
			w.states = nil
			return nil, err
		}
		w.states = states
	}
	return w.states.Float32()[:n], nil
}

// Free gives the memory back. The workspace may be used again.
func (w *workspace) Free() error {
	w.rows = 0
	states := w.states
	w.states = nil
	return errors.Join(w.buffer.Free(), states.Free(), w.scratch.Free())
}
