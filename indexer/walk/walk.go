package walk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"dowse/indexer/ignore"
	"dowse/indexer/nofollow"
)

// Walk calls onFile for every file below roots that is worth reading and onSkip,
// unless nil, for every entry that is left out. Both are called from the
// goroutine that called Walk, one at a time and in no particular order. An error
// of onFile ends the walk and is returned as it is; a cancelled ctx ends it with
// ctx.Err().
func Walk(ctx context.Context, roots []string, opts Options, onFile func(Entry) error, onSkip func(Skip)) error {
	resolved, err := ResolveRoots(roots)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := newWalker(ctx, resolved, opts)
	defer w.wait()
	defer cancel() // before wait: the workers end because of it
	for found := range w.found {
		if opts.OnDir != nil && found.dir != "" {
			opts.OnDir(found.dir)
		}
		if onSkip != nil {
			for _, s := range found.skips {
				onSkip(s)
			}
		}
		for _, entry := range found.files {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := onFile(entry); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// listing is what one directory holds.
type listing struct {
	dir   string // "" when the directory was not entered
	files []Entry
	skips []Skip
}

// job is a directory to read.
type job struct {
	path    string
	root    string
	matcher func() *ignore.Matcher // reads rule files, so it waits for the worker
}

// walker is a walk under way: a stack of directories that workers take from and
// put back to.
type walker struct {
	ctx   context.Context
	opts  Options
	roots []string
	found chan listing
	group sync.WaitGroup

	mu      sync.Mutex
	changed sync.Cond         // of mu: stack or pending changed
	stack   []job             // guarded by mu
	pending int               // directories on the stack or being read; guarded by mu
	entered map[identity]bool // guarded by mu
}

func newWalker(ctx context.Context, roots []string, opts Options) *walker {
	w := &walker{
		ctx: ctx, opts: opts, roots: roots,
		found:   make(chan listing, 64),
		entered: map[identity]bool{},
	}
	w.changed.L = &w.mu
	for _, root := range roots {
		if !opts.excepts(root) {
			w.stack = append(w.stack, w.rootJob(root))
		}
	}
	w.pending = len(w.stack)
	workers := opts.Workers
	if workers <= 0 {
		workers = defaultWorkers
	}
	for range workers {
		w.group.Go(w.work)
	}
	// A worker that waits for a directory does not see ctx end by itself.
	stop := context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed.Broadcast()
	})
	go func() {
		w.group.Wait()
		stop()
		close(w.found)
	}()
	return w
}

func (w *walker) rootJob(root string) job {
	return job{path: root, root: root, matcher: func() *ignore.Matcher { return ignore.New(root) }}
}

// wait returns when no worker runs any more.
func (w *walker) wait() { w.group.Wait() }

// work reads directories until none is left.
func (w *walker) work() {
	for {
		j, ok := w.next()
		if !ok {
			return
		}
		found, below := w.read(j)
		select {
		case w.found <- found:
		case <-w.ctx.Done():
		}
		w.done(below)
	}
}

// next takes a directory from the stack, waiting while others may still find
// some; false when the walk is over.
func (w *walker) next() (job, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.stack) == 0 && w.pending > 0 && w.ctx.Err() == nil {
		w.changed.Wait()
	}
	if len(w.stack) == 0 || w.ctx.Err() != nil {
		return job{}, false
	}
	last := len(w.stack) - 1
	j := w.stack[last]
	w.stack[last] = job{}
	w.stack = w.stack[:last]
	return j, true
}

// done says that a directory was read and hands over those found in it.
func (w *walker) done(below []job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stack = append(w.stack, below...)
	w.pending += len(below) - 1
	w.changed.Broadcast()
}

// errEntered says that a directory was reached by a second way.
var errEntered = errors.New("the same directory was entered under another path")

// enter opens a directory that was not entered before. Its path is resolved: a
// link on the way was put there since it was listed.
func (w *walker) enter(dir string) (*os.File, error) {
	f, err := nofollow.Open(dir)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() {
		err = os.ErrNotExist // replaced since it was listed
	}
	if err == nil {
		id := identify(filepath.Clean(dir), info)
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.entered[id] {
			w.entered[id] = true
			return f, nil
		}
		err = errEntered
	}
	return nil, errors.Join(err, f.Close())
}
