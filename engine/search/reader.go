package search

import (
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// chunkText is the text of one chunk, read again from its file.
type chunkText struct {
	body       string
	embedded   string // what was embedded of it; "" when stale
	ranked     string // what a reranker is given: embedded, or the same of what is left of it
	line, last int    // lines of the file, from 1, inclusive
	heading    string
	columns    string // the row that names the columns of the table within which it begins
	stale      bool   // not the text that was indexed
	secret     bool   // for the eyes of the person alone
	where      engine.Where
	places     []engine.LocatorMark // that begin within body
	id         uint32               // of the chunk
}

// reader reads chunks again. It keeps the file read last, since chunks of one
// file are asked for together.
type reader struct {
	*view
	file   store.File
	loaded bool
	text   *engine.Text // nil: the file cannot be read any more
	chunks []store.Chunk
	passes []bool       // its entries, where they were asked; nil before
	lit    *highlighter // finds what was asked for; nil before its first use

	parts []*reader // of the parts of the view
	last  *reader   // of these, the one that read last
}

func (v *view) newReader() *reader {
	r := &reader{view: v}
	for _, p := range v.parts {
		r.parts = append(r.parts, p.newReader())
	}
	return r
}

// outdated asks for the file that was read last to be indexed again.
func (r *reader) outdated(file store.File) {
	if r.last != nil {
		r = r.last
	}
	r.view.outdated(file)
}

// chunk returns the text of a chunk, or nil if its file is gone or has become
// so short that nothing stands in its place. Of several entries it is what passes the filters.
func (r *reader) chunk(id uint32) (*chunkText, store.File, error) {
	text, file, err := r.whole(id)
	if err != nil || text == nil || text.stale {
		return text, file, err
	}
	in := r
	if r.parts != nil {
		in = r.last
	}
	if _, place, ok := in.snap.Place(text.id); ok && in.kept[text.id] == nil {
		if !in.narrow(text, &file, place) {
			return nil, store.File{}, nil // and nothing is outdated
		}
	}
	return text, file, nil
}

// whole returns the text of a chunk with all of its entries.
func (r *reader) whole(id uint32) (*chunkText, store.File, error) {
	if r.parts != nil {
		n, chunk := snapshot.SplitID(id)
		r.last = r.parts[n]
		return r.last.whole(chunk)
	}
	found, place, ok := r.snap.Place(id)
	if !ok {
		return nil, store.File{}, nil
	}
	file := *found
	if text := r.kept[id]; text != nil {
		return text, file, nil
	}
	if !r.loaded || r.file.ID != file.ID {
		if err := r.load(file); err != nil {
			return nil, file, err
		}
	}
	if r.text == nil {
		return nil, file, nil
	}
	text := cut(r.text, r.chunks[place])
	text.secret = r.text.Secret
	text.id = id
	if text.stale && strings.TrimSpace(text.body) == "" {
		return nil, file, nil
	}
	return text, file, nil
}

// load reads a file. One that was deleted or locked has no text: the watcher
// will tell the index.
func (r *reader) load(file store.File) error {
	chunks, err := r.recordsOf(file)
	if err != nil {
		return err
	}
	r.file, r.chunks, r.text, r.passes, r.loaded = file, chunks, nil, nil, true
	if chunks == nil {
		return nil
	}
	if text, err := r.texts.Text(file.Path); err == nil {
		r.text = text
	}
	return nil
}

// keep has later readers of the view find a chunk without its file, of whose
// text it holds only what is the chunk's.
func (v *view) keep(id uint32, text *chunkText) {
	if v.parts != nil {
		n, chunk := snapshot.SplitID(id)
		v.parts[n].keep(chunk, text)
		return
	}
	if v.kept == nil {
		v.kept = map[uint32]*chunkText{}
	}
	for _, s := range []*string{&text.body, &text.embedded, &text.ranked, &text.heading, &text.columns} {
		*s = strings.Clone(*s)
	}
	v.kept[id] = text
}

// embedded returns what was embedded of a chunk, or "" if that does not stand
// in its file any more.
func (r *reader) embedded(id uint32) (string, store.File, error) {
	text, file, err := r.whole(id)
	if err != nil || text == nil || text.stale {
		return "", file, err
	}
	return text.embedded, file, nil
}

// cut takes a chunk out of the text of its file as that reads now. If the
// text there is another one than was indexed, the chunk is stale.
func cut(text *engine.Text, c store.Chunk) *chunkText {
	start, end := int(c.Start), int(c.End)
	t := &chunkText{}
	if end <= len(text.Body) {
		if embedded := text.Embedded(start, end); layout.ChunkHash(embedded) == c.Hash {
			t.embedded = embedded
			t.take(text, start, end)
			t.ranked = embedded
			return t
		}
	}
	start = wholeRune(text.Body, min(start, len(text.Body)))
	end = wholeRune(text.Body, min(end, len(text.Body)))
	t.stale = true
	t.take(text, start, end)
	return t
}

// take makes a stretch of a text the one that is shown.
func (t *chunkText) take(text *engine.Text, start, end int) {
	t.body, t.heading, t.where = text.Body[start:end], text.Heading(start), engine.Where{}
	t.columns = columnsAbove(text.Body, start)
	if t.embedded != "" {
		t.ranked = text.Embedded(start, end)
	}
	t.locate(text, start, end)
}

// locate says where in its file a chunk is.
func (t *chunkText) locate(text *engine.Text, start, end int) {
	t.line, t.last = linesOf(text, start, end)
	t.where.Extracted = text.Extracted
	if text.Places == nil {
		return
	}
	t.places = text.Places(start, end)
	lead := len(t.body) - len(strings.TrimLeft(t.body, blanks))
	t.where = t.where.At(t.places, lead)
	t.places = slices.DeleteFunc(t.places, func(m engine.LocatorMark) bool { return m.Offset <= lead })
}

// blanks are the bytes of white space that separate and end lines.
const blanks = " \t\r\n\f\v"

// linesOf are the first and last line of the file that hold something other
// than white space of a chunk.
func linesOf(text *engine.Text, start, end int) (first, last int) {
	body := text.Body[start:end]
	first = text.Line(start + len(body) - len(strings.TrimLeft(body, blanks)))
	return first, max(first, text.Line(start+len(strings.TrimRight(body, blanks))))
}

// wholeRune moves a byte offset back to the start of the character it is in.
func wholeRune(s string, at int) int {
	for at > 0 && at < len(s) && s[at]&0xC0 == 0x80 {
		at--
	}
	return at
}
