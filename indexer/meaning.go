package indexer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// Words come first: a sync commits files with their postings, at the speed of the disk, and they can be searched by
// words, phrases and filters from then on. Their vectors come behind, those of the newest files first, in steps of one
// transaction each. Which chunks lack one follows from what is stored, so that a kill loses a step at most, and so that
// what a repair dropped is embedded again the same way.

// Bounds of a step, which is one transaction, and what a kill costs.
const (
	stepChunks = 512
	stepTime   = 2 * time.Second
	// embedSlice is how many chunks are embedded between two looks at the time, and two reports of progress.
	embedSlice = 128
)

// behind are the files whose chunks lack vectors. The indexer's turn guards it.
type behind struct {
	known  bool // files are all that there are
	noted  bool // layout.Lacks said so when they were looked for, and no chunk lacks a vector
	files  []lackingFile
	chunks int  // that they lack, about
	stale  bool // some could not be embedded, since their files are not as they were indexed
}

// lackingFile is a file some of whose chunks lack a vector.
type lackingFile struct {
	id     uint32 // of the version
	chunks int    // that lack one, when it was noted
}

// add puts the files of a sync before all others. Where some could not be embedded before, all are looked for again.
func (b *behind) add(files []lackingFile) {
	if b.stale {
		b.forget()
		return
	}
	b.files = append(files, b.files...)
	for _, f := range files {
		b.chunks += f.chunks
	}
}

// forget has the files looked for again.
func (b *behind) forget() { *b = behind{} }

// findBehind looks for the files with chunks that lack vectors, unless they are known. The newest come first.
func (ix *Indexer) findBehind(ctx context.Context) error {
	b := &ix.behind
	if b.known {
		return nil
	}
	b.forget()
	type found struct {
		lackingFile
		modTime int64
		path    string
	}
	var all []found
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		if lacks, err := layout.Lacks(tx); err != nil || !lacks {
			return err
		}
		lacking, err := lacking(ctx, tx)
		if b.noted = err == nil && lacking.Len() == 0; err != nil || b.noted {
			return err
		}
		return tx.Files(func(f store.File) error {
			n := 0
			for _, id := range f.IDs.All() {
				if lacking.Has(id) {
					n++
				}
			}
			if n > 0 {
				all = append(all, found{lackingFile{f.ID, n}, f.ModTime, f.Path})
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.modTime, a.modTime), cmp.Compare(a.path, b.path))
	})
	files := make([]lackingFile, len(all))
	for i, f := range all {
		files[i] = f.lackingFile
	}
	b.add(files)
	b.known = true
	return nil
}

// lacking returns the chunks that are to have a vector and have none.
func lacking(ctx context.Context, tx *store.Tx) (*lexical.Set, error) {
	set, err := vectorChunks(tx)
	if err != nil {
		return nil, err
	}
	counts, err := tx.Counts()
	if err != nil {
		return nil, err
	}
	// Before the first vector there is no dimension, and nothing to divide by it.
	return set, leann.Index{Dim: max(1, counts.Dimension)}.Lack(ctx, layout.VectorIndex{Tx: tx}, set)
}

// Lacking counts the chunks of an index that are found by words alone, since they have no vector yet.
func Lacking(ctx context.Context, db *store.DB) (n int, err error) {
	err = db.View(func(tx *store.Tx) error {
		if lacks, err := layout.Lacks(tx); err != nil || !lacks {
			return err
		}
		set, err := lacking(ctx, tx)
		if err == nil {
			n = set.Len()
		}
		return err
	})
	return n, err
}

// nextStep returns the next chunks to embed; nil where none lacks a vector. The caller has the turn.
func (s *session) nextStep(ctx context.Context) (*meaningStep, error) {
	if err := s.findBehind(ctx); err != nil {
		return nil, err
	}
	b := &s.Indexer.behind
	if len(b.files) == 0 {
		return nil, s.endBehind()
	}
	s.prog.meaning(b.chunks)
	return s.newMeaningStep(ctx)
}

// putStep commits a step that was embedded. The caller has the turn.
func (s *session) putStep(step *meaningStep) error {
	b, done := &s.Indexer.behind, step.done()
	rest := slices.DeleteFunc(slices.Clone(b.files), func(f lackingFile) bool { return done[f.id] })
	stale, given := b.stale || step.stale, 0
	err := s.commitError(s.opts.Store.Update(func(tx *store.Tx) (err error) {
		if given, err = step.put(tx); err != nil || !b.known || len(rest) > 0 || stale {
			return err
		}
		return layout.NoteLacking(tx, false)
	}))
	if err != nil {
		return err
	}
	s.probes.gather(step)
	s.done.embedded += step.embedded()
	b.files, b.stale, b.chunks = rest, stale, max(0, b.chunks-given)
	if len(rest) == 0 {
		b.chunks = 0
	}
	return nil
}

// embedAll embeds all that lacks a vector, for a caller that has the turn.
func (s *session) embedAll(ctx context.Context) error {
	s.Indexer.behind.add(s.behind)
	s.behind = nil
	for {
		step, err := s.nextStep(ctx)
		if err != nil || step == nil {
			return err
		}
		if err := step.compute(ctx, s.prog); err != nil {
			return err
		}
		if err := errors.Join(s.putStep(step), s.relieve(ctx)); err != nil {
			return err
		}
	}
}

// endBehind takes back the note that chunks lack vectors, where a look at all of them found none.
func (ix *Indexer) endBehind() error {
	if !ix.behind.noted {
		return nil
	}
	ix.behind.noted = false
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error { return layout.NoteLacking(tx, false) }))
}
