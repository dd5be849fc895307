package lexical

import (
	"fmt"
	"maps"
	"slices"
)

// Builder collects the chunks of a batch and writes them as one segment. It is for one goroutine.
type Builder struct {
	terms  map[string]int // index of the term's list
	lists  [][]posting    // chunks by their place
	chunks []chunkLength
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{terms: make(map[string]int)}
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
			b.lists = append(b.lists, nil)
		}
		list := b.lists[i]
		if n := len(list); n > 0 && list[n-1].chunk == at {
			list[n-1].count++
			continue
		}
		b.lists[i] = append(list, posting{chunk: at, count: 1})
	}
	b.chunks = append(b.chunks, chunkLength{chunk: chunk, length: length})
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
	for _, term := range slices.Sorted(maps.Keys(b.terms)) {
		if err := out.add(term, b.lists[b.terms[term]]); err != nil {
			return 0, err
		}
	}
	*b = *NewBuilder()
	return out.id, out.close()
}
