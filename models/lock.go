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

// lockInterval is the pause between attempts.
const lockInterval = 100 * time.Millisecond

// lock waits for exclusive fetching of name, among all processes.
func lock(ctx context.Context, cacheDir, name string) (unlock func() error, err error) {
	folder := filepath.Join(cacheDir, "locks")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name = strings.ReplaceAll(name, "/", "--") // names that share a lock merely wait
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
			return f.Close, nil // closing unlocks
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(lockInterval):
		}
	}
}

// ErrLocked says that another process kept a lock beyond the patience.
var ErrLocked = errors.New("somebody else has the lock")

// Lock is TryLock that retries after each pause until patience ends. The error
// wraps ErrLocked or is ctx's.
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

// TryLock locks a file, creating it if necessary; held is false if another
// holder, here or elsewhere, has it.
func TryLock(path string) (unlock func() error, held bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	if held, err = tryLock(f); err != nil || !held {
		return nil, false, errors.Join(err, f.Close())
	}
	return f.Close, true, nil // closing unlocks
}
