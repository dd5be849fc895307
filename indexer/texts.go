package indexer

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"dowse/engine"
	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/kept"
	"dowse/indexer/stamp"
	"dowse/store"
)

// Texts reads the text of files again, as they were indexed. Paths of the index lead through no
// link, and one that does by now is refused: it would show files that nobody
// asked to have indexed.
type Texts struct {
	MaxFile int64            // bytes; larger files have no text
	Count   func(string) int // tokens of the embedder
	Room    int              // tokens of a passage that the embedder reads
	Judged  *extract.Judged  // that reading a file again need not do; may be nil
	Store   *store.DB        // keeps the text of files that are slow to read; may be nil
	Recent  *Recent          // may be nil

	Encodings extract.Encodings // of old text files, as they were indexed
	Browsers  []string          // as in Options
	Secrets   bool              // files that hold secrets are indexed too
	// Packed says that Store is an index pack: the text that it keeps is taken as it is, of any format, whether or not the
	// file is there.
	Packed bool
}

// Text implements engine.Texts.
func (t Texts) Text(path string) (*engine.Text, error) {
	doc, err := t.document(path)
	if err != nil {
		return nil, err
	}
	headings := sync.OnceValue(func() *chunk.Headings {
		return chunk.ReadHeadings(doc, chunk.Options{Count: t.Count, MaxTokens: chunk.MaxTokens(t.Room)})
	})
	headings = t.Recent.shared(doc, headings)
	text := &engine.Text{
		Body: doc.Text, Line: doc.Line,
		Embedded:  func(start, end int) string { return headings().EmbedText(start, end) },
		Heading:   func(start int) string { return headings().Heading(start) },
		Secret:    doc.Secret,
		Extracted: doc.Kind == document.Converted && doc.Marks() == nil,
	}
	if len(doc.Places) > 0 {
		text.Places = func(start, end int) []engine.LocatorMark { return locators(doc, start, end) }
	}
	return text, nil
}

// locators are the places of a stretch of a document.
func locators(doc *document.Document, start, end int) (marks []engine.LocatorMark) {
	add := func(offset int, parts []document.Part) {
		if len(parts) == 0 {
			return
		}
		mark := engine.LocatorMark{Offset: offset, Locator: engine.Locator{Label: document.Label(parts)}}
		for _, p := range parts {
			mark.Parts = append(mark.Parts, engine.LocatorPart{Unit: string(p.Unit), Number: p.Number, Name: p.Name})
		}
		marks = append(marks, mark)
	}
	add(0, doc.Place(start))
	for _, p := range doc.Places[doc.PlaceAfter(start):] {
		if p.Offset >= end {
			break
		}
		add(p.Offset-start, p.Parts)
	}
	return marks
}

// document returns what a file holds now: what is kept of it, if it is as it was
// indexed, and otherwise what is taken out of it.
func (t Texts) document(path string) (*document.Document, error) {
	opts := extract.Options{MaxBytes: t.MaxFile, Judged: t.Judged, Encodings: t.Encodings, Secrets: t.Secrets, Browsers: t.Browsers}
	file, packed := t.kept(path)
	if t.Packed && packed != nil {
		return kept.Unpack(packed)
	}
	if isLog(&file) && packed != nil {
		if state, err := extract.ReadLogState(packed); err == nil {
			return extract.LogText(path, opts, file.Size, file.Size-file.TextBytes, state.Above)
		}
		packed = nil
	}
	if packed == nil {
		return read(path, &file, opts)
	}
	info, err := extract.Look(path, opts)
	if err != nil {
		return nil, err
	}
	if isAs(path, info, file) {
		if doc := t.unpack(&file, packed); doc != nil {
			return doc, nil
		}
	}
	source, err := extract.Open(path, opts)
	if err != nil {
		return nil, err
	}
	defer source.Close()                                                                    //nolint:errcheck // nothing is written through it
	if hash, err := hashOf(context.Background(), source); err == nil && hash == file.Hash { // touched, or put back
		if doc := t.unpack(&file, packed); doc != nil {
			return doc, nil
		}
	}
	return source.Document(document.WithoutPrograms(context.Background()))
}

// read extracts the text of a file that nothing is kept of. One that is as it was indexed is not judged again, which would
// take half of the time.
func read(path string, file *store.File, opts extract.Options) (*document.Document, error) {
	source, err := extract.Open(path, opts)
	if err != nil {
		return nil, err
	}
	defer source.Close() //nolint:errcheck // nothing is written through it
	if !file.Doubted() && source.Info.Size() == file.Size && source.Info.ModTime().UnixNano() == file.ModTime && isAsRead(file.Changed, source.Changed) {
		source.Trust()
	}
	return source.Document(document.WithoutPrograms(context.Background()))
}

// unpack returns the document that is kept, nil where it is to be taken out of its file again: it is damaged, or holds what
// is left out now, or nobody has looked whether it does.
func (t Texts) unpack(file *store.File, packed []byte) *document.Document {
	if doc := t.Recent.of(file); doc != nil {
		return doc
	}
	doc, err := kept.Unpack(packed)
	switch {
	case err != nil:
		return nil
	case extract.Sparse(doc.Format): // pictures, sounds and videos are not searched for secrets
		doc.Secret = false
	case doc.Secret && !t.Secrets:
		return nil
	}
	t.Recent.keep(file, doc)
	return doc
}

// isAs reports whether the system knows of a file what it did when it was indexed.
func isAs(path string, info fs.FileInfo, file store.File) bool {
	changed, _ := stamp.Of(path, info, time.Time{})
	return info.Size() == file.Size && info.ModTime().UnixNano() == file.ModTime && isAsRead(file.Changed, changed)
}

// kept returns what the index keeps of the text of a file; nil where that is nothing, or
// cannot be read, since the file itself can.
func (t Texts) kept(path string) (file store.File, packed []byte) {
	if t.Store == nil {
		return file, nil
	}
	err := t.Store.View(func(tx *store.Tx) (err error) {
		if file, err = tx.FileByPath(path); err != nil {
			return err
		}
		if !t.Packed && (document.Kind(file.Kind) != document.Converted && !isLog(&file) || file.Doubted()) {
			return nil
		}
		value, err := tx.Text(file.ID)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		packed = bytes.Clone(value)
		return err
	})
	if err != nil {
		return file, nil
	}
	return file, packed
}
