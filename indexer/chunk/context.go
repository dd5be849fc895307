package chunk

import (
	"slices"
	"sort"
	"strings"

	"dowse/indexer/document"
)

// Headings tells what was embedded of the chunks of a document, given where
// they lie: the index keeps the ranges of chunks and none of their text.
type Headings struct {
	doc     *document.Document
	outline *outline
}

// ReadHeadings takes a document apart far enough to know the headings above
// any place in it. opts are those that Split was given; tokens are counted of
// headings alone, so that it takes a small part of Split's time.
func ReadHeadings(doc *document.Document, opts Options) *Headings {
	opts = opts.withDefaults()
	opts.headingsOnly = true
	return &Headings{doc, read(doc, opts)}
}

// EmbedText returns what EmbedText returned for the chunk of bytes start to
// end when the document was split.
func (h *Headings) EmbedText(start, end int) string {
	return EmbedText(h.doc, Chunk{Start: start, End: end, Context: h.context(start)})
}

// Heading returns the Heading that the chunk which begins at a byte had.
func (h *Headings) Heading(start int) string {
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
	atoms := h.outline.atoms
	at = sort.Search(len(atoms), func(i int) bool { return atoms[i].start > start }) - 1
	if at < 0 {
		return 0, false, false
	}
	return at, atoms[at].start == start, true
}
