package search

import (
	"cmp"
	"errors"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// source is where the texts of an index come from.
type source struct {
	index    *snapshot.Index
	texts    engine.Texts
	analyzer *lexical.Analyzer
	changed  func(path string) // told of files that changed since they were indexed; nil: nobody is
}

// view is what a search knows of one commit of the store, copied inside a
// transaction that has ended: none is open while files are read or models run,
// which may take seconds, and for ever where a disk hangs.
type view struct {
	*source
	snap    *snapshot.Snapshot
	records map[uint32][]store.Chunk // by file id, of files that may be read
	kept    map[uint32]*chunkText    // of chunks that were reranked, for the passages they become

	query     *engine.Query    // whose words choose the lines shown of a log; nil for a read without a query
	narrowing *narrowing       // of chunks that hold several entries; nil where all pass
	narrowed  map[uint32]piece // what is left of chunks that were narrowed

	// parts are the views of several indexes that were searched together: each knows what
	// it has of chunks by their own ids, and this one only which of them a chunk is of.
	parts []*view

	languages lexical.Languages // of the index; 0 until they are asked for
	guesses   []lexical.Guess   // that words were looked for in the place of
}

// copyRecords notes where chunks stand in their files.
func (v *view) copyRecords(tx *store.Tx, chunks []uint32) error {
	var missing []uint32
	for _, chunk := range chunks {
		file, ok := v.snap.FileOf(chunk)
		if !ok || v.records[file.ID] != nil {
			continue
		}
		missing = append(missing, file.ID)
	}
	if v.records == nil {
		v.records = make(map[uint32][]store.Chunk, len(missing))
	}
	return v.index.Records(tx, missing, v.records)
}

// recordsOf gives the chunks of a file; nil if it was deleted since. Those
// that nobody expected to be read are looked up now: what the index knows of a
// file never changes under its id.
func (v *view) recordsOf(file store.File) (chunks []store.Chunk, err error) {
	if chunks, ok := v.records[file.ID]; ok {
		return chunks, nil
	}
	err = v.index.View(func(tx *store.Tx) error {
		chunks, err = tx.Chunks(file)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return chunks, err
}

// viewOf copies what reading chunks takes.
func (s *source) viewOf(chunks []uint32) (*view, error) {
	v := &view{source: s}
	err := s.index.View(func(tx *store.Tx) (err error) {
		if v.snap, err = s.index.At(tx); err != nil {
			return err
		}
		return v.copyRecords(tx, chunks)
	})
	return v, err
}

// fileOf returns the file that a chunk belongs to.
func (v *view) fileOf(chunk uint32) (store.File, bool) {
	if v.parts == nil {
		return v.snap.FileOf(chunk)
	}
	n, chunk := snapshot.SplitID(chunk)
	return v.parts[n].snap.FileOf(chunk)
}

// compareChunks orders chunks by file, so that each is read once.
func (v *view) compareChunks(a, b uint32) int {
	if v.parts == nil {
		return v.snap.CompareChunks(a, b)
	}
	n, x := snapshot.SplitID(a)
	m, y := snapshot.SplitID(b)
	if n != m {
		return cmp.Compare(n, m)
	}
	return v.parts[n].snap.CompareChunks(x, y)
}

// outdated asks for a file to be indexed again.
func (v *view) outdated(file store.File) {
	if v.changed != nil && file.Path != "" {
		v.changed(file.Path)
	}
}
