package search

import (
	"errors"
	"fmt"
	"slices"

	"dowse/engine"
	"dowse/engine/search/passage"
	"dowse/store"
)

// origin is what passages are to be like.
type origin struct {
	file   uint32 // its id: that of one version
	place  engine.Place
	chunks []uint32 // that stand for it
	all    []uint32 // of its file
	whole  bool     // it is the file as a whole
}

// locate finds the chunks that a request means.
func (l *likeness) locate() error {
	l.commit = &passage.Commit{Source: l.source}
	var file store.File
	err := l.opts.Store.View(func(tx *store.Tx) (err error) {
		if l.commit.Snap, err = l.index.At(tx); err != nil {
			return err
		}
		file, err = tx.FileByPath(l.req.Path)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("%s is %w", l.req.Path, engine.ErrNotIndexed)
		}
		if err == nil && file.Chunks > 0 {
			err = l.commit.CopyRecords(tx, []uint32{file.IDs[0].First})
		}
		return err
	})
	if err != nil {
		return err
	}
	if file.Chunks == 0 {
		return fmt.Errorf("%s holds no text that could be compared", l.req.Path)
	}
	l.origin.file = file.ID
	for _, chunk := range file.IDs.All() {
		l.origin.all = append(l.origin.all, chunk)
	}
	text, err := l.opts.Texts.Text(file.Path)
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrFileGone, err)
	}
	chunks, err := l.commit.RecordsOf(file)
	if err != nil {
		return err
	}
	if chunks == nil {
		return errMoved // deleted since
	}
	return l.origin.locate(l.req, file, text, chunks)
}

// follow takes over the commit that a transaction reads. Commits that left the
// origin's file as it was cost no other look: its chunks keep their ids.
func (l *likeness) follow(tx *store.Tx) error {
	if tx.Commit() == l.commit.Snap.Commit {
		return nil
	}
	file, err := tx.FileByPath(l.req.Path)
	if errors.Is(err, store.ErrNotFound) || err == nil && file.ID != l.origin.file {
		return errMoved
	}
	if err == nil {
		l.commit.Snap, err = l.index.At(tx)
	}
	return err
}

// locate is the part of it that needs no store.
func (o *origin) locate(req engine.RelatedRequest, file store.File, text *engine.Text, chunks []store.Chunk) error {
	if n := slices.Index(o.all, req.ChunkID); req.ChunkID != 0 && n >= 0 {
		o.setChunk(file, text, chunks, n)
		return nil
	}
	last := text.Line(max(len(text.Body)-1, 0))
	if req.Line > last && file.Plain { // a page of HTML may end in lines without text
		return fmt.Errorf("%w: line %d of %s: it has %d", engine.ErrQuery, req.Line, file.Path, last)
	}
	if req.Line > 0 {
		o.setChunk(file, text, chunks, chunkAtLine(text, chunks, req.Line))
		return nil
	}
	o.whole = true
	o.place = engine.Place{Path: file.Path, LineStart: 1, LineEnd: last, Where: engine.Where{Extracted: text.Extracted}}
	o.chunks = spread(o.all, relatedParts)
	return nil
}

// setChunk makes one chunk the origin.
func (o *origin) setChunk(file store.File, text *engine.Text, chunks []store.Chunk, n int) {
	piece := passage.Cut(text, chunks[n])
	o.chunks = []uint32{o.all[n]}
	o.place = engine.Place{Path: file.Path, LineStart: piece.Line, LineEnd: piece.Last, Where: piece.Where, Heading: piece.Heading}
}

// chunkAtLine returns the index of the first chunk that has the line, or else of the
// last one before it: blank lines belong to what they follow.
func chunkAtLine(text *engine.Text, chunks []store.Chunk, line int) int {
	before := 0
	for i, c := range chunks {
		end := min(int(c.End), len(text.Body))
		first, last := passage.LinesOf(text, min(int(c.Start), end), end)
		switch {
		case line < first:
		case line <= last:
			return i
		default:
			before = i
		}
	}
	return before
}

// spread returns at most n of the list, evenly spread, the first and the last among them.
func spread(list []uint32, n int) []uint32 {
	if len(list) <= n {
		return list
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}
