package passage

import (
	"cmp"
	"errors"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Source is where the texts of an index come from.
type Source struct {
	Index    *snapshot.Index
	Texts    engine.Texts
	Analyzer *lexical.Analyzer
	Changed  func(path string) // told of files that changed since they were indexed; nil: nobody is
	Pack     string            // path of the index pack that the index is; "" of any other
}

// Commit is what a search knows of one commit of the store, copied inside a
// transaction that has ended: none is open while files are read or models run,
// which may take seconds, and for ever where a disk hangs.
type Commit struct {
	*Source
	Snap    *snapshot.Snapshot
	records map[uint32][]store.Chunk // by file id, of files that may be read
	kept    map[uint32]*Text         // of chunks that were reranked, for the passages they become

	query     *engine.Query    // whose words choose the lines shown of a log; nil for a read without a query
	narrowing *narrowing       // of chunks that hold several entries; nil where all pass
	narrowed  map[uint32]piece // what is left of chunks that were narrowed

	// Parts are the commits of several indexes that were searched together: each knows chunks by
	// their own ids, and this one only which of them a chunk is of.
	Parts []*Commit

	distant *Distant // nil of an index of this machine

	Languages lexical.Languages // of the index; 0 until they are asked for
	Guesses   []lexical.Guess   // that words were looked for in the place of
}

// CopyRecords notes where chunks stand in their files.
func (v *Commit) CopyRecords(tx *store.Tx, chunks []uint32) error {
	var missing []uint32
	for _, chunk := range chunks {
		file, ok := v.Snap.FileOf(chunk)
		if !ok || v.records[file.ID] != nil {
			continue
		}
		missing = append(missing, file.ID)
	}
	if v.records == nil {
		v.records = make(map[uint32][]store.Chunk, len(missing))
	}
	return v.Index.Records(tx, missing, v.records)
}

// RecordsOf gives the chunks of a file; nil if it was deleted since. Those
// that nobody expected to be read are looked up now: what the index knows of a
// file never changes under its id.
func (v *Commit) RecordsOf(file store.File) (chunks []store.Chunk, err error) {
	if chunks, ok := v.records[file.ID]; ok {
		return chunks, nil
	}
	err = v.Index.View(func(tx *store.Tx) error {
		chunks, err = tx.Chunks(file)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return chunks, err
}

// Copy copies what reading chunks takes.
func (s *Source) Copy(chunks []uint32) (*Commit, error) {
	v := &Commit{Source: s}
	err := s.Index.View(func(tx *store.Tx) (err error) {
		if v.Snap, err = s.Index.At(tx); err != nil {
			return err
		}
		return v.CopyRecords(tx, chunks)
	})
	return v, err
}

// FileOf returns the file that a chunk belongs to.
func (v *Commit) FileOf(chunk uint32) (store.File, bool) {
	if v.Parts != nil {
		n, chunk := snapshot.SplitID(chunk)
		return v.Parts[n].FileOf(chunk)
	}
	if v.distant == nil {
		return v.Snap.FileOf(chunk)
	}
	if f := v.distant.File(chunk); f != nil {
		return *f, true
	}
	return store.File{}, false
}

// CompareChunks orders chunks by file, so that each is read once.
func (v *Commit) CompareChunks(a, b uint32) int {
	if v.distant != nil {
		return v.distant.compare(a, b)
	}
	if v.Parts == nil {
		return v.Snap.CompareChunks(a, b)
	}
	n, x := snapshot.SplitID(a)
	m, y := snapshot.SplitID(b)
	if n != m {
		return cmp.Compare(n, m)
	}
	return v.Parts[n].CompareChunks(x, y)
}

// Outdated asks for a file to be indexed again.
func (v *Commit) Outdated(file store.File) {
	if v.Changed != nil && file.Path != "" {
		v.Changed(file.Path)
	}
}
