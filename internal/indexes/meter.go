package indexes

import (
	"context"
	"slices"
	"sync"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/store"
)

// meterEvery bounds how often subscribers are told how far a change is.
const meterEvery = 500 * time.Millisecond

// meter tells how far a change is.
type meter struct {
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

func newMeter(from *Stack, to string, db *store.DB, emit func(engine.ModelChange)) *meter {
	m := &meter{from: from, db: db, emit: emit, begun: time.Now()}
	m.base, _ = chunksOf(db) // an index that cannot be read says so elsewhere
	m.run = m.base
	m.change = engine.ModelChange{From: from.from(), To: to, Done: m.base, Working: true}
	m.change.All, _ = chunksOf(from.DB)
	return m
}

// now is how far the change is.
func (m *meter) now() engine.ModelChange {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.change
}

// begin notes that a run over the folders begins.
func (m *meter) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run, _ = chunksOf(m.db)
	m.tell(m.run)
}

// look tells how far the run is that has embedded so many passages, of which the last ones
// may not be in the index yet; but not if it told a moment ago.
func (m *meter) look(embedded int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.told) >= meterEvery {
		m.tell(m.run + embedded)
	}
}

// tell is look for a caller that holds mu.
func (m *meter) tell(done int) {
	m.told = time.Now()
	if n, err := chunksOf(m.from.DB); err == nil {
		m.change.All = n
	}
	m.change.Done = min(done, max(m.change.All, m.run))
	m.change.Seconds = remaining(time.Since(m.begun), m.change.Done-m.base, m.change.All-m.change.Done)
	m.emit(m.change)
}

// leastElapsed is for how long a rate is measured before it says anything.
const leastElapsed = 5 * time.Second

// remaining is how many seconds the rest takes, at the rate of what was done; 0 where
// nobody can tell.
func remaining(elapsed time.Duration, done, left int) float64 {
	if elapsed < leastElapsed || done <= 0 || left <= 0 {
		return 0
	}
	return elapsed.Seconds() * float64(left) / float64(done)
}

// end tells that the change is over.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.change.Over, m.change.Working, m.change.Done, m.change.Seconds = true, false, m.change.All, 0
	m.emit(m.change)
}

// Bounds of a considerate embedder: a slice is over before anybody waits for it, and one
// who searches without end does not stop it.
const (
	considerateTexts = 16
	considerateWait  = time.Second
)

// considerate is an embedder that waits with documents while somebody searches.
type considerate struct {
	indexer.Embedder
	quiet func(ctx context.Context)
}

// EmbedDocuments implements indexer.Embedder.
func (c considerate) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors := make([]float32, 0, len(texts)*c.Dim())
	for slice := range slices.Chunk(texts, considerateTexts) {
		c.quiet(ctx)
		more, err := c.Embedder.EmbedDocuments(ctx, slice)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, more...)
	}
	return vectors, nil
}

// quiet waits until nobody searches, but not for long.
func (o *Owner) quiet(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, considerateWait)
	defer cancel()
	_ = o.Stack().Quiet(ctx) // whoever waits looks at its own ctx
}
