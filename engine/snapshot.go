package engine

import (
	"cmp"
	"slices"
	"sort"

	"dowse/engine/lexical"
	"dowse/store"
)

// snapshot is what every search of one commit needs and no search changes.
type snapshot struct {
	commit     uint64
	files      []store.File // by FirstChunk; files without chunks left out
	live       *lexical.Set // chunks of those files
	chunks     int
	size       uint32 // all chunk ids are below it
	collection *lexical.Collection
	recompute  int // vectors that a search recomputes
}

// view is a snapshot within the transaction that reads it.
type view struct {
	*Engine
	tx   *store.Tx
	snap *snapshot
	kept map[uint32]*chunkText // of chunks that were reranked, for the passages they become
}

// viewOf returns the view of a transaction, building the snapshot if there
// was a commit since the last search. A search that began before that commit
// builds its own and leaves the newer one in place.
func (e *Engine) viewOf(tx *store.Tx) (*view, error) {
	e.building.Lock()
	defer e.building.Unlock()
	if e.current != nil && e.current.commit == tx.Commit() {
		return &view{Engine: e, tx: tx, snap: e.current}, nil
	}
	snap, err := newSnapshot(tx)
	if err != nil {
		return nil, err
	}
	if e.current == nil || e.current.commit < snap.commit {
		e.current = snap
	}
	return &view{Engine: e, tx: tx, snap: snap}, nil
}

func newSnapshot(tx *store.Tx) (*snapshot, error) {
	s := &snapshot{commit: tx.Commit(), size: tx.NextChunk()}
	s.live = lexical.NewSet(s.size)
	err := tx.Files(func(f store.File) error {
		if f.Chunks > 0 {
			s.files = append(s.files, f)
			s.live.AddRange(f.FirstChunk, f.Chunks)
			s.chunks += int(f.Chunks)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.files, func(a, b store.File) int { return cmp.Compare(a.FirstChunk, b.FirstChunk) })
	if s.recompute, err = recomputeOf(tx); err != nil {
		return nil, err
	}
	if s.collection, err = lexical.NewCollection(tx.Postings(), s.live); err != nil {
		return nil, err
	}
	return s, nil
}

// fileOf returns the file that a chunk belongs to.
func (s *snapshot) fileOf(chunk uint32) (store.File, bool) {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].FirstChunk > chunk }) - 1
	if i < 0 || chunk-s.files[i].FirstChunk >= s.files[i].Chunks {
		return store.File{}, false
	}
	return s.files[i], true
}
