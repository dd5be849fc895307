package indexer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/indexer/extract"
	"dowse/store"
)

// commit writes one batch in one transaction: prepared files, or files to
// remove.
func (s *session) commit(ctx context.Context, batch []*prepared, gone []store.File) error {
	start := time.Now()
	defer func() { s.opts.Clock.add(clockCommit, start) }()
	var changed engine.Changed
	traces := false // of text that is gone
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		changed, traces = engine.Changed{}, false
		for _, p := range batch {
			replaced := changed.Updated + changed.Removed
			if err := commitFile(tx, p, &changed); err != nil {
				return err
			}
			traces = traces || changed.Updated+changed.Removed > replaced && !p.appended
		}
		if err := s.adopt(ctx, tx, batch); err != nil {
			return err
		}
		if err := s.post(tx, batch); err != nil {
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
			traces = true
		}
		if traces {
			if err := noteTraces(tx); err != nil {
				return err
			}
		}
		merge := changed.Updated+changed.Removed > 0 // chunks died
		if !merge {
			var err error
			if merge, err = crowded(tx); err != nil || !merge {
				return err
			}
		}
		_, err := s.mergeStep(ctx, tx)
		return err
	})
	if err != nil {
		return s.commitError(err)
	}
	if traces {
		s.left()
	}
	s.done.Added += changed.Added
	s.done.Updated += changed.Updated
	s.done.Removed += changed.Removed
	for _, p := range batch {
		if p.lacking > 0 {
			s.behind = append(s.behind, lackingFile{p.file.ID, p.lacking})
		}
		s.failed.note(s.opts.Emit, p)
		if p.left != "" {
			s.done.skipped.add(p.Root, p.Path, p.left)
			if !p.waits {
				s.refused.note(p)
			}
		}
		s.prog.committed(p.Path, extract.Cost(p.Path, p.Size))
	}
	if changed != (engine.Changed{}) {
		s.opts.Emit(engine.Event{Changed: &changed})
	}
	return nil
}

// commitFile writes one file of a batch, but for its postings.
func commitFile(tx *store.Tx, p *prepared, changed *engine.Changed) error {
	switch {
	case p.same:
		return tx.TouchFile(p.stored.ID, p.file.Size, p.file.ModTime, p.file.Changed)
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
	changed.Removed += len(p.kept.From)
	if err := tx.PutFileKeeping(&p.file, p.chunks, p.kept); err != nil {
		return err
	}
	if err := putVectors(tx, p.file, p.lent); err != nil {
		return err
	}
	if p.lacking > 0 {
		if err := layout.NoteLacking(tx, true); err != nil {
			return err
		}
	}
	if err := errors.Join(tx.PutFacts(p.file.ID, p.facts), tx.PutEntries(p.file.ID, p.said)); err != nil {
		return err
	}
	if p.packed != nil {
		if err := tx.PutText(p.file.ID, p.packed); err != nil {
			return err
		}
	}
	return nil
}

// post writes the postings of the new chunks of a batch.
func (s *session) post(tx *store.Tx, batch []*prepared) error {
	type place struct {
		*prepared
		chunk int
	}
	added := map[uint32]place{}
	for _, p := range batch {
		for i, id := range p.file.IDs.All() {
			if _, kept := p.kept.IDs[i]; !kept {
				added[id] = place{p, i}
			}
		}
	}
	if s.postings == nil {
		s.postings = lexical.NewBuilder()
	}
	builder, text := s.postings, 0
	builder.Reset() // of what a transaction left that failed
	for _, id := range slices.Sorted(maps.Keys(added)) {
		p := added[id]
		if p.terms != nil {
			builder.Add(id, p.terms[p.chunk])
			continue
		}
		builder.Add(id, s.opts.Analyzer.Document(nil, p.texts[p.chunk], nameOf(p.Path)))
		if text += len(p.texts[p.chunk]); text > manyText {
			if _, err := builder.Write(tx.Postings()); err != nil {
				return err
			}
			text = 0
		}
	}
	_, err := builder.Write(tx.Postings())
	return err
}

// putVectors stores vectors of a file's chunks by place, each row of places that follow each other as one run.
func putVectors(tx *store.Tx, f store.File, vectors map[int][]float32) error {
	var run []float32
	places := slices.Sorted(maps.Keys(vectors))
	for i, place := range places {
		run = append(run, vectors[place]...)
		if i+1 < len(places) && places[i+1] == place+1 {
			continue
		}
		dim := len(vectors[place])
		if err := tx.PutVectors(f, place+1-len(run)/dim, dim, run); err != nil {
			return err
		}
		run = run[:0]
	}
	return nil
}

// adopt gives the chunks of a batch the codes they take over.
func (s *session) adopt(ctx context.Context, tx *store.Tx, batch []*prepared) error {
	var moves []leann.Move
	for _, p := range batch {
		for i, id := range p.file.IDs.All() {
			if from, adopts := p.adopted[i]; adopts {
				moves = append(moves, leann.Move{From: from, To: id})
			}
		}
	}
	if len(moves) == 0 {
		return nil
	}
	return s.index().Adopt(ctx, layout.VectorIndex{Tx: tx}, moves)
}

// maxSegments is from how many segments on they are merged while words of new files are indexed. Other merges wait until
// all words are found and embedded: they join more segments at a time then, and each posting is written less often. A
// search reads all of them.
const maxSegments = 64

// crowded reports whether segments are to be merged at once.
func crowded(tx *store.Tx) (bool, error) {
	segments, err := tx.Postings().Segments()
	return len(segments) >= maxSegments, err
}

// mergeStep does the most urgent merge of postings, if any is due.
func (s *session) mergeStep(ctx context.Context, tx *store.Tx) (merged int, err error) {
	live, err := liveChunks(tx)
	if err != nil {
		return 0, err
	}
	merged, err = lexical.MergeDue(ctx, tx.Postings(), live)
	if err != nil || merged == 0 {
		return 0, err
	}
	return merged, s.freeIDs(tx)
}

// mergeDue merges postings until no merge is due.
func (s *session) mergeDue(ctx context.Context) error {
	for {
		merged := 0
		err := s.opts.Store.Update(func(tx *store.Tx) (err error) {
			merged, err = s.mergeStep(ctx, tx)
			return err
		})
		if err != nil {
			return s.commitError(err)
		}
		if merged == 0 {
			return nil
		}
		s.prog.phase(engine.Merging)
	}
}

// mergeAll merges the postings into one segment, which takes the fewest bytes.
func (s *session) mergeAll(ctx context.Context) error {
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		live, err := liveChunks(tx)
		if err != nil {
			return err
		}
		if merged, err := lexical.MergeAll(ctx, tx.Postings(), live); err != nil || merged == 0 {
			return err
		}
		return s.freeIDs(tx)
	})
	if err != nil {
		return s.commitError(err)
	}
	return nil
}

// commitError says what a person can do about a failed commit.
func (ix *Indexer) commitError(err error) error {
	if errors.Is(err, store.ErrNoSpace) {
		return fmt.Errorf("%w: the disk of %s is full; free some space and try again: what was indexed so far is kept",
			store.ErrNoSpace, ix.opts.Store.Path())
	}
	return err
}
