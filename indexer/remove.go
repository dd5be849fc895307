package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"dowse/engine"
	"dowse/indexer/paths"
	"dowse/indexer/walk"
	"dowse/store"
)

// Removed is what a removal took out of an index.
type Removed struct {
	Files, Chunks int
	Left          bool // traces are still to be erased: the file of the index cannot be rewritten now
}

// Remove takes the roots at and below a folder out of the index and erases what was indexed of them: one transaction
// removes the roots and all their files, then what they left is erased as after deletions, but at once. A process that
// ends in between leaves a note by which the next one goes on.
func (ix *Indexer) Remove(ctx context.Context, folder string) (done Removed, err error) {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return done, err
	}
	defer ix.turn.Release(1)
	if done, err = ix.dropRoots(folder); err != nil {
		return done, ix.commitError(err)
	}
	ix.opts.Emit(engine.Event{Changed: &engine.Changed{Removed: done.Files}})
	clear(ix.vanished) // what still waits is noticed again
	roots, err := ix.Roots()
	if err == nil {
		err = errors.Join(ix.opts.Store.KeepRoots(roots), store.RemoveAside(ix.opts.Store.Path()))
	}
	if err != nil {
		return done, ix.commitError(err)
	}
	s := &session{Indexer: ix, prog: newProgress(ix.opts.Emit, false)}
	err = ix.noteSkips(nil, skips{})
	if err == nil {
		err = s.erase(ctx)
	}
	s.prog.phase(engine.Idle)
	if err != nil {
		ix.left()
		return done, fmt.Errorf("the folder is out of the index; what it left is not erased yet, which the next dowse does: %w", err)
	}
	done.Left, err = ix.hasTraces()
	return done, err
}

// dropRoots removes roots and their files in one transaction.
func (ix *Indexer) dropRoots(folder string) (done Removed, err error) {
	err = ix.opts.Store.Update(func(tx *store.Tx) error {
		done = Removed{}
		roots, err := tx.Roots()
		if err != nil {
			return err
		}
		stay := slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return paths.Within(root, folder) })
		var gone []store.File
		if err := filesUnder(tx, []string{folder}, func(f store.File) { gone = append(gone, f) }); err != nil {
			return err
		}
		for _, f := range gone {
			if err := tx.DeleteFile(f.ID); err != nil {
				return err
			}
			done.Files, done.Chunks = done.Files+1, done.Chunks+int(f.Chunks)
		}
		return errors.Join(tx.PutRoots(stay), noteTraces(tx))
	})
	return done, err
}

// Move follows a root to the place that its folder was moved to. Files that are there as they were keep their vectors.
// Until all of them are found the index knows both places.
func (ix *Indexer) Move(ctx context.Context, from, to string) (*engine.IndexReport, error) {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer ix.turn.Release(1)
	start := time.Now()
	if _, err := os.Stat(from); err == nil {
		return nil, fmt.Errorf("%s is still there; move it first, or name both with dowse folders add and remove", from)
	}
	resolved, err := walk.ResolveRoots([]string{to})
	if err != nil {
		return nil, err
	}
	both, err := ix.addRoots(resolved)
	if err != nil {
		return nil, err
	}
	after := paths.Outermost(slices.DeleteFunc(slices.Clone(both), func(root string) bool { return paths.Within(root, from) }))
	done, err := ix.sync(ctx, after, append([]string{from}, resolved...), true)
	if err != nil {
		return nil, err
	}
	err = ix.opts.Store.Update(func(tx *store.Tx) error { return errors.Join(tx.PutRoots(after), noteTraces(tx)) })
	if err == nil {
		err = errors.Join(ix.opts.Store.KeepRoots(after), ix.noteSkips(nil, skips{}))
	}
	if err != nil {
		return nil, ix.commitError(err)
	}
	s := &session{Indexer: ix, prog: newProgress(ix.opts.Emit, false)}
	if err := s.erase(ctx); err != nil { // the path that it had
		return nil, err
	}
	s.prog.phase(engine.Idle)
	return ix.report(resolved, done, start)
}
