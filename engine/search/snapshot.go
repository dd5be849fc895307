package search

import (
	"maps"
	"slices"
	"sort"
	"unsafe"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// snapshot is what every search of one commit needs and no search changes.
type snapshot struct {
	commit     uint64
	files      []*store.File // by id; files without chunks left out
	spans      []span        // of the chunks of those files, by id
	live       *lexical.Set  // chunks of those files
	chunks     int
	logs       int    // files without vectors
	held       int64  // bytes of the files and their spans
	size       uint32 // all chunk ids are below it
	collection *lexical.Collection
	errors     leann.ErrorModel
	walk       leann.Walk
	partial    bool // made of what a damage left
}

// snapshotOf returns the snapshot of a transaction, making it if there was a
// commit since the last search. A search that began before that commit makes
// its own and leaves the newer one in place.
func (x *index) snapshotOf(tx *store.Tx) (*snapshot, error) {
	x.building.Lock()
	defer x.building.Unlock()
	if x.current != nil && x.current.commit == tx.Commit() {
		return x.current, nil
	}
	snap, err := x.current.follow(tx)
	if err == nil && snap == nil {
		snap, err = newSnapshot(tx)
	}
	if err == nil {
		snap.walk, err = x.walk(tx)
	}
	if err != nil {
		return nil, err
	}
	if x.current == nil || x.current.commit < snap.commit {
		x.current = snap
		x.charge()
		if x.opts.Changed != nil {
			x.opts.Changed()
		}
	}
	return snap, nil
}

// newSnapshot reads the table of files and the headers of all postings.
func newSnapshot(tx *store.Tx) (*snapshot, error) {
	s := &snapshot{commit: tx.Commit(), size: tx.NextChunk(), partial: tx.Damage().Any()}
	s.live = lexical.NewSet(s.size)
	var spans []span
	err := soundFiles(tx, func(f store.File) error {
		s.add(&f)
		spans = spansOf(spans, &f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.spans = mergeSpans(nil, nil, spans)
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
	next := &snapshot{commit: tx.Commit(), size: tx.NextChunk(), live: s.live.Clone(), chunks: s.chunks, logs: s.logs, held: s.held}
	next.apply(s, changes)
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
// them since. New versions of files have higher ids than those before, so that
// chunks leave a file before another one gets them.
func (s *snapshot) apply(before *snapshot, changes []store.FileChange) {
	files, gone, added := before.files, map[*store.File]bool{}, []span(nil)
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
			gone[files[0]] = true
			files = files[1:]
		}
		if last[id] != nil {
			s.add(last[id])
			added = spansOf(added, last[id])
		}
	}
	s.files = append(s.files, files...)
	s.spans = mergeSpans(before.spans, gone, added)
}

// add appends a file.
func (s *snapshot) add(f *store.File) {
	if f.Chunks > 0 {
		s.files = append(s.files, f)
		for _, run := range f.IDs {
			s.live.AddRange(run.First, run.N)
		}
		s.chunks += int(f.Chunks)
		if !layout.HasVectors(f.Kind) {
			s.logs++
		}
		s.held += bytesOf(f)
	}
}

// remove takes the chunks of a file out.
func (s *snapshot) remove(f *store.File) {
	for _, id := range f.IDs.All() {
		s.live.Remove(id)
	}
	s.chunks -= int(f.Chunks)
	if !layout.HasVectors(f.Kind) {
		s.logs--
	}
	s.held -= bytesOf(f)
}

// bytesOf is what a snapshot holds of a file.
func bytesOf(f *store.File) int64 {
	return int64(unsafe.Sizeof(f)+unsafe.Sizeof(*f)) + int64(len(f.Path)) +
		int64(len(f.IDs))*int64(unsafe.Sizeof(store.Run{})+unsafe.Sizeof(span{}))
}

// bytes is what the snapshot takes in memory.
func (s *snapshot) bytes() int64 { return s.held + s.live.Bytes() + s.collection.Bytes() }

// snapshotPool is the ledger's pool of what is known of the newest commit: the list
// of files, the set of live chunks, and what BM25 keeps by chunk.
const snapshotPool = "search.snapshot"

// charge tells the ledger what the snapshot of the newest commit takes by now. The
// caller holds x.building.
func (x *index) charge() {
	if x.current == nil {
		return
	}
	n := x.current.bytes()
	x.opts.Ledger.Grow(snapshotPool, max(0, n-x.charged))
	x.opts.Ledger.Shrink(snapshotPool, max(0, x.charged-n))
	x.charged = n
}
