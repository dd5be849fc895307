package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"dowse/indexer/ignore"
	"dowse/indexer/paths"
	"dowse/indexer/stamp"
	"dowse/indexer/walk"
	"dowse/internal/ticks"

	"github.com/fsnotify/fsnotify"
)

// rescanEvery is how often everything is looked at when the system would not
// let us watch every folder. A rescan of unchanged files costs one stat each.
const rescanEvery = 30 * time.Second

// watcher turns file system events below some roots into batches of paths to
// look at. One goroutine collects events while another works on a batch.
type watcher struct {
	ix     *Indexer
	events *fsnotify.Watcher
	roots  rootSet       // used by collect
	mounts mountTable    // likewise
	due    chan []string // paths to look at again

	mu      sync.Mutex
	filter  *walk.Filter // of the roots that are there
	partial error        // why not every folder is watched; nil if all are
	failed  bool         // a batch could not be indexed: look again
	tries   int          // batches in a row that could not be, at most maxTries
	skip    int          // looks that are left out before the next one
}

// newWatcher watches every folder below the roots that would be indexed.
func newWatcher(ctx context.Context, ix *Indexer) (*watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch for changes: %w; raise fs.inotify.max_user_instances", err)
	}
	w := &watcher{ix: ix, events: events, roots: rootSet{look: ix.lookAtRoot}, due: make(chan []string)}
	roots, err := ix.watchedRoots()
	if err == nil {
		err = w.refilter()
	}
	if err != nil {
		return nil, errors.Join(err, events.Close())
	}
	w.mounts.arrivals(roots) // ahead of the watches, so that none is missed in between
	for _, root := range w.roots.arrivals(roots) {
		w.watchTree(ctx, root)
	}
	w.judge(roots)
	return w, nil
}

// judge notes which roots are looked at now and then, and why.
func (w *watcher) judge(roots []string) {
	w.ix.polling.keep(roots)
	for _, root := range roots {
		why := ""
		for _, dir := range append([]string{root}, mountsOf(root, mountPoints())...) {
			if name := remoteType(dir); name != "" {
				why = "it lies on a file system that others change (" + name + ")"
			}
		}
		if w.limited() != nil {
			why = "the system's limit on watched folders is reached"
		}
		w.ix.polling.set(root, why)
	}
}

// refilter makes the filter anew for the roots that are there now.
func (w *watcher) refilter() error {
	roots, err := w.ix.watchedRoots()
	if err != nil {
		return err
	}
	filter, err := walk.NewFilter(w.ix.existing(roots), w.ix.walkOptions())
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.filter = filter
	return nil
}

// rules returns the filter as it is now.
func (w *watcher) rules() *walk.Filter {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.filter
}

func (w *watcher) close() error {
	w.mounts.close()
	return w.events.Close()
}

// limited is why not every folder is watched, or nil.
func (w *watcher) limited() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.partial
}

// watchTree watches a folder and all below it. Folders that vanish meanwhile
// are passed over: their parent's watch reports that.
func (w *watcher) watchTree(ctx context.Context, dir string) {
	if ctx.Err() != nil {
		return
	}
	if left := w.rules().Dir(dir); left != nil {
		if left.Err != nil {
			_ = w.ix.watchDir(w.events, dir) // the file of rules may change; if not, a rescan finds out
		}
		return
	}
	if err := w.ix.watchDir(w.events, dir); err != nil {
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
		w.partial = fmt.Errorf("the system's limit on watched folders is reached (%w), so changes are found by looking every half minute or less often; raise fs.inotify.max_user_watches", err)
	}
}

// run hands batches of changed paths to handle until ctx ends. Paths name
// files or folders that appeared, changed or went; nil means look everywhere.
// Events that come while handle works are kept for the next batch; after a
// batch that failed, everything is looked at a while later, and paths that
// handle returns come again after holdTime.
func (w *watcher) run(ctx context.Context, handle handler) error {
	wanted := make(chan chan *batch)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		into := make(chan *batch, 1)
		for {
			select {
			case wanted <- into:
			case <-ended:
				return
			}
			b := <-into
			if err := w.work(ctx, b, handle); err != nil {
				w.again()
			} else {
				w.worked(b.rescan)
			}
		}
	}()
	err := w.collect(ctx, wanted)
	close(ended)
	<-done
	return err
}

// handler works on changed paths and returns those to look at again.
type handler func(ctx context.Context, paths []string) (again []string, err error)

// work rewatches for one batch and hands it on.
func (w *watcher) work(ctx context.Context, b *batch, handle handler) error {
	paths := b.paths
	w.ix.suspect(b.named)
	if b.roots || b.rescan {
		if err := w.refilter(); err != nil {
			return err
		}
	}
	if b.rescan {
		roots, err := w.ix.watchedRoots()
		if err != nil {
			return err
		}
		w.rewatch(ctx, roots, true)
		paths = nil
	} else {
		w.rewatch(ctx, paths, b.roots)
	}
	start := time.Now()
	again, err := handle(ctx, paths)
	if b.polls && err == nil {
		w.ix.polling.took(time.Since(start), w.ix.rescanAfter)
	}
	if b.polls || b.roots || b.rescan {
		if roots, err := w.ix.watchedRoots(); err == nil {
			w.judge(roots)
		}
	}
	if len(again) > 0 {
		time.AfterFunc(holdTime, func() {
			select {
			case w.due <- again:
			case <-ctx.Done():
			}
		})
	}
	return err
}

// maxTries bounds how long it is waited after batches that failed: each one embeds what it then cannot
// write, which is not to keep a machine busy whose disk is full for days.
const maxTries = 4

// again has everything looked at once more, as after a batch that failed: at the next tick, and after each
// further failure twice as many ticks later, up to 8.
func (w *watcher) again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.failed {
		w.skip = 1<<w.tries - 1
		w.tries = min(w.tries+1, maxTries-1)
	}
	w.failed = true
}

// worked notes a batch that did not fail, so that what failed may not, either. all says that everything is in step.
func (w *watcher) worked(all bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.skip = 0
	if all {
		w.tries = 0
	}
}

// mustRescan reports whether to look at everything now, because of a batch that failed.
func (w *watcher) mustRescan() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed && w.skip > 0 {
		w.skip--
		return false
	}
	again := w.failed
	w.failed = false
	return again
}

// collect drains the events, so that the system's queue does not overflow
// while a batch is being worked on, and hands each batch on when it is due and wanted.
func (w *watcher) collect(ctx context.Context, wanted <-chan chan *batch) error {
	pending := &changes{}
	rescan := ticks.New(w.ix.rescanAfter)
	defer rescan.Stop()
	roots := ticks.New(ticks.Idle) // whether each root is there: some stats
	defer roots.Stop()
	for {
		var due <-chan time.Time
		var ready <-chan chan *batch
		if !pending.empty() {
			if wait := pending.wait(time.Now()); wait > 0 {
				due = time.After(wait)
			} else {
				ready = wanted
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case into := <-ready:
			into <- pending.dueBatch(time.Now())
		case <-due:
		case <-rescan.C:
			if w.mustRescan() {
				pending.lost(time.Now())
			}
			for _, root := range w.ix.polling.due(time.Now()) {
				pending.polled(root, time.Now())
			}
		case <-roots.C:
			w.lookAtRoots(pending)
		case path := <-w.ix.asked:
			pending.add(path, time.Now())
		case paths := <-w.due:
			for _, path := range paths {
				pending.add(path, time.Now())
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
			w.missed(err, pending)
		}
	}
}

// rewatch makes the watches fit what is there once a burst of events is over
// and before the paths are looked at, so that nothing falls between: watches
// below a path that is gone end, and a folder is watched with all below it. A
// renamed folder is both, since the system's watch moved along with it. With
// anew, watches below paths that are there are set anew too: after a root was
// replaced they still belong to the folders of the old one.
func (w *watcher) rewatch(ctx context.Context, changed []string, anew bool) {
	for _, path := range changed {
		if _, err := os.Lstat(path); err == nil && !anew {
			continue
		}
		for _, watched := range w.events.WatchList() {
			if paths.Within(watched, path) {
				_ = w.events.Remove(watched) // it may have ended by itself
			}
		}
	}
	for _, path := range changed {
		w.rules().Forget(path) // ignore files moved along, too
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			w.watchTree(ctx, path)
		}
	}
}

// lookAtRoots notes the roots for which no event tells that they are there.
func (w *watcher) lookAtRoots(pending *changes) {
	roots, err := w.ix.watchedRoots()
	if err != nil {
		return // the store is going; a batch would say so
	}
	if left := w.roots.dropped(roots); len(left) > 0 {
		w.unwatch(left, roots)
	}
	for _, root := range append(w.roots.arrivals(roots), w.mounts.arrivals(roots)...) {
		pending.arrived(root, time.Now())
	}
}

// unwatch ends the watches below folders, but for those that lie in one of the roots.
func (w *watcher) unwatch(folders, roots []string) {
	for _, watched := range w.events.WatchList() {
		if paths.WithinAny(watched, folders) && !paths.WithinAny(watched, roots) {
			_ = w.events.Remove(watched) // it may have ended by itself
		}
	}
}

// note files one event. A changed ignore file may open or close its folder.
func (w *watcher) note(e fsnotify.Event, pending *changes) {
	path := e.Name
	switch {
	case ignore.IsRuleFile(filepath.Base(path)):
		path = filepath.Dir(path)
		w.rules().Forget(path)
	case e.Has(fsnotify.Remove), e.Has(fsnotify.Rename):
		w.roots.left(path)
	}
	pending.add(path, time.Now())
	if database, is := strings.CutSuffix(path, stamp.WAL); is {
		pending.add(database, time.Now())
	}
}

// missed handles an error of the event source: events may be lost, so that
// everything is looked at again.
func (w *watcher) missed(err error, pending *changes) {
	w.noteLimit(err)
	pending.lost(time.Now())
}
