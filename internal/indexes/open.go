package indexes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/internal/daemon"
	"dowse/internal/home"
	"dowse/internal/pressure"
	"dowse/internal/registry"
	"dowse/internal/ticks"
	"dowse/store"
)

// Access says what a command wants of the index.
type Access int

// The kinds of access.
const (
	Read Access = iota // search it as it is
	Own                // change it, or follow it while others use it
)

// lockPatience is how long to wait for a process that holds the store without serving it: a
// one-shot that answers, or an owner that starts or ends. One that ends while it indexes embeds what it
// began and writes what its conversations hold: 2 s on two cores that do nothing else, drainPatience of
// modelset and more on busy ones.
const lockPatience = 20 * time.Second

// Opener opens the indexes of a home with the models of its registry.
type Opener struct {
	registry.Registry
	Calm *pressure.Calm // tells indexing to wait; nil: it never does
}

// Open returns a service on the index: a client of the owner, which survives it, or the store in
// this process.
func (op *Opener) Open(ctx context.Context, access Access) (engine.Service, error) {
	service, err := op.open(ctx, access)
	if _, isClient := service.(*daemon.Client); isClient {
		return newFailover(op, access, service), nil
	}
	return service, err
}

func (op *Opener) open(ctx context.Context, access Access) (engine.Service, error) {
	begun, told := time.Now(), false
	for {
		client, err := daemon.Dial(ctx, op.Home.Socket())
		if err == nil {
			return client, nil
		}
		if !lost(err) { // lost: it may have ended while it was greeted
			return nil, err
		}
		service, err := op.openLocal(ctx, access)
		if err == nil {
			return service, nil
		}
		waited := time.Since(begun)
		if !errors.Is(err, store.ErrLocked) || waited > lockPatience {
			return nil, op.openError(err)
		}
		if !told && waited > tellAfter && op.Tell != nil {
			told = true
			op.Tell("another dowse has the index and is about to end; waiting for it")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// openLocal opens the store in this process.
func (op *Opener) openLocal(ctx context.Context, access Access) (engine.Service, error) {
	if access == Own {
		return op.openOwner(ctx)
	}
	if _, err := os.Stat(op.Home.Index()); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNothingIndexed
	}
	return op.OpenStack(ctx, true)
}

// ErrNothingIndexed is the answer to a search before anything was indexed.
var ErrNothingIndexed = errors.New("nothing is indexed yet; run dowse index DIR first")

// ErrNoFolders says that there is nothing to watch.
var ErrNoFolders = indexer.ErrNoFolders

// ErrKept says that another process watches.
var ErrKept = errors.New("keeps the index fresh already")

// Unusable reports whether the index file is foreign, corrupt or from another version.
func Unusable(err error) bool {
	return errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrVersion)
}

// openError says what a person can do.
func (op *Opener) openError(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return ErrNothingIndexed
	case errors.Is(err, store.ErrLocked):
		return fmt.Errorf("the index %s is held by another dowse that serves nobody: it is about to end, or it was stopped; try again in a moment, or end it if it stays", op.Home.Index())
	case Unusable(err):
		return fmt.Errorf("%s cannot be used: %w; run dowse index DIR to move it aside and build a new one (your files are not affected)", op.Home.Index(), err)
	case errors.Is(err, store.ErrFingerprint):
		return fmt.Errorf("the index was built with another model or another version of dowse; run dowse index to build it again (%w)", err)
	case errors.Is(err, store.ErrNoSpace):
		return fmt.Errorf("%w: the disk of %s is full; free some space and try again", store.ErrNoSpace, op.Home.Index())
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; give yourself access to it, or set %s to a folder that can be written", err, home.Variable)
	}
	return err
}

// OpenAlone opens the index of this home for measurements, without a socket and without traces
// between searches.
func (op *Opener) OpenAlone(ctx context.Context) (*Stack, error) {
	if err := home.MakePrivate(op.Home.Data); err != nil {
		return nil, err
	}
	s, err := op.OpenStack(ctx, false)
	if err != nil {
		return nil, op.openError(err)
	}
	return s, nil
}

// Pauses of OpenOwner while another process has the store.
const (
	ownerPause = 100 * time.Millisecond
	tellAfter  = time.Second
)

// OpenOwner makes this process the owner of the store. It waits for others
// that only pass by (dowse index, a one-shot), and calls waiting if that takes
// long enough to be noticed; it refuses if one keeps the index fresh already.
func (op *Opener) OpenOwner(ctx context.Context, waiting func()) (*Owner, error) {
	start, told := time.Now(), false
	for {
		owner, err := op.openOwner(ctx)
		if err == nil || !errors.Is(err, store.ErrLocked) {
			return owner, op.openError(err)
		}
		if pid := op.watcher(ctx); pid != 0 {
			return nil, fmt.Errorf("process %d %w; dowse index DIR adds a folder to it", pid, ErrKept)
		}
		if !told && time.Since(start) > tellAfter {
			told = true
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(ownerPause):
		}
	}
}

// watcher is the process that keeps the index fresh, or 0.
func (op *Opener) watcher(ctx context.Context) int {
	client, err := daemon.Dial(ctx, op.Home.Socket())
	if err != nil {
		return 0
	}
	status, err := client.Status(ctx)
	if err != nil || !status.Watching {
		return 0
	}
	return status.Owner
}

// Follow keeps the index fresh while a screen is open: an owner watches, a
// client asks the owner to index the folders, and watches once that has ended.
// The channel closes when all this has ended after ctx did.
func Follow(ctx context.Context, service engine.Service, folders []string) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		owner, owns := service.(*Owner)
		if h, ok := service.(*failover); ok {
			if len(folders) > 0 {
				_, _ = h.Index(ctx, folders, nil) // the owner tells its subscribers what went wrong
			}
			owner, folders = h.awaitOwnership(ctx), nil
			owns = owner != nil
		}
		if !owns {
			return
		}
		if err := owner.watchSome(ctx, folders); err != nil && ctx.Err() == nil {
			owner.Publish(engine.Event{Problem: err.Error()})
		}
	}()
	return done
}

// watchSome is watch, and waits for a folder where none is indexed yet.
func (o *Owner) watchSome(ctx context.Context, folders []string) error {
	tick := ticks.New(ticks.Idle)
	defer tick.Stop()
	for {
		if err := o.watch(ctx, folders); !errors.Is(err, ErrNoFolders) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
