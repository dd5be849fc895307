package indexer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/store"
)

// commit writes one batch in one transaction: prepared files, or files to
// remove.
func (s *session) commit(ctx context.Context, batch []*prepared, gone []store.File) error {
	var changed engine.Changed
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		changed = engine.Changed{}
		builder := lexical.NewBuilder()
		for _, p := range batch {
			if err := commitFile(tx, builder, p, &changed); err != nil {
				return err
			}
		}
		if _, err := builder.Write(tx.Postings()); err != nil {
			return err
		}
		for _, f := range gone {
			err := tx.DeleteFile(f.ID)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			changed.Removed++
		}
		_, err := maintain(ctx, tx)
		return err
	})
	if err != nil {
		return commitError(err)
	}
	s.done.Added += changed.Added
	s.done.Updated += changed.Updated
	s.done.Removed += changed.Removed
	for _, p := range batch {
		if p.left != "" {
			s.done.skipped[p.left]++
		}
		s.prog.committed(p.Path, p.Size)
	}
	if changed != (engine.Changed{}) {
		s.opts.Emit(engine.Event{Changed: &changed})
	}
	return nil
}

// commitFile writes one file of a batch.
func commitFile(tx *store.Tx, builder *lexical.Builder, p *prepared, changed *engine.Changed) error {
	switch {
	case p.same:
		return tx.TouchFile(p.stored.ID, p.file.Size, p.file.ModTime)
	case p.left != "" && p.stored != nil:
		changed.Removed++
		return tx.DeleteFile(p.stored.ID)
	case p.left != "":
		return nil
	case p.stored != nil:
		changed.Updated++
	default:
		changed.Added++
	}
	if err := tx.PutFile(&p.file, p.chunks); err != nil {
		return err
	}
	if err := tx.PutVectors(p.file.FirstChunk, p.vectors); err != nil {
		return err
	}
	for i, terms := range p.terms {
		builder.Add(p.file.FirstChunk+uint32(i), terms)
	}
	return nil
}

// maintain merges postings segments if there are many.
func maintain(ctx context.Context, tx *store.Tx) (merged int, err error) {
	live := lexical.NewSet(tx.NextChunk())
	err = tx.LiveChunks(func(first, n uint32) error {
		live.AddRange(first, n)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return lexical.Maintain(ctx, tx.Postings(), live)
}

// tidy merges until nothing is left to merge.
func (s *session) tidy(ctx context.Context) error {
	for {
		merged := 0
		err := s.opts.Store.Update(func(tx *store.Tx) (err error) {
			merged, err = maintain(ctx, tx)
			return err
		})
		if err != nil {
			return commitError(err)
		}
		if merged == 0 {
			return nil
		}
		s.prog.phase(engine.Merging)
	}
}

// commitError says what a person can do about a failed commit.
func commitError(err error) error {
	if errors.Is(err, store.ErrNoSpace) {
		return fmt.Errorf("the disk is full, so indexing stopped (%w); free some space and run it again: what was indexed so far is kept", err)
	}
	return err
}

// skippedKey is where the counts of files left out are kept: a JSON object,
// root -> reason -> count.
const skippedKey = "skipped"

// noteSkips replaces the counts of the roots that were looked at.
func (ix *Indexer) noteSkips(scopes []string, counts map[string]int) error {
	return ix.opts.Store.Update(func(tx *store.Tx) error {
		all, err := readSkips(tx)
		if err != nil {
			return err
		}
		roots, err := tx.Roots()
		if err != nil {
			return err
		}
		kept := map[string]map[string]int{}
		for _, r := range roots {
			if old, ok := all[r]; ok {
				kept[r] = old
			}
		}
		for _, scope := range scopes {
			delete(kept, scope)
		}
		if len(scopes) > 0 {
			kept[scopes[0]] = counts // of all scopes together
		}
		data, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		return tx.PutMeta(skippedKey, data)
	})
}

func readSkips(tx *store.Tx) (map[string]map[string]int, error) {
	all := map[string]map[string]int{}
	data, err := tx.Meta(skippedKey)
	if err != nil || data == nil {
		return all, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("counts of skipped files: %w", err)
	}
	return all, nil
}

// Skipped counts the files that were left out of the index, by reason.
func (ix *Indexer) Skipped() (map[string]int, error) {
	sum := map[string]int{}
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		all, err := readSkips(tx)
		for _, counts := range all {
			for reason, n := range counts {
				sum[reason] += n
			}
		}
		return err
	})
	return sum, err
}
