package indexes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/internal/ticks"
)

// watch indexes and follows until ctx ends.
func (s *Stack) watch(ctx context.Context, folders []string) error {
	_, err := writing(ctx, &s.gate, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.watchInside(ctx, folders)
	})
	return err
}

// watchInside is watch inside of the gate. An index whose embedder is not there stays as it is
// until a migration replaces it.
func (s *Stack) watchInside(ctx context.Context, folders []string) error {
	s.watching.Store(true)
	defer s.watching.Store(false)
	if s.byWords {
		if err := s.indexer.AddRoots(ctx, folders); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	var warming sync.WaitGroup
	defer warming.Wait()
	defer cancel()
	warming.Go(func() { s.repairWhileWatching(ctx) })
	if fi := s.folderIndex.Load(); fi != nil {
		warming.Go(func() { fi.watch(ctx) })
		if roots, err := s.indexer.Roots(); err != nil || len(roots)+len(folders) == 0 {
			<-ctx.Done()
			return errors.Join(err, ctx.Err())
		}
	}
	return s.indexer.Watch(ctx, folders, func() {
		if s.Models.Served() != nil {
			return // a server is not sent everything again ahead of questions
		}
		warming.Go(func() {
			if err := s.Warm(ctx); err != nil && ctx.Err() == nil {
				s.Publish(engine.Event{Problem: fmt.Sprintf("vectors could not be computed ahead, so searches take longer: %v", err)})
			}
		})
	})
}

// restAfter is how long after their last use a watcher keeps models open.
const restAfter = 5 * time.Minute

// rest gives back the memory of models that nobody used for a while.
func (s *Stack) rest() {
	before := time.Now().Add(-restAfter)
	err := s.Models.Rest(before)
	if fi := s.folderIndex.Load(); fi != nil && fi.byWords == "" {
		err = errors.Join(err, fi.models.Rest(before))
	}
	if err != nil {
		s.Publish(engine.Event{Problem: fmt.Sprintf("the memory of models could not be given back: %v", err)})
	}
}

// repairWhileWatching repairs an index when a search meets damage, and builds it again when its file
// was removed or replaced, until ctx ends. Meanwhile it has models rest.
func (s *Stack) repairWhileWatching(ctx context.Context) {
	tick := ticks.New(ticks.Idle) // two stats
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-s.damaged:
			_, err = s.indexer.Run(ctx, nil)
		case <-tick.C:
			s.rest()
			if s.DB.Gone() {
				err = s.rebuild(ctx)
			}
		}
		if err != nil && ctx.Err() == nil {
			s.Publish(engine.Event{Problem: fmt.Sprintf("the index could not be repaired: %v", err)})
		}
	}
}

// errFileGone is why an index is built again whose file is not there any more.
var errFileGone = errors.New("the file of the index was removed or replaced")

// rebuild puts a new index in the place of one whose file is gone.
func (s *Stack) rebuild(ctx context.Context) error {
	old, err := s.DB.StartOver(errFileGone)
	if err != nil {
		return err
	}
	s.Publish(engine.Event{Problem: indexer.Replacement(old)})
	_, err = s.indexer.Run(ctx, nil)
	return err
}
