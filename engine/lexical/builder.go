package lexical

import (
	"fmt"
	"slices"
	"strings"
)

// Builder collects the chunks of a batch and writes them as one segment, one batch after the other. It is for one goroutine.
type Builder struct {
	terms    map[string]int // places in lists
	lists    []termList
	postings []linkedPosting
	chunks   []chunkLength

	scratch []posting
}

// termList are the postings of a term.
type termList struct {
	term    string
	last, n int
}

// linkedPosting is a posting, which names its chunk by its place, and the one of its term before it.
type linkedPosting struct {
	posting
	before int
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{terms: make(map[string]int)}
}

// Reset empties the Builder, and keeps its memory.
func (b *Builder) Reset() {
	clear(b.terms)
	clear(b.lists) // terms are parts of texts
	b.lists, b.postings, b.chunks = b.lists[:0], b.postings[:0], b.chunks[:0]
}

// Add adds a chunk with its terms, repeated as often as they occur. Ids must ascend. A chunk
// without terms counts too; annotations do not count in its length.
func (b *Builder) Add(chunk uint32, terms []string) {
	at := uint32(len(b.chunks))
	length := uint32(0)
	for _, term := range terms {
		if !isAnnotation(term) {
			length++
		}
		i, known := b.terms[term]
		if !known {
			i = len(b.lists)
			b.terms[term] = i
			b.lists = append(b.lists, termList{term: term})
		}
		list := &b.lists[i]
		if list.n > 0 && b.postings[list.last].chunk == at {
			b.postings[list.last].count++
			continue
		}
		b.postings = append(b.postings, linkedPosting{posting{chunk: at, count: 1}, list.last})
		list.last = len(b.postings) - 1
		list.n++
	}
	b.chunks = append(b.chunks, chunkLength{chunk: chunk, length: length})
}

// list returns the postings of a term in the order of chunks, valid until the next call.
func (b *Builder) list(of termList) []posting {
	b.scratch = slices.Grow(b.scratch[:0], of.n)[:of.n]
	for i, at := of.n-1, of.last; i >= 0; i-- {
		b.scratch[i] = b.postings[at].posting
		at = b.postings[at].before
	}
	return b.scratch
}

// Write writes a segment and empties the Builder. An empty one writes nothing and returns 0.
func (b *Builder) Write(w Writer) (segment uint32, err error) {
	if len(b.chunks) == 0 {
		return 0, nil
	}
	for i := 1; i < len(b.chunks); i++ {
		if b.chunks[i].chunk <= b.chunks[i-1].chunk {
			return 0, fmt.Errorf("chunk %d was added after chunk %d", b.chunks[i].chunk, b.chunks[i-1].chunk)
		}
	}
	out, err := newSegmentWriter(w, b.chunks)
	if err != nil {
		return 0, err
	}
	slices.SortFunc(b.lists, func(l, m termList) int { return strings.Compare(l.term, m.term) })
	for _, l := range b.lists {
		if err := out.add(l.term, b.list(l)); err != nil {
			return 0, err
		}
	}
	if err := out.close(); err != nil {
		return 0, err
	}
	b.Reset()
	return out.id, nil
}
