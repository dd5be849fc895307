package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"dowse/engine"
	"dowse/internal/daemon"
	"dowse/internal/home"
	"dowse/store"
)

// Access says what a command wants of the index.
type Access int

// The kinds of access.
const (
	Read Access = iota // search it as it is
	Own                // change it, or follow it while others use it
)

// lockPatience is how long to wait for a process that holds the store without
// serving it: a one-shot in the middle of its answer, or an owner that is just
// starting or ending.
const lockPatience = 3 * time.Second

// Open returns a service on the index: a client of the process that owns the
// store, or that store itself. A client goes on when that process ends.
func (a *App) Open(ctx context.Context, access Access) (engine.Service, error) {
	service, err := a.open(ctx, access)
	if _, isClient := service.(*daemon.Client); isClient {
		return newHandover(a, access, service), nil
	}
	return service, err
}

func (a *App) open(ctx context.Context, access Access) (engine.Service, error) {
	deadline := time.Now().Add(lockPatience)
	for {
		client, err := daemon.Dial(ctx, a.Home.Socket())
		if err == nil {
			return client, nil
		}
		if !lost(err) { // lost: it may have ended while it was greeted
			return nil, err
		}
		service, err := a.openLocal(ctx, access)
		if err == nil {
			return service, nil
		}
		if !errors.Is(err, store.ErrLocked) || time.Now().After(deadline) {
			return nil, a.openError(err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// openLocal opens the store in this process.
func (a *App) openLocal(ctx context.Context, access Access) (engine.Service, error) {
	if access == Own {
		return a.openOwner(ctx)
	}
	if _, err := os.Stat(a.Home.Index()); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNothingIndexed
	}
	return a.OpenStack(ctx, true)
}

// ErrNothingIndexed is the answer to a search before anything was indexed.
var ErrNothingIndexed = errors.New("nothing is indexed yet; run dowse index DIR first")

// Unusable reports whether the index file is foreign, corrupt or from another version.
func Unusable(err error) bool {
	return errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrVersion)
}

// openError says what a person can do.
func (a *App) openError(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return ErrNothingIndexed
	case errors.Is(err, store.ErrLocked):
		return fmt.Errorf("the index %s is held by another process that does not answer; end that process and try again", a.Home.Index())
	case Unusable(err):
		return fmt.Errorf("%s cannot be used: %w; run dowse index DIR to move it aside and build a new one (your files are not affected)", a.Home.Index(), err)
	case errors.Is(err, store.ErrFingerprint):
		return fmt.Errorf("the index was built with another model or another version of dowse; run dowse index to build it again (%w)", err)
	case errors.Is(err, store.ErrNoSpace):
		return fmt.Errorf("%w: the disk of %s is full; free some space and try again", store.ErrNoSpace, a.Home.Index())
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; give yourself access to it, or set %s to a folder that can be written", err, home.Variable)
	}
	return err
}

// OpenAlone opens the index of this home for measurements: it is served to nobody,
// and nothing is traced between searches.
func (a *App) OpenAlone(ctx context.Context) (*Stack, error) {
	if err := home.MakePrivate(a.Home.Data); err != nil {
		return nil, err
	}
	s, err := a.OpenStack(ctx, false)
	if err != nil {
		return nil, a.openError(err)
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
func (a *App) OpenOwner(ctx context.Context, waiting func()) (*Owner, error) {
	start, told := time.Now(), false
	for {
		owner, err := a.openOwner(ctx)
		if err == nil || !errors.Is(err, store.ErrLocked) {
			return owner, a.openError(err)
		}
		if pid := a.watcher(ctx); pid != 0 {
			return nil, fmt.Errorf("process %d keeps the index fresh already; dowse index DIR adds a folder to it", pid)
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
func (a *App) watcher(ctx context.Context) int {
	client, err := daemon.Dial(ctx, a.Home.Socket())
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
		if h, ok := service.(*handover); ok {
			if len(folders) > 0 {
				_, _ = h.Index(ctx, folders, nil) // the owner tells its subscribers what went wrong
			}
			owner, folders = h.inherit(ctx), nil
			owns = owner != nil
		}
		if !owns {
			return
		}
		if err := owner.watch(ctx, folders); err != nil && ctx.Err() == nil {
			owner.Publish(engine.Event{Problem: err.Error()})
		}
	}()
	return done
}
