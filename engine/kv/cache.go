package kv

import (
	"errors"
	"fmt"
	"sync/atomic"

	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// Pool is the ledger's pool of keys and values.
const Pool = "kv.ram"

// Shape is how large the keys and values of a model are.
type Shape struct {
	Layers      int
	Heads       int // of keys and values
	HeadDim     int
	ChunkTokens int // tokens whose keys and values share a buffer
}

// Bytes returns what the keys and values of tokens of a chunk take in all layers.
func (s *Shape) Bytes(tokens int) int { return s.Layers * tokens * RowBytes(s.Heads, s.HeadDim) }

// Held returns the bytes that tokens and a tree take, in whole pages.
func (s *Shape) Held(tokens int) int64 {
	return int64(s.chunks(tokens))*memory.InPages(s.Bytes(s.ChunkTokens)) + memory.InPages(s.Bytes(MaxTree))
}

// chunks returns how many chunks tokens take.
func (s *Shape) chunks(tokens int) int { return (tokens + s.ChunkTokens - 1) / s.ChunkTokens }

// Cache is the tokens of one text with their keys and values in every layer. Only
// one goroutine may use it at a time.
type Cache struct {
	shape  Shape
	ledger *memory.Ledger
	held   *atomic.Int64 // bytes of all caches that share it, in whole pages

	tokens []int32
	chunks []chunk // of ChunkTokens tokens each
	tree   Tree    // the tree whose keys and values lie in draft, if any
	draft  chunk   // of MaxTree tokens; without memory before the first ReserveTree

	density density // of its tokens
}

// NewCache returns an empty cache whose memory is charged to the ledger and added to
// held, which several caches may share. Both may be nil.
func NewCache(s Shape, ledger *memory.Ledger, held *atomic.Int64) *Cache {
	if held == nil {
		held = &atomic.Int64{}
	}
	return &Cache{shape: s, ledger: ledger, held: held}
}

// Len returns the number of tokens.
func (c *Cache) Len() int { return len(c.tokens) }

// Tokens returns the tokens, which stay the Cache's.
func (c *Cache) Tokens() []int32 { return c.tokens }

// Bytes returns the memory held for keys and values, those of a tree included.
func (c *Cache) Bytes() int64 {
	total := int64(0)
	if c.draft.buffer != nil {
		total += int64(c.draft.buffer.Size())
	}
	for i := range c.chunks {
		if !c.chunks[i].missing() {
			total += int64(c.chunks[i].buffer.Size())
		}
	}
	return total
}

// HeldWith returns what all caches that share held take at most once this one has
// room for that many tokens, its missing chunks among them, and for a tree.
func (c *Cache) HeldWith(tokens int) int64 {
	total := c.held.Load()
	more := max(0, c.shape.chunks(tokens)-len(c.chunks)) + len(c.MissingChunks())
	total += int64(more) * memory.InPages(c.shape.ChunkBytes(Level8))
	if c.draft.buffer == nil {
		total += memory.InPages(c.shape.Bytes(MaxTree))
	}
	return total
}

// Reserve makes room for the keys and values of that many tokens.
func (c *Cache) Reserve(tokens int) error {
	for len(c.chunks) < c.shape.chunks(tokens) {
		chunk, err := c.newChunk(c.shape.ChunkTokens, Level8)
		if err != nil {
			return err
		}
		c.chunks = append(c.chunks, chunk)
	}
	return nil
}

// newChunk takes memory for that many tokens at a level.
func (c *Cache) newChunk(tokens int, level Level) (chunk, error) {
	s := c.shape
	s.ChunkTokens = tokens
	buffer, err := memory.NewBuffer(c.ledger, Pool, s.ChunkBytes(level))
	if err != nil {
		return chunk{}, err
	}
	c.held.Add(memory.InPages(buffer.Size()))
	made, size := chunk{level: level, buffer: buffer}, s.LayerBytes(level)
	for l := range s.Layers {
		made.layers = append(made.layers, RowsIn(buffer.Bytes()[l*size:], tokens, s.Heads, s.HeadDim, level))
	}
	return made, nil
}

// give gives the memory of newChunk back.
func (c *Cache) give(b *chunk) error {
	if b.buffer != nil {
		c.held.Add(-memory.InPages(b.buffer.Size()))
	}
	return b.buffer.Free()
}

// Spans returns the keys and values of the tokens from, ... to-1 in a layer, which
// are reserved, cut at the ends of chunks. None of these chunks may be missing.
func (c *Cache) Spans(layer, from, to int) []kernel.KeyValues {
	length, spans := c.shape.ChunkTokens, make([]kernel.KeyValues, 0, c.shape.chunks(to)-from/c.shape.ChunkTokens)
	for from < to {
		i, at := from/length, from%length
		end := min(length, at+to-from)
		if c.chunks[i].missing() {
			panic(fmt.Sprintf("kv: chunk %d is missing", i))
		}
		spans = append(spans, c.chunks[i].layers[layer].Span(at, end))
		from += end - at
	}
	return spans
}

// Extend adds tokens whose keys and values were written to the Spans behind the
// last one.
func (c *Cache) Extend(ids []int32) {
	c.tokens, c.tree = append(c.tokens, ids...), Tree{}
}

// Truncate keeps the first n tokens. The memory of whole chunks behind them is given
// back. A sealed chunk that it opens again and that has fewer than 8 bits becomes
// missing, for its tokens to be computed again, since an open one has all 8.
func (c *Cache) Truncate(n int) error {
	if n < 0 || n > len(c.tokens) {
		return fmt.Errorf("keep %d of %d tokens", n, len(c.tokens))
	}
	cut := n < len(c.tokens)
	c.tokens = c.tokens[:n]
	c.density.truncate(n)
	err := c.Shrink()
	if last := c.Chunks() - 1; cut && last >= 0 && !c.Sealed(last) && c.chunks[last].level != Level8 {
		err = errors.Join(err, c.Drop(last))
		c.chunks[last].level = Level8
	}
	return err
}

// Shrink gives back the chunks that no token needs, and drops the tree.
func (c *Cache) Shrink() error {
	c.tree = Tree{}
	var err error
	for len(c.chunks) > c.shape.chunks(len(c.tokens)) {
		last := len(c.chunks) - 1
		err = errors.Join(err, c.give(&c.chunks[last]))
		c.chunks = c.chunks[:last]
	}
	return err
}

// Free gives all memory back. The Cache is empty then, and may be used again.
func (c *Cache) Free() error {
	err := errors.Join(c.Truncate(0), c.give(&c.draft))
	c.draft = chunk{}
	return err
}
