package indexer

import (
	"context"
	"slices"

	"dowse/store"
)

// Forget takes the files of folders out of the index that are roots of it no more: another
// index has them now.
func (ix *Indexer) Forget(ctx context.Context, folders []string) error {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer ix.turn.Release(1)
	todo := &plan{}
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		return filesUnder(tx, folders, func(f store.File) { todo.gone = append(todo.gone, f) })
	})
	if err != nil || len(todo.gone) == 0 {
		return err
	}
	slices.SortFunc(todo.gone, func(a, b store.File) int { return int(a.ID) - int(b.ID) })
	s := &session{
		Indexer: ix, prog: newProgress(ix.opts.Emit, false), room: newRoom(ix.opts.Prepared, ix.opts.Ledger), done: tally{skipped: skips{}},
	}
	if s.donors, err = ix.newDonors(todo); err != nil {
		return err
	}
	if err := s.run(ctx, todo, true); err != nil {
		return err
	}
	return s.compress(ctx, true)
}
