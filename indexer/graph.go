package indexer

import (
	"context"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/memory"
	"dowse/store"
)

// graphPool is the ledger's pool of a graph at work.
const graphPool = "index.graph"

// link brings the graph in step with the chunks, or removes it where none is wanted.
func (s *session) link(ctx context.Context, share float64) error {
	if s.opts.NoGraph {
		return s.dropGraph()
	}
	err := Link(ctx, s.opts.Store, s.index(), share, s.opts.Ledger, func() { s.prog.phase(engine.Merging) })
	return s.commitError(err)
}

// Link brings the graph of an index in step with its chunks: it links the chunks that have
// vectors or codes, and removes dead nodes from the blocks in which they have at least
// this share. Each step is computed beside readers and writers, and committed by itself.
// begin is called before each.
func Link(ctx context.Context, db *store.DB, index leann.Index, share float64, ledger *memory.Ledger, begin func()) error {
	var linker *leann.Linker
	err := db.View(func(tx *store.Tx) error {
		live, err := vectorChunks(tx)
		if err != nil {
			return err
		}
		linker, err = index.NewLinker(ctx, layout.VectorIndex{Tx: tx}, leann.LinkOptions{Live: live, DeadShare: share})
		return err
	})
	held := int64(0)
	for err == nil && linker.Due() {
		begin()
		err = db.View(func(tx *store.Tx) error { return linker.Step(ctx, layout.VectorIndex{Tx: tx}) })
		if err == nil {
			err = db.Update(func(tx *store.Tx) error { return linker.Write(layout.VectorIndex{Tx: tx}) })
		}
		now := linker.MemoryBytes()
		ledger.Grow(graphPool, now)
		ledger.Shrink(graphPool, held)
		held = now
	}
	if held > 0 {
		ledger.Shrink(graphPool, held)
	}
	return err
}

// dropGraph removes the graph that an index kept before.
func (s *session) dropGraph() error {
	var head leann.GraphHead
	err := s.opts.Store.View(func(tx *store.Tx) (err error) {
		head, err = leann.ReadGraphHead(layout.VectorIndex{Tx: tx})
		return err
	})
	if err != nil || head.Stamp == 0 {
		return err
	}
	return s.commitError(s.opts.Store.Update(func(tx *store.Tx) error { return s.index().DropGraph(layout.VectorIndex{Tx: tx}) }))
}
