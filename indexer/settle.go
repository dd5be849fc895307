package indexer

import (
	"context"
	"fmt"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// Bounds of settling: when fresh chunks give up their vectors for codes.
const (
	// maxFresh is how many chunks keep their vectors while an index grows.
	// Codebooks are the better the more kinds of text they were trained on,
	// and this many vectors take 400 MB of disk for a while.
	maxFresh = 1 << 18
	// idleFresh and idleShare bound what is left to wait for more: settling
	// rewrites blocks of thousands of codes.
	idleFresh = 64
	idleShare = 0.01
	// wasteShare and wasteBytes bound the room in the file that holds nothing.
	// A file written anew has some 5% of it, a very small one more.
	wasteShare = 0.15
	wasteBytes = 64 << 10
)

// settle gives fresh chunks codes in place of their vectors, if they are
// many or all are to have one, and tells whether it did.
func (s *session) settle(ctx context.Context, full bool) (settled bool, err error) {
	wanted, codeBytes, err := s.wantsSettling(full)
	if err != nil || !wanted {
		return false, err
	}
	s.prog.phase(engine.Merging)
	if err := s.settleAll(ctx, codeBytes); err != nil {
		return false, s.commitError(err)
	}
	return true, nil
}

// relieve settles in the middle of a run when too many vectors have piled up.
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
	_, err = s.settle(ctx, true)
	return err
}

// wantsSettling tells whether enough chunks are fresh, and how long codes are
// to be.
func (s *session) wantsSettling(full bool) (wanted bool, codeBytes int, err error) {
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

// index is the vector index.
func (ix *Indexer) index() leann.Index {
	return leann.Index{Dim: ix.opts.Embedder.Dim(), Dot: ix.opts.Dot}
}

// settleAll settles all fresh chunks in one transaction, and notes how many
// vectors a search is to recompute if that could be measured.
func (s *session) settleAll(ctx context.Context, codeBytes int) error {
	queries, err := s.probes.embed(ctx, s.opts.Embedder)
	if err != nil {
		return err
	}
	return s.opts.Store.Update(func(tx *store.Tx) error {
		live, err := liveChunks(tx)
		if err != nil {
			return err
		}
		done, err := s.index().Settle(ctx, layout.VectorIndex{Tx: tx}, leann.SettleOptions{CodeBytes: codeBytes, Queries: queries, Live: live})
		if err != nil || done.Recompute == 0 {
			return err
		}
		return layout.PutRecompute(tx, done.Recompute)
	})
}

// sweep drops the codes of chunks that are gone, where they are such a share.
func (s *session) sweep(ctx context.Context, share float64) error {
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		live, err := liveChunks(tx)
		if err != nil {
			return err
		}
		_, err = s.index().Sweep(ctx, layout.VectorIndex{Tx: tx}, live, share)
		return err
	})
	if err != nil {
		return s.commitError(err)
	}
	return nil
}

// shrink rewrites the file where much of it is free. A file that cannot be
// replaced now is left as it is: that costs room, no more.
func (s *session) shrink(ctx context.Context) error {
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
	if _, _, err := s.opts.Store.Compact(ctx, nil); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.opts.Emit(engine.Event{Problem: fmt.Sprintf("the index keeps %d bytes of free pages, because its file cannot be rewritten now: %v", wasted, err)})
	}
	return nil
}
