package passage

import (
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Text is the text of one chunk, read again from its file.
type Text struct {
	Body       string
	embedded   string // what was embedded of it; "" when stale
	Ranked     string // what a reranker is given: embedded, or the same of what is left of it
	Line, Last int    // lines of the file, from 1, inclusive
	Heading    string
	columns    string // the row that names the columns of the table within which it begins
	Stale      bool   // not the text that was indexed
	Secret     bool   // for the eyes of the person alone
	Where      engine.Where
	places     []engine.LocatorMark // that begin within Body
	id         uint32               // of the chunk
	pack       string               // that keeps the text
	about      *engine.About        // of a text of another machine
}

// Passage returns the text as results show it. Its place in a ranking is the caller's to fill in.
func (t *Text) Passage(file *store.File, highlights []engine.Range) *engine.Passage {
	p := &engine.Passage{
		Path:       file.Path,
		LineStart:  t.Line,
		LineEnd:    t.Last,
		Where:      t.Where,
		Places:     t.places,
		Heading:    t.Heading,
		Columns:    t.columns,
		Text:       t.Body,
		Highlights: highlights,
		Stale:      t.Stale,
		Secret:     t.Secret,
		FileID:     file.ID,
	}
	if t.pack != "" {
		p.Pack = t.pack
	}
	if file.ModTime != 0 {
		p.Modified = time.Unix(0, file.ModTime).UTC().Truncate(time.Second)
	}
	return p
}

// Reader reads chunks again. It keeps the file read last, since chunks of one
// file are asked for together.
type Reader struct {
	*Commit
	file   store.File
	loaded bool
	text   *engine.Text // nil: the file cannot be read any more
	chunks []store.Chunk
	passes []bool       // its entries, where they were asked; nil before
	lit    *Highlighter // finds what was asked for; nil before its first use

	parts []*Reader // of the parts of the commit
	last  *Reader   // of these, the one that read last
}

// NewReader returns a reader of the chunks of the commit, or of all its parts.
func (v *Commit) NewReader() *Reader {
	r := &Reader{Commit: v}
	for _, p := range v.Parts {
		r.parts = append(r.parts, p.NewReader())
	}
	return r
}

// Outdated asks for the file that was read last to be indexed again.
func (r *Reader) Outdated(file store.File) {
	if r.last != nil {
		r = r.last
	}
	r.Commit.Outdated(file)
}

// Chunk returns the text of a chunk, or nil if its file is gone or has become
// so short that nothing stands in its place. Of several entries it is what passes the filters.
func (r *Reader) Chunk(id uint32) (*Text, store.File, error) {
	text, file, err := r.whole(id)
	if err != nil || text == nil || text.Stale {
		return text, file, err
	}
	in := r
	if r.parts != nil {
		in = r.last
	}
	if in.distant != nil {
		return text, file, nil // it comes as it is shown
	}
	if _, place, ok := in.Snap.Place(text.id); ok && in.kept[text.id] == nil {
		if !in.narrow(text, &file, place) {
			return nil, store.File{}, nil // and nothing is outdated
		}
	}
	return text, file, nil
}

// whole returns the text of a chunk with all of its entries.
func (r *Reader) whole(id uint32) (*Text, store.File, error) {
	if r.parts != nil {
		n, chunk := snapshot.SplitID(id)
		r.last = r.parts[n]
		return r.last.whole(chunk)
	}
	if r.distant != nil {
		file, _ := r.FileOf(id)
		return r.kept[id], file, nil
	}
	found, place, ok := r.Snap.Place(id)
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
	text := Cut(r.text, r.chunks[place])
	text.Secret = r.text.Secret
	text.id, text.pack = id, r.Pack
	if text.Stale && strings.TrimSpace(text.Body) == "" {
		return nil, file, nil
	}
	return text, file, nil
}

// load reads a file. One that was deleted or locked has no text: the watcher
// will tell the index.
func (r *Reader) load(file store.File) error {
	chunks, err := r.RecordsOf(file)
	if err != nil {
		return err
	}
	r.file, r.chunks, r.text, r.passes, r.loaded = file, chunks, nil, nil, true
	if chunks == nil {
		return nil
	}
	if text, err := r.Texts.Text(file.Path); err == nil {
		r.text = text
	}
	return nil
}

// Keep has later readers of the commit find a chunk without its file, of whose
// text it holds only what is the chunk's.
func (v *Commit) Keep(id uint32, text *Text) {
	if v.Parts != nil {
		n, chunk := snapshot.SplitID(id)
		v.Parts[n].Keep(chunk, text)
		return
	}
	if v.kept == nil {
		v.kept = map[uint32]*Text{}
	}
	for _, s := range []*string{&text.Body, &text.embedded, &text.Ranked, &text.Heading, &text.columns} {
		*s = strings.Clone(*s)
	}
	v.kept[id] = text
}

// Embedded returns what was embedded of a chunk, or "" if that does not stand
// in its file any more.
func (r *Reader) Embedded(id uint32) (string, store.File, error) {
	text, file, err := r.whole(id)
	if err != nil || text == nil || text.Stale {
		return "", file, err
	}
	return text.embedded, file, nil
}

// Cut takes a chunk out of the text of its file as that reads now. If the
// text there is another one than was indexed, the chunk is stale.
func Cut(text *engine.Text, c store.Chunk) *Text {
	start, end := int(c.Start), int(c.End)
	t := &Text{}
	if end <= len(text.Body) {
		if embedded := text.Embedded(start, end); layout.ChunkHash(embedded) == c.Hash {
			t.embedded = embedded
			t.show(text, start, end)
			t.Ranked = embedded
			return t
		}
	}
	start = wholeRune(text.Body, min(start, len(text.Body)))
	end = wholeRune(text.Body, min(end, len(text.Body)))
	t.Stale = true
	t.show(text, start, end)
	return t
}

// show makes a stretch of a text the one that is shown.
func (t *Text) show(text *engine.Text, start, end int) {
	t.Body, t.Heading, t.Where = text.Body[start:end], text.Heading(start), engine.Where{}
	t.columns = columnsAbove(text.Body, start)
	if t.embedded != "" {
		t.Ranked = text.Embedded(start, end)
	}
	t.locate(text, start, end)
}

// locate says where in its file a chunk is.
func (t *Text) locate(text *engine.Text, start, end int) {
	t.Line, t.Last = LinesOf(text, start, end)
	t.Where.Extracted = text.Extracted
	if text.Places == nil {
		return
	}
	t.places = text.Places(start, end)
	lead := len(t.Body) - len(strings.TrimLeft(t.Body, blanks))
	t.Where = t.Where.At(t.places, lead)
	t.places = slices.DeleteFunc(t.places, func(m engine.LocatorMark) bool { return m.Offset <= lead })
}

// blanks are the bytes of white space that separate and end lines.
const blanks = " \t\r\n\f\v"

// LinesOf are the first and last line of the file that hold something other
// than white space of a chunk.
func LinesOf(text *engine.Text, start, end int) (first, last int) {
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
