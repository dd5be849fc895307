package indexer

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/engine"
	"dowse/store"
)

// Bounds of a batch: one transaction. A batch is large enough for the cost of
// a commit (a few writes that wait for the disk) not to be felt, and small
// enough for a kill to lose seconds of work.
const (
	batchChunks = 512
	batchFiles  = 128
	batchTime   = 2 * time.Second
)

// tally is what a sync has done so far.
type tally struct {
	engine.Changed
	skipped  skips
	embedded int // chunks
}

// sync brings the index in step with the files at and below paths. full says
// that paths are whole roots, so that what was left out is all there is.
// The caller holds ix.mu.
func (ix *Indexer) sync(ctx context.Context, roots, paths []string, full bool) (*tally, error) {
	prog := newProgress(ix.opts.Emit, full)
	prog.phase(engine.Scanning)
	found, err := ix.list(ctx, roots, paths)
	if err != nil {
		return nil, err
	}
	todo, err := ix.compare(found, paths)
	if err != nil {
		return nil, err
	}
	prog.plan(len(todo.read), todo.bytes)
	s := &session{
		Indexer: ix,
		prog:    prog,
		donors:  newDonors(todo.gone),
		done:    tally{skipped: found.skipped},
	}
	if len(todo.read)+len(todo.gone) > 0 {
		if err := s.run(ctx, todo); err != nil {
			return nil, err
		}
	}
	if err := s.compress(ctx, full); err != nil {
		return nil, err
	}
	if full {
		if err := ix.noteSkips(paths, s.done.skipped); err != nil {
			return nil, err
		}
	}
	prog.phase(engine.Idle)
	return &s.done, nil
}

// session is one sync at work.
type session struct {
	*Indexer
	prog   *progress
	donors *donors
	probes probes
	done   tally
}

// run pushes the files through three stages that work at the same time: read
// and cut (as many at a time as there are threads), embed, commit.
func (s *session) run(ctx context.Context, todo *plan) error {
	group, stage := errgroup.WithContext(ctx)
	cutFiles := make(chan (<-chan *prepared), s.opts.Threads)
	batches := make(chan []*prepared)
	group.Go(func() error {
		defer close(cutFiles)
		return s.prepareAll(stage, todo.read, cutFiles)
	})
	group.Go(func() error {
		defer close(batches)
		return s.embedAll(stage, cutFiles, batches)
	})
	group.Go(func() error {
		for batch := range batches {
			if err := s.commit(stage, batch, nil); err != nil {
				return err
			}
			if err := s.relieve(stage); err != nil {
				return err
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return err
	}
	// Last, because files that are gone lend their vectors to renamed ones.
	if len(todo.gone) > 0 {
		if err := s.commit(ctx, nil, todo.gone); err != nil {
			return err
		}
	}
	return s.tidy(ctx)
}

// compress makes the index as small as it gets: without vectors that a code
// can stand for, without what is gone, without free pages.
func (s *session) compress(ctx context.Context, full bool) error {
	settled, err := s.settle(ctx, full)
	if err != nil || !full && !settled {
		return err
	}
	if err := s.sweep(ctx); err != nil {
		return err
	}
	if err := s.unite(ctx); err != nil {
		return err
	}
	return s.shrink(ctx)
}

// prepareAll reads and cuts files, several at a time, and hands on a place for
// each in the order of the jobs: the same files then get the same numbers in
// the index, whichever is cut first, and equal scores rank in the same order.
func (s *session) prepareAll(ctx context.Context, jobs []job, out chan<- (<-chan *prepared)) error {
	var group errgroup.Group
	group.SetLimit(s.opts.Threads)
	for _, j := range jobs {
		place := make(chan *prepared, 1)
		select {
		case out <- place:
		case <-ctx.Done():
			return errors.Join(group.Wait(), ctx.Err())
		}
		group.Go(func() error {
			place <- s.prepare(j)
			return nil
		})
	}
	return group.Wait()
}

// embedAll gathers files into batches and embeds their chunks. A batch is
// handed on when it is full or old; a file is never split over two.
func (s *session) embedAll(ctx context.Context, in <-chan (<-chan *prepared), out chan<- []*prepared) error {
	var batch []*prepared
	chunks := 0
	started := time.Now()
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := s.embed(ctx, batch); err != nil {
			return err
		}
		select {
		case out <- batch:
		case <-ctx.Done():
			return ctx.Err()
		}
		batch, chunks, started = nil, 0, time.Now()
		return nil
	}
	for place := range in {
		var p *prepared
		select {
		case p = <-place:
		case <-ctx.Done():
			return ctx.Err()
		}
		batch = append(batch, p)
		chunks += len(p.chunks)
		if chunks >= batchChunks || len(batch) >= batchFiles || time.Since(started) > batchTime {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return flush()
}

// embedSlice is how many chunks are embedded between two looks at ctx and two
// reports of progress.
const embedSlice = 128

// embed fills the vectors of a batch: from older versions where the text is
// the same, from the model otherwise.
func (s *session) embed(ctx context.Context, batch []*prepared) error {
	dim := s.opts.Embedder.Dim()
	type place struct {
		p     *prepared
		chunk int
	}
	var texts []string
	var places []place
	err := s.opts.Store.View(func(tx *store.Tx) error {
		for _, p := range batch {
			if p.same || p.left != "" {
				continue
			}
			if err := s.donors.fill(tx, s.index(), p); err != nil {
				return err
			}
			for _, i := range p.missing {
				texts = append(texts, p.texts[i])
				places = append(places, place{p, i})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for from := 0; from < len(texts); from += embedSlice {
		to := min(from+embedSlice, len(texts))
		vectors, err := s.opts.Embedder.EmbedDocuments(ctx, texts[from:to])
		if err != nil {
			return err
		}
		for i, at := range places[from:to] {
			copy(at.p.vectors[at.chunk*dim:], vectors[i*dim:(i+1)*dim])
		}
		s.prog.embedded(to - from)
	}
	s.done.embedded += len(texts)
	return nil
}
