package indexer

import (
	"fmt"
	"sync"
	"time"

	"dowse/engine"
	"dowse/indexer/document"
)

// progressEvery bounds the rate of progress events.
const progressEvery = 100 * time.Millisecond

// progress turns what the stages tell into events. A partial sync, of a few
// changed files, stays silent unless it takes long enough to be noticed.
type progress struct {
	emit func(engine.Event)

	mu     sync.Mutex
	now    engine.Progress
	sent   time.Time
	silent bool
}

// silentFor is how long a partial sync may take before it reports.
const silentFor = time.Second

func newProgress(emit func(engine.Event), full bool) *progress {
	return &progress{emit: emit, silent: !full, now: engine.Progress{Started: time.Now()}}
}

// phase notes that a new phase began, and reports at once.
func (p *progress) phase(ph engine.Phase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.Phase != ph {
		p.now.Phase = ph
		p.send(true)
	}
}

// plan notes what there is to do.
func (p *progress) plan(files int, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.FilesTotal, p.now.BytesTotal = files, bytes
	p.now.Started = time.Now()
	if files > 0 {
		p.now.Phase = engine.Indexing
		p.send(true)
	}
}

// meaning notes that vectors are computed, and how many chunks are left.
func (p *progress) meaning(left int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	begins := p.now.Phase != engine.Embedding
	if begins {
		p.now.Phase, p.now.Started = engine.Embedding, time.Now()
	}
	p.now.ChunksTotal = p.now.Chunks + left
	p.send(begins)
}

// embedded notes that chunks got their vectors.
func (p *progress) embedded(chunks int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Chunks += chunks
	p.send(false)
}

// committed notes that a file is in the index, or left out of it.
func (p *progress) committed(path string, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.FilesDone++
	p.now.BytesDone += bytes
	p.now.Current, p.now.Part = path, ""
	p.send(p.now.FilesDone == p.now.FilesTotal)
}

// reading returns what a file that takes long says how far it is by.
func (p *progress) reading(path string) func(document.Part, int) {
	return func(part document.Part, of int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.now.Current, p.now.Part = path, fmt.Sprintf("%s of %d", document.Label([]document.Part{part}), of)
		p.send(false)
	}
}

// send emits the state, unless it did so a moment ago. p.mu is held.
func (p *progress) send(must bool) {
	if p.silent && time.Since(p.now.Started) < silentFor {
		return
	}
	if !must && time.Since(p.sent) < progressEvery {
		return
	}
	p.sent = time.Now()
	state := p.now
	p.emit(engine.Event{Progress: &state})
}
