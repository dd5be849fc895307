package chunk

import (
	"sort"
	"strings"

	"dowse/indexer/extract"
)

// Headings tells what was embedded of the chunks of a document, given where
// they lie: the index keeps the ranges of chunks and none of their text.
type Headings struct {
	doc     *extract.Document
	outline *outline
}

// ReadHeadings takes a document apart far enough to know the headings above
// any place in it. opts are those that Split was given; tokens are counted of
// headings alone, so that it takes a small part of Split's time.
func ReadHeadings(doc *extract.Document, opts Options) *Headings {
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
	o := h.outline
	i := sort.Search(len(o.atoms), func(i int) bool { return o.atoms[i].start > start }) - 1
	if i < 0 {
		return ""
	}
	if o.atoms[i].start == start {
		_, path := o.headings(i)
		return strings.Join(path, Separator)
	}
	return strings.Join(o.path(o.atoms[i].section), Separator)
}

// context is the context of the chunk that begins at a byte.
func (h *Headings) context(start int) string {
	if start == 0 {
		return ""
	}
	o := h.outline
	i := sort.Search(len(o.atoms), func(i int) bool { return o.atoms[i].start > start }) - 1
	if i < 0 {
		return ""
	}
	id := o.atoms[i].section
	if o.atoms[i].start == start {
		id = o.above(i)
	}
	var titles []string
	o.eachAbove(id, func(s *section) { titles = append([]string{s.title}, titles...) })
	return strings.Join(titles, Separator)
}
