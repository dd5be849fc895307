package indexer

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/indexer/document"
	"dowse/store"
)

// prepareAll reads and cuts files, several at a time, and hands on a place for
// each in the order of the jobs: the same files then get the same numbers in
// the index, whichever is cut first, and equal scores rank in the same order. A
// nil place says that there is no room for the next file before those that were
// handed on are committed.
func (s *session) prepareAll(ctx context.Context, jobs []job, out chan<- (<-chan *prepared)) error {
	var group errgroup.Group
	group.SetLimit(s.opts.Threads)
	hand := func(place <-chan *prepared) error {
		select {
		case out <- place:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, j := range jobs {
		taken, place := s.room.estimate(j.expected()), make(chan *prepared, 1)
		var err error
		if !s.room.try(taken) {
			if err = hand(nil); err == nil {
				err = s.room.wait(ctx, taken)
			}
		}
		if err == nil {
			err = hand(place)
		}
		if err != nil {
			return errors.Join(group.Wait(), err)
		}
		group.Go(func() error {
			p := s.prepare(document.WithReport(ctx, s.prog.reading(j.Path)), j, s.donors.moved)
			s.room.settle(p, taken)
			if ctx.Err() != nil { // what was cancelled says nothing of the file
				return ctx.Err()
			}
			place <- p
			return nil
		})
	}
	return group.Wait()
}

// gatherAll gathers files into batches. A batch is handed on when it is full or old, or
// when others wait for its room. A file is never split over two. left is how many files are still to come.
func (s *session) gatherAll(ctx context.Context, left int, in <-chan (<-chan *prepared), out chan<- []*prepared) error {
	var batch []*prepared
	chunks, size, most := 0, firstBatch, firstBatch
	started := time.Now()
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := s.reuse(ctx, batch); err != nil {
			return err
		}
		select {
		case out <- batch:
		case <-ctx.Done():
			return ctx.Err()
		}
		left, size = left-len(batch), min(2*size, batchFiles)
		batch, chunks, started, most = nil, 0, time.Now(), min(size, max(left/2, lastBatch))
		return nil
	}
	for place := range in {
		p, err := await(ctx, place, batch, started, flush)
		if err != nil {
			return err
		}
		if p == nil {
			if err := flush(); err != nil {
				return err
			}
			continue
		}
		batch = append(batch, p)
		chunks += len(p.chunks)
		if chunks >= batchChunks || len(batch) >= most || time.Since(started) > batchTime {
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

// await returns the file that comes to a place, nil of none. Where that takes long, as a program of the
// person's may, the batch is handed on meanwhile.
func await(ctx context.Context, place <-chan *prepared, batch []*prepared, started time.Time, flush func() error) (*prepared, error) {
	if place == nil {
		return nil, nil
	}
	var old <-chan time.Time
	if len(batch) > 0 {
		timer := time.NewTimer(batchTime - time.Since(started))
		defer timer.Stop()
		old = timer.C
	}
	for {
		select {
		case p := <-place:
			return p, nil
		case <-old:
			if err := flush(); err != nil {
				return nil, err
			}
			old = nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// reuse finds what each file of a batch takes over from older versions and from copies.
func (s *session) reuse(ctx context.Context, batch []*prepared) error {
	err := s.opts.Store.View(func(tx *store.Tx) error {
		for _, p := range batch {
			if p.same || p.left != "" {
				continue
			}
			if err := s.fill(tx, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range batch {
		if !p.same && p.left == "" && isLog(&p.file) {
			if err := s.analyse(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}
