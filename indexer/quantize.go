package indexer

import (
	"context"
	"fmt"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// Bounds of quantizing: when fresh chunks give up their vectors for codes.
const (
	// maxFresh is how many chunks keep their vectors while an index grows.
	// Codebooks are the better the more kinds of text they were trained on,
	// and this many vectors take 400 MB of disk for a while.
	maxFresh = 1 << 18
	// idleFresh and idleShare bound what is left to wait for more: quantizing
	// rewrites blocks of thousands of codes.
	idleFresh = 64
	idleShare = 0.01
	// wasteShare and wasteBytes bound the room in the file that holds nothing.
	// A file written anew has some 5% of it, a very small one more.
	wasteShare = 0.15
	wasteBytes = 64 << 10
)

// quantize replaces the vectors of fresh chunks by codes if enough chunks are fresh,
// or with full if any are. It reports whether it did.
func (s *session) quantize(ctx context.Context, full bool) (quantized bool, err error) {
	wanted, codeBytes, err := s.quantizeDue(full)
	if err != nil || !wanted && !full {
		return false, err
	}
	// While vectors are there: links that are chosen by codes know no more than these.
	if err := s.link(ctx, leann.VacuumShare); err != nil || !wanted {
		return false, err
	}
	s.prog.phase(engine.Merging)
	if err := s.quantizeAll(ctx, codeBytes); err != nil {
		return false, s.commitError(err)
	}
	select {
	case s.quantized <- struct{}{}:
	default: // recodeLater knows
	}
	return true, nil
}

// relieve quantizes in the middle of a run when too many vectors have piled up.
func (s *session) relieve(ctx context.Context) error {
	fresh := 0
	err := s.opts.Store.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		fresh = counts.Vectors
		return err
	})
	if err != nil || fresh < maxFresh {
		return err
	}
	_, err = s.quantize(ctx, true)
	return err
}

// quantizeDue reports whether enough chunks are fresh, and returns the length of a
// code.
func (s *session) quantizeDue(full bool) (wanted bool, codeBytes int, err error) {
	err = s.opts.Store.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		least := max(idleFresh, int(idleShare*float64(counts.Chunks)))
		if full {
			least = 1
		}
		wanted = counts.Vectors >= least && counts.Chunks >= leann.MinChunks
		codeBytes = leann.CodeBytes(s.opts.Budget, counts.TextBytes, counts.Chunks)
		return nil
	})
	return wanted, codeBytes, err
}

// index returns the vector index.
func (ix *Indexer) index() leann.Index {
	return leann.Index{Dim: ix.opts.Embedder.Dim(), Dot: ix.opts.Dot, Rotate: ix.rotateFrom}
}

// quantizeAll quantizes all fresh chunks. Codebooks are trained and codes made while
// nothing is written; a run that is ended goes on with the next one. With the first step it
// stores the errors of estimates, if they could be measured.
func (s *session) quantizeAll(ctx context.Context, codeBytes int) error {
	queries, err := s.probes.embed(ctx, s.opts.Embedder)
	if err != nil {
		return err
	}
	var q *leann.Quantizing
	err = s.opts.Store.View(func(tx *store.Tx) error {
		live, err := vectorChunks(tx)
		if err != nil {
			return err
		}
		q, err = s.index().Prepare(ctx, layout.VectorIndex{Tx: tx}, leann.QuantizeOptions{CodeBytes: codeBytes, Queries: queries, Live: live})
		return err
	})
	if err != nil {
		return err
	}
	for first := true; q.Left(); first = false {
		err := s.opts.Store.View(func(tx *store.Tx) error { return q.Encode(ctx, layout.VectorIndex{Tx: tx}) })
		if err != nil {
			return err
		}
		err = s.opts.Store.Update(func(tx *store.Tx) error {
			if first {
				if err := noteErrors(tx, q.Errors, q.Measured); err != nil {
					return err
				}
			}
			return q.Put(layout.VectorIndex{Tx: tx})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// noteErrors stores what was measured with a new codebook, if it was.
func noteErrors(tx *store.Tx, model leann.ErrorModel, measured leann.Measured) error {
	if model == (leann.ErrorModel{}) {
		return nil
	}
	if err := layout.PutMeasured(tx, measured); err != nil {
		return err
	}
	return layout.PutErrors(tx, model)
}

// vacuumCodes drops the codes of chunks that are gone from the blocks in which they
// have at least this share.
func (s *session) vacuumCodes(ctx context.Context, share float64) error {
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		live, err := vectorChunks(tx)
		if err != nil {
			return err
		}
		if _, err := s.index().Vacuum(ctx, layout.VectorIndex{Tx: tx}, live, share); err != nil {
			return err
		}
		return s.freeIDs(tx)
	})
	if err != nil {
		return s.commitError(err)
	}
	return nil
}

// vacuumFile rewrites the file if much of it is free. A file that cannot be replaced
// now stays as it is, which only costs disk space.
func (s *session) vacuumFile(ctx context.Context) error {
	var total int64
	err := s.opts.Store.View(func(tx *store.Tx) error {
		sizes, err := tx.Sizes()
		total = sizes["total"]
		return err
	})
	if err != nil {
		return err
	}
	wasted, err := s.opts.Store.Wasted()
	if err != nil {
		return err
	}
	if float64(wasted) < wasteShare*float64(total) || wasted < wasteBytes {
		return nil
	}
	s.prog.phase(engine.Merging)
	if _, _, err := s.opts.Store.Vacuum(ctx, nil); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.opts.Emit(engine.Event{Problem: fmt.Sprintf("the index keeps %d bytes of free pages, because its file cannot be rewritten now: %v", wasted, err)})
	}
	return nil
}
