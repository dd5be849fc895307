package transformer

import (
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
)

// Workspace is the working memory of one forward pass at a time. It grows to
// what the largest batch needed; Free gives it back.
type Workspace struct {
	ledger  *memory.Ledger
	scratch *kernel.Scratch

	buffer *memory.Buffer
	rows   int
	wide   []float32 // [rows,max(3D,F)]: queries, keys and values, then the feed-forward layer
	mixed  []float32 // [rows,D]

	states *memory.Buffer // hidden states, where nobody else keeps them
}

// NewWorkspace returns an empty workspace charged to the ledger, which may be
// nil.
func NewWorkspace(ledger *memory.Ledger) *Workspace {
	return &Workspace{ledger: ledger, scratch: kernel.NewScratch(ledger)}
}

// workspaceWidth is the floats of a row of wide and mixed together.
func workspaceWidth(c *pack.Config) int { return max(3*c.Hidden, c.Intermediate) + c.Hidden }

// reserve makes room for a layer over a batch of rows tokens.
func (w *Workspace) reserve(rows int, c *pack.Config) error {
	if rows <= w.rows {
		return nil
	}
	w.rows = 0
	if err := w.buffer.Free(); err != nil {
		return err
	}
	buffer, err := memory.NewBuffer(w.ledger, kernel.ScratchPool, 4*rows*workspaceWidth(c))
	if err != nil {
		return err
	}
	w.buffer, w.rows = buffer, rows
	all, mixed := buffer.Float32(), rows*c.Hidden
	w.mixed, w.wide = all[:mixed:mixed], all[mixed:]
	return nil
}

// hidden returns room for n floats of hidden states, with what was there.
func (w *Workspace) hidden(n int) ([]float32, error) {
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
func (w *Workspace) Free() error {
	w.rows = 0
	states := w.states
	w.states = nil
	return errors.Join(w.buffer.Free(), states.Free(), w.scratch.Free())
}
