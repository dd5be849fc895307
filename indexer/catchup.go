package indexer

import (
	"context"
	"errors"
	"time"

	"dowse/engine"
	"dowse/store"
)

// While folders are watched, vectors are computed beside syncs: a note that is saved meanwhile is found by its words as
// soon as ever, and where the machine is wanted otherwise, or the embedder is away, meaning waits and words do not.

// catchUpSoon has embedLater look for what lacks a vector; with full, as after a look at whole roots. The caller has the
// turn.
func (ix *Indexer) catchUpSoon(full bool) {
	ix.tidies = ix.tidies || full
	select {
	case ix.woken <- struct{}{}:
	default: // it knows
	}
}

// embedLater embeds what syncs leave, until ctx ends.
func (ix *Indexer) embedLater(ctx context.Context) {
	tries := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-ix.woken:
		}
		for {
			err := ix.catchUp(ctx)
			if ctx.Err() != nil {
				return
			}
			if errors.Is(err, store.ErrCorrupt) {
				_, err = ix.runTurn(ctx, nil) // which repairs the index
			}
			if err == nil {
				tries = 0
				ix.unblock(true)
				break
			}
			ix.waits("files that are new or changed are found by words alone for now; to find them by meaning will be tried again", true, err)
			select {
			case <-ctx.Done():
				return
			case <-ix.woken:
			case <-time.After(ix.rescanAfter << min(tries, maxTries-1)):
				tries++
			}
		}
	}
}

// catchUp embeds all that lacks a vector, and makes the index small then. It has the turn only while it looks and commits.
func (ix *Indexer) catchUp(ctx context.Context) error {
	if err := ix.catching.Acquire(ctx, 1); err != nil {
		return err
	}
	defer ix.catching.Release(1)
	s := &session{Indexer: ix, prog: newProgress(ix.opts.Emit, false)}
	defer s.prog.phase(engine.Idle)
	for {
		var step *meaningStep
		err := ix.withTurn(ctx, func() (err error) {
			if step, err = s.nextStep(ctx); err != nil || step != nil {
				return err
			}
			full := ix.tidies
			ix.tidies = false
			return s.compress(ctx, full)
		})
		if err == nil && step != nil {
			err = step.compute(ctx, s.prog)
		}
		if err != nil || step == nil {
			if s.done.embedded > 0 {
				ix.opts.Emit(engine.Event{Changed: &engine.Changed{}}) // what is asked may be found by meaning now
			}
			return err
		}
		err = ix.withTurn(ctx, func() error { return errors.Join(s.putStep(step), s.relieve(ctx)) })
		if err != nil {
			return err
		}
	}
}

// withTurn calls do while it has the turn.
func (ix *Indexer) withTurn(ctx context.Context, do func() error) error {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer ix.turn.Release(1)
	return do()
}
