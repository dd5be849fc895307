package indexer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/store"
)

// EraseAfter is how long traces of text that is gone stay in the index while a
// process watches: the codes and postings of its passages, and old vectors in
// pages that are free. They are erased all at once, because that writes the
// file anew; and soon, because people delete what nobody is to find.
const EraseAfter = 5 * time.Minute

// metaTraces is where the index notes since when it holds such traces. It is
// written with the change that leaves them, so that what a process did not
// live to erase, the next one does.
const metaTraces = "indexer.traces"

// noteTraces notes that the changes of a transaction leave traces.
func noteTraces(tx *store.Tx) error {
	since, err := tx.Meta(metaTraces)
	if err != nil || since != nil {
		return err
	}
	return tx.PutMeta(metaTraces, binary.AppendUvarint(nil, uint64(time.Now().Unix())))
}

// hasTraces reports whether there is something to erase.
func (ix *Indexer) hasTraces() (has bool, err error) {
	err = ix.opts.Store.View(func(tx *store.Tx) error {
		since, err := tx.Meta(metaTraces)
		has = since != nil
		return err
	})
	return has, err
}

// eraseLater erases traces a while after the first of them, until ctx ends.
func (ix *Indexer) eraseLater(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ix.traces:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(ix.opts.EraseAfter):
		}
		if err := ix.eraseNow(ctx); err != nil && ctx.Err() == nil {
			ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("what was deleted could not be erased from the index, and will be tried again: %v", err)})
			ix.left()
		}
	}
}

// left tells eraseLater that a change left traces.
func (ix *Indexer) left() {
	select {
	case ix.traces <- struct{}{}:
	default: // it knows
	}
}

// eraseNow erases traces, if there are any.
func (ix *Indexer) eraseNow(ctx context.Context) error {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer ix.turn.Release(1)
	has, err := ix.hasTraces()
	if err != nil || !has {
		return err
	}
	s := &session{Indexer: ix, prog: newProgress(ix.opts.Emit, false)}
	err = s.erase(ctx)
	s.prog.phase(engine.Idle)
	return err
}

// erase drops all links, codes and postings of chunks that are gone, with the names of folders
// without files, and writes the file anew, without the pages that they were in.
func (s *session) erase(ctx context.Context) error {
	s.prog.phase(engine.Merging)
	if err := s.link(ctx, 0); err != nil {
		return err
	}
	if err := s.vacuumCodes(ctx, 0); err != nil {
		return err
	}
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		live, err := liveChunks(tx)
		if err != nil {
			return err
		}
		if _, err := lexical.MergeDead(ctx, tx.Postings(), live); err != nil {
			return err
		}
		return errors.Join(s.freeIDs(tx), tx.EraseFolders())
	})
	if err != nil {
		return s.commitError(err)
	}
	if _, _, err := s.opts.Store.Vacuum(ctx, nil); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// A file that cannot be replaced now is left as it is.
		s.opts.Emit(engine.Event{Problem: fmt.Sprintf("traces of what was deleted stay in the index, because its file cannot be rewritten now; that will be tried again: %v", err)})
		s.left()
		return nil
	}
	return s.commitError(s.opts.Store.Update(func(tx *store.Tx) error { return tx.PutMeta(metaTraces, nil) }))
}
