package search

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// snapshot is what every search of one commit needs and no search changes.
type snapshot struct {
	commit     uint64
	files      []*store.File // by FirstChunk; files without chunks left out
	live       *lexical.Set  // chunks of those files
	chunks     int
	size       uint32 // all chunk ids are below it
	collection *lexical.Collection
	errors     leann.ErrorModel
	partial    bool // made of what a damage left
}

// snapshotOf returns the snapshot of a transaction, making it if there was a
// commit since the last search. A search that began before that commit makes
// its own and leaves the newer one in place.
func (e *Engine) snapshotOf(tx *store.Tx) (*snapshot, error) {
	e.building.Lock()
	defer e.building.Unlock()
	if e.current != nil && e.current.commit == tx.Commit() {
		return e.current, nil
	}
	snap, err := e.current.follow(tx)
	if err == nil && snap == nil {
		snap, err = newSnapshot(tx)
	}
	if err != nil {
		return nil, err
	}
	if e.current == nil || e.current.commit < snap.commit {
		e.current = snap
	}
	return snap, nil
}

// newSnapshot reads the table of files and the headers of all postings.
func newSnapshot(tx *store.Tx) (*snapshot, error) {
	s := &snapshot{commit: tx.Commit(), size: tx.NextChunk(), partial: tx.Damage().Any()}
	s.live = lexical.NewSet(s.size)
	err := soundFiles(tx, func(f store.File) error {
		s.add(&f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.files, func(a, b *store.File) int { return cmp.Compare(a.FirstChunk, b.FirstChunk) })
	if s.errors, err = soundErrors(tx); err != nil {
		return nil, err
	}
	s.collection, err = soundCollection(tx, s.live)
	return s, err
}

// follow is newSnapshot for the work of what changed since s, which stays as
// it is; nil where that is not known.
func (s *snapshot) follow(tx *store.Tx) (*snapshot, error) {
	if s == nil || s.partial || tx.Damage().Any() || s.commit > tx.Commit() {
		return nil, nil
	}
	changes, known := tx.ChangesSince(s.commit)
	if !known {
		return nil, nil
	}
	next := &snapshot{commit: tx.Commit(), size: tx.NextChunk(), live: s.live.Clone(), chunks: s.chunks}
	next.apply(s.files, changes)
	counts, err := tx.Counts()
	if err != nil || counts.Chunks != next.chunks {
		return nil, err // something else wrote to the table of files
	}
	if next.errors, err = layout.Errors(tx); err != nil {
		return nil, err
	}
	next.collection, err = s.collection.Follow(tx.Postings(), next.live)
	return next, err
}

// apply takes over the files of an earlier snapshot with what was done to
// them since.
func (s *snapshot) apply(files []*store.File, changes []store.FileChange) {
	last := make(map[uint32]*store.File, len(changes))
	for _, c := range changes {
		last[c.ID] = c.File
	}
	s.files = make([]*store.File, 0, len(files)+len(changes))
	for _, id := range slices.Sorted(maps.Keys(last)) {
		n := sort.Search(len(files), func(i int) bool { return files[i].ID >= id })
		s.files = append(s.files, files[:n]...)
		if files = files[n:]; len(files) > 0 && files[0].ID == id {
			s.remove(files[0])
			files = files[1:]
		}
		if last[id] != nil {
			s.add(last[id])
		}
	}
	s.files = append(s.files, files...)
}

// add appends a file.
func (s *snapshot) add(f *store.File) {
	if f.Chunks > 0 {
		s.files = append(s.files, f)
		s.live.AddRange(f.FirstChunk, f.Chunks)
		s.chunks += int(f.Chunks)
	}
}

// remove takes the chunks of a file out.
func (s *snapshot) remove(f *store.File) {
	for n := range f.Chunks {
		s.live.Remove(f.FirstChunk + n)
	}
	s.chunks -= int(f.Chunks)
}

// fileOf returns the file that a chunk belongs to.
func (s *snapshot) fileOf(chunk uint32) (store.File, bool) {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].FirstChunk > chunk }) - 1
	if i < 0 || chunk-s.files[i].FirstChunk >= s.files[i].Chunks {
		return store.File{}, false
	}
	return *s.files[i], true
}
