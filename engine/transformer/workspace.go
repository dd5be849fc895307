package transformer

import (
	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// Workspace is the working memory of one forward pass at a time. It grows to
// what the largest batch needed; Free gives it back.
type Workspace struct {
	ledger  *memory.Ledger
	buffer  *memory.Buffer
	scratch *kernel.Scratch
	rows    int

	hidden []float32 // [rows,D]
	qkv    []float32 // [rows,3D]
	mixed  []float32 // [rows,D]
	inner  []float32 // [rows,F]
}

// NewWorkspace returns an empty workspace charged to the ledger, which may be
// nil.
func NewWorkspace(ledger *memory.Ledger) *Workspace {
	return &Workspace{ledger: ledger, scratch: kernel.NewScratch(ledger)}
}

// reserve makes room for a batch of rows tokens.
func (w *Workspace) reserve(rows, d, f int) error {
	if rows <= w.rows {
		return nil
	}
	if err := w.buffer.Free(); err != nil {
		return err
	}
	w.rows = 0
	buffer, err := memory.NewBuffer(w.ledger, kernel.ScratchPool, 4*rows*(5*d+f))
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
	w.hidden, w.qkv, w.mixed, w.inner = take(rows*d), take(rows*3*d), take(rows*d), take(rows*f)
	return nil
}

// Free gives the memory back. The workspace may be used again.
func (w *Workspace) Free() error {
	w.rows = 0
	if err := w.buffer.Free(); err != nil {
		return err
	}
	return w.scratch.Free()
}
