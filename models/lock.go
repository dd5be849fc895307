package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lockInterval is how often a lock that another process holds is tried again.
const lockInterval = 100 * time.Millisecond

// lock waits until nobody else, in this process or another, fetches name.
func lock(ctx context.Context, cacheDir, name string) (unlock func() error, err error) {
	folder := filepath.Join(cacheDir, "locks")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name = strings.ReplaceAll(name, "/", "--") // two names that share a lock wait for each other, no more
	f, err := os.OpenFile(filepath.Join(folder, name+".lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		held, err := tryLock(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", f.Name(), err), f.Close())
		}
		if held {
			return f.Close, nil // closing gives the lock back
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(lockInterval):
		}
	}
}

// ErrLocked says that somebody else kept a lock for longer than was waited.
var ErrLocked = errors.New("somebody else has the lock")

// Lock takes the lock of a file as TryLock does, and waits for whoever has it, but not
// longer than patience. It looks again after each pause. The error wraps ErrLocked, or
// is that of ctx.
func Lock(ctx context.Context, path string, patience, pause time.Duration) (unlock func() error, err error) {
	for deadline := time.Now().Add(patience); ; {
		unlock, held, err := TryLock(path)
		if err != nil || held {
			return unlock, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%s: %w", path, ErrLocked)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// TryLock takes the lock of a file, which it makes if need be, unless somebody
// else has it, in this process or another: held is false then, and there is
// nothing to unlock.
func TryLock(path string) (unlock func() error, held bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	if held, err = tryLock(f); err != nil || !held {
		return nil, false, errors.Join(err, f.Close())
	}
	return f.Close, true, nil // closing gives the lock back
}
