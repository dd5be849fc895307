package indexes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"dowse/engine"
	"dowse/engine/rerank/crossencoder"
	"dowse/internal/daemon"
	"dowse/internal/home"
	"dowse/internal/pressure"
	"dowse/store"
)

// Owner is a service in the process that owns the store. It serves others over the socket until it
// is closed. Its calls go to a Stack, which a migration replaces.
type Owner struct {
	engine.Relay
	opener  *Opener
	server  *daemon.Server
	current atomic.Pointer[Stack]
	idle    atomic.Pointer[crossencoder.IdleTracer] // nil where nothing is traced between searches
	tracing gate                                    // of that
	untrace context.CancelFunc                      // ends the tracing with the present reranker
	choice  sync.Mutex                              // held while other models are chosen that rank and answer

	watching  atomic.Bool
	replacing sync.Mutex     // held while a stack takes the place of another one
	retiring  sync.WaitGroup // stacks that others have taken the place of
	ended     atomic.Bool

	changing   *semaphore.Weighted // held by whoever changes a folder
	migrating  *semaphore.Weighted // held by whoever changes the embedder
	poke       chan struct{}       // holds a value when the change is to be looked at again
	migrations migrationState
}

// openOwner makes this process the owner of the store, or fails with store.ErrLocked. A damaged or
// foreign file in the index's place is moved aside, and an index of another version of dowse is
// built again: an index costs only time.
func (op *Opener) openOwner(ctx context.Context) (*Owner, error) {
	if err := home.MakePrivate(op.Home.Data); err != nil {
		return nil, err
	}
	stack, err := op.OpenStack(ctx, false)
	if err != nil {
		return nil, err
	}
	o := &Owner{opener: op, changing: semaphore.NewWeighted(1), migrating: semaphore.NewWeighted(1), poke: make(chan struct{}, 1)}
	o.Via = o.via
	o.migrations.wanted, o.migrations.folders = op.Config.Model, op.Config.Folders
	stack.forgetLost(ctx)
	if !stack.needsMigration(op.Config.Model) {
		_ = store.Discard(op.nextPath()) // of a change that was taken back; what is left does no harm
	}
	_ = store.Discard(op.folderIndexPath() + newSuffix) // of a move that was ended as it began
	_ = op.dropPacking()                                // what cannot be erased now is by the next
	if err := o.traceWhenIdle(stack.Models.Chosen().Reranker); err != nil {
		return nil, errors.Join(err, stack.Close())
	}
	o.adopt(stack)
	if o.server, err = daemon.Listen(op.Home.Socket(), o); err != nil {
		err = fmt.Errorf("%w; set XDG_RUNTIME_DIR or %s to a folder of your own on a local disk", err, home.Variable)
		o.tracing.close()
		return nil, errors.Join(err, stack.Close())
	}
	return o, nil
}

// Stack is what answers now.
func (o *Owner) Stack() *Stack { return o.current.Load() }

// adopt makes a stack the one that answers.
func (o *Owner) adopt(s *Stack) {
	s.idle, s.pending = &o.idle, o.status
	s.addFolderModels = func(_ context.Context, st *engine.Status) error {
		return s.folderModels(st, o.migrations.ownFolders(), o.migrations.whyUnmoved())
	}
	o.current.Store(s)
}

// via makes a call on the stack as it is, and again on the one that took its place.
func (o *Owner) via(_ context.Context, call func(engine.Service) error) error {
	for {
		s := o.Stack()
		err := call(s)
		if !errors.Is(err, errClosing) || o.ended.Load() {
			return err
		}
		o.awaitReplacement()
	}
}

// awaitReplacement waits until no stack is taking the place of another one.
func (o *Owner) awaitReplacement() {
	o.replacing.Lock()
	defer o.replacing.Unlock()
}

// traceWhenIdle traces rerankings of a reranker between searches, until the owner is closed or traces with another
// one.
func (o *Owner) traceWhenIdle(r *crossencoder.Reranker) error {
	if o.untrace != nil {
		o.untrace()
	}
	o.idle.Store(nil)
	if r == nil {
		return nil
	}
	ctx, leave, err := o.tracing.enter(context.Background())
	if err != nil {
		return err
	}
	ctx, o.untrace = context.WithCancel(ctx)
	idle, run := r.TraceWhenIdle()
	o.idle.Store(idle)
	go func() {
		defer leave()
		run(ctx)
	}()
	return nil
}

// tracer is told of searches; nil where nothing is traced between them.
func (s *Stack) tracer() *crossencoder.IdleTracer {
	if s.idle == nil {
		return nil
	}
	return s.idle.Load()
}

// Publish hands an event to every subscriber.
func (o *Owner) Publish(e engine.Event) { o.Stack().Publish(e) }

// Watch indexes folders and follows all known ones until ctx ends, handing events to emit. It
// migrates the index to the embedder of the settings meanwhile.
func (o *Owner) Watch(ctx context.Context, folders []string, emit func(engine.Event)) error {
	stop := o.Stack().forward(ctx, emit)
	defer stop()
	return o.watch(ctx, folders)
}

// watch indexes and follows until ctx ends.
func (o *Owner) watch(ctx context.Context, folders []string) error {
	o.watching.Store(true)
	defer o.watching.Store(false)
	ctx, cancel := context.WithCancel(ctx)
	var migrating sync.WaitGroup
	defer migrating.Wait()
	defer cancel()
	o.showAtOnce(ctx, folders)
	named, folders := o.splitByModel(folders)
	if roots, err := o.Stack().indexer.Roots(); err == nil && len(roots)+len(folders) == 0 && len(named) > 0 {
		if _, err := o.move(ctx, named, false); err != nil {
			return err
		}
		named = nil
	}
	migrating.Go(func() { o.migrateWhenWanted(ctx, named) })
	for {
		err := o.Stack().watch(ctx, folders)
		if !errors.Is(err, errClosing) || o.ended.Load() {
			return err
		}
		o.awaitReplacement()
		folders = nil
	}
}

// FollowMemory is Stack.FollowMemory.
func (o *Owner) FollowMemory(ctx context.Context, c pressure.Changes) { o.Stack().FollowMemory(ctx, c) }

// Close stops serving and releases everything.
func (o *Owner) Close() error {
	o.ended.Store(true)
	err := o.server.Close()
	o.tracing.close()
	o.awaitReplacement()
	o.retiring.Wait()
	return errors.Join(err, o.Stack().Close())
}
