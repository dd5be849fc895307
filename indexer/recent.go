package indexer

import (
	"sync"
	"time"

	"dowse/engine/memory"
	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/store"
)

const (
	// recentFrom is how long a text is, in bytes, that is kept at hand: to unpack it and to find its headings takes a tenth of a second
	// and more, and a search asks for it several times.
	recentFrom = 4 << 20
	// recentFor is how long after it was asked for.
	recentFor = 30 * time.Second
	// recentPool is the ledger's pool of it.
	recentPool = "indexer.recent"
)

// Recent is the long text that was asked for last, for as long as somebody goes on to search. A nil one holds none.
type Recent struct {
	ledger *memory.Ledger

	mu       sync.Mutex
	version  version
	doc      *document.Document // nil of none
	headings func() *chunk.Headings
	forget   *time.Timer
}

// version names a file as the index holds it.
type version struct {
	id   uint32
	hash [6]byte
}

// NewRecent returns an empty Recent that counts in a ledger what it holds.
func NewRecent(ledger *memory.Ledger) *Recent { return &Recent{ledger: ledger} }

func versionOf(f *store.File) version { return version{f.ID, f.Hash} }

// of returns the document of a file as the index holds it; nil where it is not at hand.
func (r *Recent) of(f *store.File) *document.Document {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.doc == nil || r.version != versionOf(f) {
		return nil
	}
	r.forget.Reset(recentFor)
	return r.doc
}

// keep keeps the document of a file, if that is long, and drops the one before.
func (r *Recent) keep(f *store.File, doc *document.Document) {
	if r == nil || len(doc.Text) < recentFrom {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	r.version, r.doc = versionOf(f), doc
	r.ledger.Grow(recentPool, int64(len(doc.Text)))
	r.forget = time.AfterFunc(recentFor, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.doc == doc {
			r.drop()
		}
	})
}

// shared returns the headings of a document: those that were read before of one that is at hand.
func (r *Recent) shared(doc *document.Document, headings func() *chunk.Headings) func() *chunk.Headings {
	if r == nil {
		return headings
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.doc != doc {
		return headings
	}
	if r.headings == nil {
		r.headings = headings
	}
	return r.headings
}

// drop holds nothing from now on. The caller holds mu.
func (r *Recent) drop() {
	if r.doc == nil {
		return
	}
	r.forget.Stop()
	r.ledger.Shrink(recentPool, int64(len(r.doc.Text)))
	r.doc, r.headings = nil, nil
}
