package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"dowse/indexer/ignore"
	"dowse/indexer/walk"
)

// rescanEvery is how often everything is looked at when the system would not
// let us watch every folder. A rescan of unchanged files costs one stat each.
const rescanEvery = 30 * time.Second

// watcher turns file system events below some roots into batches of paths to
// look at. One goroutine runs it.
type watcher struct {
	events *fsnotify.Watcher
	filter *walk.Filter
	roots  []string

	mu      sync.Mutex
	partial error // why not every folder is watched; nil if all are
}

// newWatcher watches every folder below the roots that would be indexed.
func newWatcher(ctx context.Context, roots []string, opts walk.Options) (*watcher, error) {
	filter, err := walk.NewFilter(roots, opts)
	if err != nil {
		return nil, err
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch for changes: %w; raise fs.inotify.max_user_instances", err)
	}
	w := &watcher{events: events, filter: filter, roots: roots}
	for _, root := range roots {
		w.watchTree(ctx, root)
	}
	return w, nil
}

func (w *watcher) close() error { return w.events.Close() }

// limited is why not every folder is watched, or nil.
func (w *watcher) limited() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.partial
}

// watchTree watches a folder and all below it. Folders that vanish meanwhile
// are passed over: their parent's watch reports that.
func (w *watcher) watchTree(ctx context.Context, dir string) {
	if ctx.Err() != nil || w.filter.Dir(dir) != nil {
		return
	}
	if err := w.events.Add(dir); err != nil {
		w.noteLimit(err)
		return
	}
	// Read after the watch stands: what is created from now on is an event.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			w.watchTree(ctx, filepath.Join(dir, e.Name()))
		}
	}
}

// noteLimit remembers that the system refused a watch for want of room.
func (w *watcher) noteLimit(err error) {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EMFILE) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.partial == nil {
		w.partial = fmt.Errorf("the system's limit on watched folders is reached (%w), so changes are found by looking every %s; raise fs.inotify.max_user_watches",
			err, rescanEvery)
	}
}

// run hands batches of changed paths to handle until ctx ends. Paths name
// files or folders that appeared, changed or went; nil means look everywhere.
// Events that come while handle works are kept for the next batch.
func (w *watcher) run(ctx context.Context, handle func(ctx context.Context, paths []string)) error {
	batches := make(chan *changes)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for batch := range batches {
			paths, rescan := batch.take()
			if rescan {
				w.settle(ctx, w.roots)
				paths = nil
			} else {
				w.settle(ctx, paths)
			}
			handle(ctx, paths)
		}
	}()
	err := w.collect(ctx, batches)
	close(batches)
	<-done
	return err
}

// collect drains the events, so that the system's queue does not overflow
// while a batch is being worked on, and sends each batch when it is due.
func (w *watcher) collect(ctx context.Context, batches chan<- *changes) error {
	pending := &changes{}
	rescan := time.NewTicker(rescanEvery)
	defer rescan.Stop()
	for {
		var due <-chan time.Time
		var send chan<- *changes
		if !pending.empty() {
			if wait := pending.wait(time.Now()); wait > 0 {
				due = time.After(wait)
			} else {
				send = batches
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case send <- pending:
			pending = &changes{}
		case <-due:
		case <-rescan.C:
			if w.limited() != nil {
				pending.lost(time.Now())
			}
		case e, ok := <-w.events.Events:
			if !ok {
				return nil
			}
			w.note(e, pending)
		case err, ok := <-w.events.Errors:
			if !ok {
				return nil
			}
			w.failed(err, pending)
		}
	}
}

// settle makes the watches fit what is there once a burst of events is over
// and before the paths are looked at, so that nothing falls between: watches
// below a path that is gone end, and a folder is watched with all below it. A
// renamed folder is both, since the system's watch moved along with it.
func (w *watcher) settle(ctx context.Context, paths []string) {
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		for _, watched := range w.events.WatchList() {
			if within(watched, path) {
				_ = w.events.Remove(watched) // it may have ended by itself
			}
		}
	}
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			w.watchTree(ctx, path)
		}
	}
}

// note files one event. A changed ignore file may open or close its folder.
func (w *watcher) note(e fsnotify.Event, pending *changes) {
	path := e.Name
	if ignore.IsRuleFile(filepath.Base(path)) {
		path = filepath.Dir(path)
		w.filter.Forget(path)
	}
	pending.add(path, time.Now())
}

// failed handles an error of the event source: events may be lost, so that
// everything is looked at again.
func (w *watcher) failed(err error, pending *changes) {
	w.noteLimit(err)
	pending.lost(time.Now())
}
