package indexes

import (
	"context"
	"slices"
	"sync"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/internal/pressure"
	"dowse/store"
)

// progressEvery bounds how often subscribers are told how far a change is.
const progressEvery = 500 * time.Millisecond

// progress tells how far a change is.
type progress struct {
	from *Stack
	db   *store.DB // the second index
	emit func(engine.ModelChange)

	mu     sync.Mutex
	change engine.ModelChange
	begun  time.Time
	base   int // passages that were there then
	run    int // that were there when the run under way began
	told   time.Time
}

func newProgress(from *Stack, to string, db *store.DB, emit func(engine.ModelChange)) *progress {
	p := &progress{from: from, db: db, emit: emit, begun: time.Now()}
	p.base, _ = embeddedOf(db) // an index that cannot be read says so elsewhere
	p.run = p.base
	p.change = engine.ModelChange{From: from.from(), To: to, Done: p.base, Working: true}
	p.change.All, _ = chunksOf(from.DB)
	return p
}

// now is how far the change is.
func (p *progress) now() engine.ModelChange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.change
}

// begin notes that a run over the folders begins.
func (p *progress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run, _ = embeddedOf(p.db)
	p.tell(p.run)
}

// embedded tells how far the run is by the passages that it has embedded, the last of them perhaps
// not in the index yet; at most every progressEvery.
func (p *progress) embedded(embedded int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.told) >= progressEvery {
		p.tell(p.run + embedded)
	}
}

// tell is look for a caller that holds mu.
func (p *progress) tell(done int) {
	p.told = time.Now()
	if n, err := chunksOf(p.from.DB); err == nil {
		p.change.All = n
	}
	p.change.Done = min(done, max(p.change.All, p.run))
	p.change.Seconds = remaining(time.Since(p.begun), p.change.Done-p.base, p.change.All-p.change.Done)
	p.emit(p.change)
}

// leastElapsed is how long a rate is measured before it counts.
const leastElapsed = 5 * time.Second

// remaining is how many seconds the rest takes, at the rate of what was done; 0 for unknown.
func remaining(elapsed time.Duration, done, left int) float64 {
	if elapsed < leastElapsed || done <= 0 || left <= 0 {
		return 0
	}
	return elapsed.Seconds() * float64(left) / float64(done)
}

// end tells that the change is over.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change.Over, p.change.Working, p.change.Done, p.change.Seconds = true, false, p.change.All, 0
	p.emit(p.change)
}

// Bounds of a yielding embedder: slices are short, so that no search waits long for one, and
// searches without end do not stop it.
const (
	yieldTexts = 16
	yieldWait  = time.Second
)

// yieldingEmbedder is an embedder that waits with documents while somebody searches.
type yieldingEmbedder struct {
	indexer.Embedder
	awaitSearches func(ctx context.Context)
}

// EmbedDocuments implements indexer.Embedder.
func (c yieldingEmbedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors := make([]float32, 0, len(texts)*c.Dim())
	for slice := range slices.Chunk(texts, yieldTexts) {
		c.awaitSearches(ctx)
		more, err := c.Embedder.EmbedDocuments(ctx, slice)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, more...)
	}
	return vectors, nil
}

// patientEmbedder is an embedder that waits with documents while the machine is wanted otherwise.
type patientEmbedder struct {
	indexer.Embedder
	calm *pressure.Calm
}

// EmbedDocuments implements indexer.Embedder.
func (p patientEmbedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	if err := p.calm.Wait(ctx); err != nil {
		return nil, err
	}
	return p.Embedder.EmbedDocuments(ctx, texts)
}

// awaitSearches waits until no search is under way, for yieldWait at most.
func (o *Owner) awaitSearches(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, yieldWait)
	defer cancel()
	_ = o.Stack().Quiet(ctx) // the caller looks at its own ctx
}
