package snapshot

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

// Snapshot is what every search of one commit needs and no search changes.
type Snapshot struct {
	Commit     uint64
	Files      []*store.File // by id; files without chunks left out
	spans      []span        // of the chunks of those files, by id
	Live       *lexical.Set  // chunks of those files
	Chunks     int
	Logs       int    // files without vectors
	held       int64  // bytes of the files and their spans
	Size       uint32 // all chunk ids are below it
	Collection *lexical.Collection
	Errors     leann.ErrorModel
	Walk       leann.Walk
	partial    bool // made of what a damage left
}

// At returns the snapshot of a transaction, making it if there was a
// commit since the last search. A search that began before that commit makes
// its own and leaves the newer one in place.
func (x *Index) At(tx *store.Tx) (*Snapshot, error) {
	x.building.Lock()
	defer x.building.Unlock()
	if x.current != nil && x.current.Commit == tx.Commit() {
		return x.current, nil
	}
	snap, err := x.current.follow(tx)
	if err == nil && snap == nil {
		snap, err = newSnapshot(tx)
	}
	if err == nil {
		snap.Walk, err = x.walk(tx)
	}
	if err != nil {
		return nil, err
	}
	if x.current == nil || x.current.Commit < snap.Commit {
		x.current = snap
		x.charge()
		if x.opts.Changed != nil {
			x.opts.Changed()
		}
	}
	return snap, nil
}

// newSnapshot reads the table of files and the headers of all postings.
func newSnapshot(tx *store.Tx) (*Snapshot, error) {
	s := &Snapshot{Commit: tx.Commit(), Size: tx.NextChunk(), partial: tx.Damage().Any()}
	s.Live = lexical.NewSet(s.Size)
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
	if s.Errors, err = soundErrors(tx); err != nil {
		return nil, err
	}
	s.Collection, err = soundCollection(tx, s.Live)
	return s, err
}

// follow is newSnapshot for the work of what changed since s, which stays as
// it is; nil where that is not known.
func (s *Snapshot) follow(tx *store.Tx) (*Snapshot, error) {
	if s == nil || s.partial || tx.Damage().Any() || s.Commit > tx.Commit() {
		return nil, nil
	}
	changes, known := tx.ChangesSince(s.Commit)
	if !known {
		return nil, nil
	}
	next := &Snapshot{Commit: tx.Commit(), Size: tx.NextChunk(), Live: s.Live.Clone(), Chunks: s.Chunks, Logs: s.Logs, held: s.held}
	next.apply(s, changes)
	counts, err := tx.Counts()
	if err != nil || counts.Chunks != next.Chunks {
		return nil, err // something else wrote to the table of files
	}
	if next.Errors, err = layout.Errors(tx); err != nil {
		return nil, err
	}
	next.Collection, err = s.Collection.Follow(tx.Postings(), next.Live)
	return next, err
}

// apply takes over the files of an earlier snapshot with what was done to
// them since. New versions of files have higher ids than those before, so that
// chunks leave a file before another one gets them.
func (s *Snapshot) apply(before *Snapshot, changes []store.FileChange) {
	files, gone, added := before.Files, map[*store.File]bool{}, []span(nil)
	last := make(map[uint32]*store.File, len(changes))
	for _, c := range changes {
		last[c.ID] = c.File
	}
	s.Files = make([]*store.File, 0, len(files)+len(changes))
	for _, id := range slices.Sorted(maps.Keys(last)) {
		n := sort.Search(len(files), func(i int) bool { return files[i].ID >= id })
		s.Files = append(s.Files, files[:n]...)
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
	s.Files = append(s.Files, files...)
	s.spans = mergeSpans(before.spans, gone, added)
}

// add appends a file.
func (s *Snapshot) add(f *store.File) {
	if f.Chunks > 0 {
		s.Files = append(s.Files, f)
		for _, run := range f.IDs {
			s.Live.AddRange(run.First, run.N)
		}
		s.Chunks += int(f.Chunks)
		if !layout.HasVectors(f.Kind) {
			s.Logs++
		}
		s.held += bytesOf(f)
	}
}

// remove takes the chunks of a file out.
func (s *Snapshot) remove(f *store.File) {
	for _, id := range f.IDs.All() {
		s.Live.Remove(id)
	}
	s.Chunks -= int(f.Chunks)
	if !layout.HasVectors(f.Kind) {
		s.Logs--
	}
	s.held -= bytesOf(f)
}

// bytesOf is what a snapshot holds of a file.
func bytesOf(f *store.File) int64 {
	return int64(unsafe.Sizeof(f)+unsafe.Sizeof(*f)) + int64(len(f.Path)) +
		int64(len(f.IDs))*int64(unsafe.Sizeof(store.Run{})+unsafe.Sizeof(span{}))
}

// bytes is what the snapshot takes in memory.
func (s *Snapshot) bytes() int64 { return s.held + s.Live.Bytes() + s.Collection.Bytes() }

// snapshotPool is the ledger's pool of the newest snapshot: the list
// of files, the set of live chunks, and what BM25 keeps by chunk.
const snapshotPool = "search.snapshot"

// charge tells the ledger what the snapshot of the newest commit takes by now. The
// caller holds x.building.
func (x *Index) charge() {
	if x.current == nil {
		return
	}
	n := x.current.bytes()
	x.opts.Ledger.Grow(snapshotPool, max(0, n-x.charged))
	x.opts.Ledger.Shrink(snapshotPool, max(0, x.charged-n))
	x.charged = n
}
