package chunk

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"dowse/indexer/document"
)

// Headings tells what was embedded of the chunks of a document, given where
// they lie: the index keeps the ranges of chunks and none of their text.
type Headings struct {
	doc     *document.Document
	outline *outline
	code    func() *Definitions // nil where the document is no code
}

// ReadHeadings takes a document apart far enough to know the headings above
// any place in it. opts are those that Split was given; tokens are counted of
// headings alone, so that it takes a small part of Split's time.
func ReadHeadings(doc *document.Document, opts Options) *Headings {
	opts = opts.withDefaults()
	opts.headingsOnly = true
	h := &Headings{doc: doc, outline: read(doc, opts)}
	if doc.Kind == document.Code {
		h.code = sync.OnceValue(func() *Definitions { return ReadDefinitions(doc) })
	}
	return h
}

// EmbedText returns what EmbedText returned for the chunk of bytes start to
// end when the document was split.
func (h *Headings) EmbedText(start, end int) string {
	return EmbedText(h.doc, Chunk{Start: start, End: end, Context: h.context(start)})
}

// Heading returns the Heading that the chunk which begins at a byte had.
func (h *Headings) Heading(start int) string {
	if h.code != nil {
		return h.code().Heading(start)
	}
	at, begins, ok := h.atom(start)
	if !ok {
		return ""
	}
	o := h.outline
	path := o.path(o.atoms[at].section)
	if begins {
		_, path = o.headings(at)
	}
	return strings.Join(path, Separator)
}

// context returns the context of the chunk that begins at a byte.
func (h *Headings) context(start int) string {
	at, begins, ok := h.atom(start)
	if start == 0 || !ok {
		return ""
	}
	o := h.outline
	id := o.atoms[at].section
	if begins {
		id = o.sectionAbove(at)
	}
	var titles []string
	o.eachAbove(id, func(s *section) { titles = append(titles, s.title) })
	slices.Reverse(titles)
	return strings.Join(titles, Separator)
}

// atom finds the atom that a byte belongs to, and whether it begins there.
func (h *Headings) atom(start int) (at int, begins, ok bool) {
	if at = h.outline.atomAt(start); at < 0 {
		return 0, false, false
	}
	return at, h.outline.atoms[at].start == start, true
}

// atomAt finds the atom that a byte belongs to; -1 where it lies before all.
func (o *outline) atomAt(start int) int {
	return sort.Search(len(o.atoms), func(i int) bool { return o.atoms[i].start > start }) - 1
}
