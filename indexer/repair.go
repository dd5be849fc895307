package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/indexer/extract"
	"dowse/indexer/kept"
	"dowse/store"
)

// Damage is repaired by what the files still hold. Damaged records are removed,
// and the files that they said something of are indexed again; codes and vectors
// of the others are kept. Where that does not lead to an index that passes Check,
// an empty one is put in its place and all is indexed again.

// healTries: a repair, a new index, and what damages that meanwhile.
const healTries = 3

// Run adds folders to those that are indexed, indexes what changed below
// them, and reports. Without folders it refreshes all that are known. It looks
// for damage of the index first and repairs it, or that which it meets; then it
// looks at all folders. All have their vectors when it ends. Where folders are watched, embedLater may have made some of
// them meanwhile, which the report counts as well.
func (ix *Indexer) Run(ctx context.Context, folders []string) (*engine.IndexReport, error) {
	start, before := time.Now(), ix.embeddings.Load()
	report, err := ix.runTurn(ctx, folders)
	if err != nil || !ix.postpones.Load() {
		return report, err
	}
	if err := ix.catchUp(ctx); err != nil {
		return nil, err
	}
	report.Embedded = int(ix.embeddings.Load() - before)
	report.Seconds = time.Since(start).Seconds()
	report.Rate = float64(report.Embedded) / report.Seconds
	return report, nil
}

// runTurn is Run that leaves vectors to embedLater where folders are watched.
func (ix *Indexer) runTurn(ctx context.Context, folders []string) (*engine.IndexReport, error) {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer ix.turn.Release(1)
	return ix.runHealing(ctx, folders)
}

// watched adds folders to those that are indexed, and returns all. It repairs an
// index that cannot tell them.
func (ix *Indexer) watched(ctx context.Context, folders []string) ([]string, error) {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer ix.turn.Release(1)
	roots, err := ix.addRoots(folders)
	for try := 1; try < healTries && errors.Is(err, store.ErrCorrupt); try++ {
		if err = ix.heal(ctx, err, try); err == nil {
			roots, err = ix.addRoots(folders)
		}
	}
	return roots, err
}

// runHealing is Run for a caller that has the turn.
func (ix *Indexer) runHealing(ctx context.Context, folders []string) (*engine.IndexReport, error) {
	for try := 1; ; try++ {
		report, err := ix.runSound(ctx, folders)
		if err == nil || ctx.Err() != nil || !errors.Is(err, store.ErrCorrupt) || try == healTries {
			return report, err
		}
		if err := ix.heal(ctx, err, try); err != nil {
			return nil, err
		}
	}
}

// runSound runs on an index without damaged records; over all folders where
// some were removed, of which it then proves that nothing is missing.
func (ix *Indexer) runSound(ctx context.Context, folders []string) (*engine.IndexReport, error) {
	damage, err := ix.opts.Store.Examine(ctx)
	if err != nil {
		return nil, err
	}
	if len(damage.Records) > 0 || damage.Lost {
		return nil, fmt.Errorf("%w: %v", store.ErrCorrupt, damage)
	}
	report, err := ix.run(ctx, folders, damage.Unmended)
	if err != nil {
		return nil, err
	}
	if damage.Unmended {
		if err := ix.prove(ctx); err != nil {
			return nil, err
		}
	}
	return report, ix.endRun(ctx)
}

// heal repairs the index, or from the second try on puts an empty one in its
// place.
func (ix *Indexer) heal(ctx context.Context, why error, try int) error {
	ix.behind.forget()
	if try == 1 && !errors.Is(why, store.ErrBroken) {
		err := ix.opts.Store.Repair(ctx, func(tx *store.Tx) error { return ix.repairDerived(ctx, tx) })
		if err == nil {
			ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("%v; what is damaged was removed, and the files that it belongs to are indexed again", why)})
			return nil
		}
		if !errors.Is(err, store.ErrCorrupt) {
			return ix.commitError(err)
		}
		why = err
	}
	old, err := ix.opts.Store.StartOver(why)
	if err != nil {
		return ix.commitError(errors.Join(why, err))
	}
	clear(ix.vanished) // they are no files of the new one
	ix.opts.Emit(engine.Event{Problem: Replacement(old)})
	return nil
}

// Replacement returns what became of an index that could not be used.
func Replacement(old *store.Replaced) string {
	what := "and a new one is built"
	if len(old.Roots) == 0 {
		what += "; which folders it knew could not be read, so name them again: dowse index DIR"
	}
	switch {
	case errors.Is(old.Why, store.ErrFingerprint):
		return "the index was built with other settings, " + what
	case old.Aside == "":
		return fmt.Sprintf("%v, %s", old.Why, what)
	}
	return fmt.Sprintf("%v; it was moved to %s, %s", old.Why, old.Aside, what)
}

// repairDerived drops the postings and codes that cannot be trusted, has the files with
// missing postings indexed again, and chunks without a vector embedded.
func (ix *Indexer) repairDerived(ctx context.Context, tx *store.Tx) error {
	live, err := liveChunks(tx)
	if err != nil {
		return err
	}
	missing, err := lexical.Repair(ctx, tx.Postings(), live, tx.NextChunk())
	if err != nil {
		return err
	}
	if live, err = vectorChunks(tx); err != nil {
		return err
	}
	if err := ix.index().Repair(ctx, layout.VectorIndex{Tx: tx}, live, tx.NextChunk()); err != nil {
		return err
	}
	if err := layout.NoteLacking(tx, true); err != nil {
		return err
	}
	var doubtful []uint32
	err = tx.Files(func(f store.File) error {
		for _, id := range f.IDs.All() {
			if missing.Has(id) {
				doubtful = append(doubtful, f.ID)
				break
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, id := range doubtful {
		if err := tx.Doubt(id); err != nil {
			return err
		}
	}
	return nil
}

// prove ends a repair: files that could not be indexed again are removed, and
// the index must pass Check.
func (ix *Indexer) prove(ctx context.Context) error {
	err := ix.opts.Store.Update(func(tx *store.Tx) error {
		var doubtful []uint32
		err := tx.Files(func(f store.File) error {
			if f.Doubted() {
				doubtful = append(doubtful, f.ID)
			}
			return nil
		})
		for _, id := range doubtful {
			if err == nil {
				err = tx.DeleteFile(id)
			}
		}
		return err
	})
	if err != nil {
		return ix.commitError(err)
	}
	var first *store.Problem
	if _, _, err := ix.Check(ctx, func(p store.Problem) {
		if first == nil {
			first = &p
		}
	}); err != nil {
		return err
	}
	if first != nil {
		return fmt.Errorf("%w: %v", store.ErrCorrupt, *first)
	}
	return ix.commitError(ix.opts.Store.Repaired())
}

// Check verifies the index: pages, records and references as the store knows
// them, postings and codes. blocks counts those of the latter two.
func (ix *Indexer) Check(ctx context.Context, report func(store.Problem)) (sum store.Summary, blocks int, err error) {
	sum, err = ix.opts.Store.Check(ctx, report, func(ctx context.Context, tx *store.Tx, report func(store.Problem)) error {
		live, err := liveChunks(tx)
		if err != nil {
			return err
		}
		postings, err := lexical.Check(ctx, tx.Postings(), live, tx.NextChunk(), func(what string) {
			report(store.Problem{Where: "postings", What: what})
		})
		if err != nil {
			return err
		}
		if live, err = vectorChunks(tx); err != nil {
			return err
		}
		lacking := 0
		codes, err := ix.index().Check(ctx, layout.VectorIndex{Tx: tx}, live, tx.NextChunk(), func(what string) {
			report(store.Problem{Where: "vectors", What: what})
		}, func(uint32) { lacking++ })
		if blocks = postings + codes; err != nil {
			return err
		}
		if err := checkLacking(tx, lacking, report); err != nil {
			return err
		}
		if err := checkTexts(ctx, tx, report); err != nil {
			return err
		}
		return ix.checkFree(tx, report)
	})
	return sum, blocks, err
}

// checkLacking reports chunks that lack a vector and that nobody would embed.
func checkLacking(tx *store.Tx, lacking int, report func(store.Problem)) error {
	lacks, err := layout.Lacks(tx)
	if err == nil && lacking > 0 && !lacks {
		report(store.Problem{Where: "vectors", What: fmt.Sprintf("%d chunks have neither a code nor a vector", lacking)})
	}
	return err
}

// checkTexts compares kept texts with their files.
func checkTexts(ctx context.Context, tx *store.Tx, report func(store.Problem)) error {
	return tx.EachText(func(file uint32, value []byte) error {
		f, err := tx.File(file)
		if errors.Is(err, store.ErrNotFound) {
			return nil // the store has told of it
		}
		if err != nil {
			return err
		}
		if f.Kind == layout.Log {
			if _, err := extract.ReadLogState(value); err != nil {
				report(store.Problem{Where: "text", What: fmt.Sprintf("what is known of the log %q: %v", f.Path, err)})
			}
			return ctx.Err()
		}
		doc, err := kept.Unpack(value)
		if err != nil {
			report(store.Problem{Where: "text", What: fmt.Sprintf("of %q: %v", f.Path, err)})
		} else if int64(len(doc.Text)) != f.TextBytes {
			report(store.Problem{Where: "text", What: fmt.Sprintf("%d bytes are kept of %q, which has %d", len(doc.Text), f.Path, f.TextBytes)})
		}
		return ctx.Err()
	})
}

// endRun keeps the list of folders for the case that the index is damaged beyond
// reading, rewrites an index with pages of another size, and removes the damaged
// indexes that this one replaces if all folders could be indexed.
func (ix *Indexer) endRun(ctx context.Context) error {
	roots, err := ix.Roots()
	if err != nil {
		return err
	}
	if err := ix.opts.Store.KeepRoots(roots); err != nil {
		return ix.commitError(err)
	}
	missing := slices.ContainsFunc(roots, func(root string) bool {
		_, err := os.Stat(root)
		return err != nil
	})
	if err := ix.opts.Store.Repage(ctx); err != nil {
		ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("the index keeps its small pages, because its file cannot be rewritten now: %v", err)})
	}
	if missing || ix.opts.Store.Damage().Any() {
		return nil
	}
	return store.RemoveAside(ix.opts.Store.Path())
}
