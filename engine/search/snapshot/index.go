package snapshot

import (
	"errors"
	"sync"

	"dowse/engine"
	"dowse/engine/memory"
	"dowse/store"
)

// Index is one index as searches read it: what it is at the newest commit, and what is kept
// from one commit to the next. It may be used from several goroutines.
type Index struct {
	opts Options

	building sync.Mutex // held while a snapshot is made, so that one search makes it for all
	current  *Snapshot  // of the newest commit searched
	charged  int64      // bytes of it that the ledger knows
	graph    graph      // of the newest one read; guarded by building
	cached   records    // of files that were found
	entries  keptEntries
}

// Options are what an index is made of.
type Options struct {
	Store   *store.DB
	Ledger  *memory.Ledger // may be nil
	Graph   string         // how the graph is used, one of layout's; empty: GraphAuto
	Changed func()         // told of a newer commit; nil: nobody is
}

// New makes an index of a store, which it does not own.
func New(opts Options) *Index { return &Index{opts: opts} }

// View runs fn with a transaction of the index.
func (x *Index) View(fn func(tx *store.Tx) error) error { return x.opts.Store.View(fn) }

// Drop forgets what is kept. No search may be under way.
func (x *Index) Drop() {
	x.building.Lock()
	defer x.building.Unlock()
	x.opts.Ledger.Shrink(snapshotPool, x.charged)
	x.current, x.charged = nil, 0
	x.dropEntries()
}

// Status says what the index holds, as far as it can be read.
func (x *Index) Status(st *engine.Status) error {
	x.building.Lock()
	x.charge()
	x.building.Unlock()
	return x.opts.Store.View(func(tx *store.Tx) error {
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		st.Files, st.Chunks, st.TextBytes = counts.Files, counts.Chunks, counts.TextBytes
		st.Bytes, err = tx.Sizes()
		st.Graph = x.graphStatus(tx)
		roots, wrong := tx.Roots()
		st.Roots, st.Updated = roots, tx.LastCommit()
		if err = errors.Join(err, wrong); tx.Damage().Any() && !errors.Is(err, store.ErrBroken) {
			return nil // what can be read is reported
		}
		return err
	})
}
