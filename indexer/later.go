package indexer

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/walk"
)

// While folders are watched, programs of the person's are asked about a file without the turn of
// a sync: a note that is saved meanwhile does not wait for a film to be written down. A sync indexes
// such files by their own words, a goroutine asks about one after the other, and what it heard is
// committed by a sync of that one path.

// later are the files that programs are still to be asked about, and what they said of the last one.
type later struct {
	mu      sync.Mutex
	waiting []string // paths; the first comes next
	coming  []string // those that wait once the sync that met them has ended
	queued  map[string]bool
	answers map[string]*answer
	some    chan struct{} // holds one once there are some
}

// answer is the text that programs found in a file, with the file's state at that time.
type answer struct {
	size, modTime int64
	hash          [6]byte
	doc           *document.Document
	err           error
}

func newLater() *later {
	return &later{queued: map[string]bool{}, answers: map[string]*answer{}, some: make(chan struct{}, 1)}
}

// postpone has the files of a plan wait that programs are to be asked about, but for those with an
// answer, and returns how many wait. Those that are indexed stay as they are meanwhile.
func (ix *Indexer) postpone(p *plan) int {
	l := ix.later
	l.mu.Lock()
	defer l.mu.Unlock()
	read := p.read[:0]
	for _, j := range p.read {
		if ix.isLate(j.Path) && !l.answers[j.Path].matches(j.Entry) {
			if !l.queued[j.Path] && j.stored == nil {
				j.waits = true
				read = append(read, j)
			}
			l.queue(j.Path)
			continue
		}
		read = append(read, j)
	}
	p.read = read
	return len(l.waiting) + len(l.coming)
}

// queue appends a file. The caller holds l.mu.
func (l *later) queue(path string) {
	if !l.queued[path] {
		l.queued[path] = true
		l.coming = append(l.coming, path)
	}
}

// drop removes a file that its sync found to need no program.
func (l *later) drop(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.queued, path)
	l.coming = slices.DeleteFunc(l.coming, func(p string) bool { return p == path })
}

// release lets programs be asked about what a sync met.
func (l *later) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting, l.coming = append(l.waiting, l.coming...), nil
	if len(l.waiting) > 0 {
		select {
		case l.some <- struct{}{}:
		default:
		}
	}
}

// matches reports whether an answer is about a file of this size and time.
func (a *answer) matches(e walk.Entry) bool {
	return a != nil && a.size == e.Size && a.modTime == e.ModTime.UnixNano()
}

// next waits for a file to ask about; "" once ctx ends.
func (l *later) next(ctx context.Context) string {
	for {
		l.mu.Lock()
		if len(l.waiting) > 0 {
			path := l.waiting[0]
			l.waiting = l.waiting[1:]
			delete(l.queued, path)
			l.mu.Unlock()
			return path
		}
		l.mu.Unlock()
		select {
		case <-l.some:
		case <-ctx.Done():
			return ""
		}
	}
}

// waits reports whether a program is still to be asked about a file.
func (l *later) waits(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queued[path]
}

// answered returns the answer about a file, if it still has that hash; nil otherwise.
func (l *later) answered(path string, hash [6]byte) *answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a := l.answers[path]; a != nil && a.hash == hash {
		return a
	}
	return nil
}

// askLater asks about files that wait, while nobody searches, until ctx ends.
func (ix *Indexer) askLater(ctx context.Context) {
	for ctx.Err() == nil {
		path := ix.later.next(ctx)
		if path == "" {
			return
		}
		if ix.opts.Quiet != nil && ix.opts.Quiet(ctx) != nil {
			return
		}
		a := ix.ask(ctx, path)
		if ctx.Err() != nil { // what was cancelled says nothing of the file
			return
		}
		ix.later.mu.Lock()
		ix.later.answers[path] = a
		ix.later.mu.Unlock()
		ix.suspect([]string{path}) // its size and times may be as they were
		if _, err := ix.follow(ctx, []string{path}); err != nil && ctx.Err() == nil {
			ix.opts.Emit(engine.Event{Problem: fmt.Sprintf("%s could not be indexed, and will be tried again by the next run: %v", path, err)})
		}
		ix.later.mu.Lock()
		delete(ix.later.answers, path)
		ix.later.mu.Unlock()
	}
}

// ask takes the text out of a file, nil where it cannot be opened: a sync says why.
func (ix *Indexer) ask(ctx context.Context, path string) *answer {
	source, err := extract.Open(path, ix.reading())
	if err != nil {
		return nil
	}
	defer source.Close() //nolint:errcheck // nothing is written through it
	a := &answer{size: source.Info.Size(), modTime: source.Info.ModTime().UnixNano()}
	if a.hash, err = hashOf(ctx, source); err != nil {
		return nil
	}
	a.doc, a.err = source.Document(ctx)
	return a
}
