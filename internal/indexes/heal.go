package indexes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/store"
)

// openIndex opens the index. A writer puts an empty one in the place of a file
// that cannot be used, and says so.
func (op *Opener) openIndex(opts store.Options) (*store.DB, error) {
	if opts.ReadOnly {
		return store.Open(op.Home.Index(), opts)
	}
	db, old, err := store.OpenOrReplace(op.Home.Index(), opts)
	if old != nil {
		fmt.Fprintln(os.Stderr, "dowse: "+indexer.Replacement(old))
	}
	return db, err
}

// goneEvery is how often a watcher looks whether the file of its index is still
// there: two stats.
const goneEvery = 2 * time.Second

// mend has an index that is watched repaired when a search meets damage, and
// built again when its file was removed or replaced, until ctx ends.
func (s *Stack) mend(ctx context.Context) {
	tick := time.NewTicker(goneEvery)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-s.damaged:
			_, err = s.indexer.Run(ctx, nil)
		case <-tick.C:
			if s.DB.Gone() {
				err = s.renew(ctx)
			}
		}
		if err != nil && ctx.Err() == nil {
			s.Publish(engine.Event{Problem: fmt.Sprintf("the index could not be repaired: %v", err)})
		}
	}
}

// errGone is why an index is built again whose file is not there any more.
var errGone = errors.New("the file of the index was removed or replaced")

// renew puts a new index in the place of one whose file is gone.
func (s *Stack) renew(ctx context.Context) error {
	old, err := s.DB.StartOver(errGone)
	if err != nil {
		return err
	}
	s.Publish(engine.Event{Problem: indexer.Replacement(old)})
	_, err = s.indexer.Run(ctx, nil)
	return err
}
