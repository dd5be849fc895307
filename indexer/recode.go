package indexer

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// recodeProbes is how many probes measure new codes: each may have as many vectors
// recomputed as a search.
const recodeProbes = maxProbes / 2

// recodeLater gives the index new codes whenever it has outgrown its codebook, until ctx
// ends. It holds nobody up: a sync waits for a step to be written, and not for its vectors.
func (ix *Indexer) recodeLater(ctx context.Context) {
	for {
		if err := ix.recode(ctx); err != nil && ctx.Err() == nil {
			ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("the index has outgrown its codes and could not get new ones, which will be tried again: %v", err)})
		}
		select {
		case <-ctx.Done():
			return
		case <-ix.quantized:
		}
	}
}

// recode gives the index new codes if it has outgrown its codebook.
func (ix *Indexer) recode(ctx context.Context) error {
	for {
		err := ix.recodeOnce(ctx)
		if !errors.Is(err, leann.ErrOvertaken) {
			return err
		}
	}
}

func (ix *Indexer) recodeOnce(ctx context.Context) error {
	r, err := ix.newRecoder(ctx)
	if err != nil || !r.Due() {
		return err
	}
	prog := newProgress(ix.opts.Emit, false)
	defer prog.phase(engine.Idle)
	if r.Queries, err = ix.askAgain(ctx); err != nil {
		return err
	}
	for r.Due() {
		prog.phase(engine.Merging)
		var texts *reread
		err := ix.opts.Store.View(func(tx *store.Tx) error {
			live, err := vectorChunks(tx)
			if err != nil {
				return err
			}
			if err := r.Read(ctx, layout.VectorIndex{Tx: tx}, live); err != nil {
				return err
			}
			texts, err = ix.newReread(tx, r.Chunks())
			return err
		})
		if err != nil {
			return err
		}
		if err := r.Compute(ctx, texts); err != nil {
			return err
		}
		if err := ix.writeRecoded(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// newRecoder finds out whether new codes are due.
func (ix *Indexer) newRecoder(ctx context.Context) (r *leann.Recoder, err error) {
	err = ix.opts.Store.View(func(tx *store.Tx) error {
		live, err := vectorChunks(tx)
		if err != nil {
			return err
		}
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		codeBytes := leann.CodeBytes(ix.opts.Budget, counts.TextBytes, counts.Chunks)
		r, err = ix.index().NewRecoder(ctx, layout.VectorIndex{Tx: tx}, live, codeBytes)
		return err
	})
	return r, err
}

// writeRecoded commits a step. With the one that puts the new codes in their place goes what
// was measured of them.
func (ix *Indexer) writeRecoded(ctx context.Context, r *leann.Recoder) error {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer ix.turn.Release(1)
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error {
		if err := r.Write(ctx, layout.VectorIndex{Tx: tx}); err != nil || !r.Done.Switched {
			return err
		}
		if err := noteErrors(tx, r.Done.Errors, r.Done.Measured); err != nil {
			return err
		}
		return ix.freeIDs(tx)
	}))
}

// askAgain returns the vectors of probes out of the files as they are, evenly from all.
func (ix *Indexer) askAgain(ctx context.Context) ([]float32, error) {
	var chunks []uint32
	var texts *reread
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		step, at := uint32(max(counts.Chunks/recodeProbes, 1)), uint32(0)
		err = tx.LiveChunksOf(layout.HasVectors, func(first, n uint32) error {
			for ; at < n; at += step {
				chunks = append(chunks, first+at)
			}
			at -= n
			return nil
		})
		if err != nil {
			return err
		}
		texts, err = ix.newReread(tx, chunks)
		return err
	})
	if err != nil {
		return nil, err
	}
	var p probes
	err = texts.each(ctx, chunks, func(_ int, text string) error {
		if probe := Probe(text); probe != "" && len(p.texts) < recodeProbes {
			p.texts = append(p.texts, probe)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.embed(ctx, ix.opts.Embedder)
}
