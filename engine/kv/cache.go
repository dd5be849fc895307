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

// Shape is the size of a model's keys and values.
type Shape struct {
	Layers      int
	Heads       int // of keys and values
	HeadDim     int
	ChunkTokens int // tokens whose keys and values share a buffer
}

// Bytes returns the bytes of some tokens' keys and values in all layers.
func (s *Shape) Bytes(tokens int) int { return s.Layers * tokens * RowBytes(s.Heads, s.HeadDim) }

// Held returns the bytes of tokens and a tree, in whole pages.
func (s *Shape) Held(tokens int) int64 {
	return int64(s.chunks(tokens))*memory.InPages(s.Bytes(s.ChunkTokens)) + memory.InPages(s.Bytes(MaxTree))
}

func (s *Shape) chunks(tokens int) int { return (tokens + s.ChunkTokens - 1) / s.ChunkTokens }

// Cache holds the tokens of one text with their keys and values in every layer. Only one
// goroutine may use it at a time.
type Cache struct {
	shape  Shape
	ledger *memory.Ledger
	held   *atomic.Int64 // bytes of all caches that share it, in whole pages

	tokens []int32
	chunks []chunk // of ChunkTokens tokens each
	tree   Tree    // the tree in draft, if any
	draft  chunk   // of MaxTree tokens; without memory before the first ReserveTree

	density density // of its tokens
}

// NewCache returns an empty cache that charges its memory to the ledger and adds it to held,
// which several caches may share. Both may be nil.
func NewCache(s Shape, ledger *memory.Ledger, held *atomic.Int64) *Cache {
	if held == nil {
		held = &atomic.Int64{}
	}
	return &Cache{shape: s, ledger: ledger, held: held}
}

// Len returns the number of tokens.
func (c *Cache) Len() int { return len(c.tokens) }

// Tokens returns the tokens, which the caller must not change.
func (c *Cache) Tokens() []int32 { return c.tokens }

// Bytes returns the memory of keys and values, those of a tree included.
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

// HeldWith returns the bytes of all caches that share held once this one has room for that
// many tokens, its missing chunks and a tree.
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

// newChunk allocates a chunk of that many tokens at a level.
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

// give frees the memory of newChunk.
func (c *Cache) give(b *chunk) error {
	if b.buffer != nil {
		c.held.Add(-memory.InPages(b.buffer.Size()))
	}
	return b.buffer.Free()
}

// Spans returns the keys and values of reserved tokens [from, to) in a layer, cut at the
// ends of chunks. Missing chunks panic.
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

// Extend adds tokens whose keys and values were written to the Spans behind the last token.
func (c *Cache) Extend(ids []int32) {
	c.tokens, c.tree = append(c.tokens, ids...), Tree{}
}

// Truncate keeps the first n tokens and frees whole chunks behind them. If the cut opens a
// sealed chunk of fewer than 8 bits, that becomes missing, because an open chunk has 8 bits
// and its tokens must be computed again.
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

// Shrink frees chunks without tokens and drops the tree.
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

// Free frees all memory. The Cache is then empty and reusable.
func (c *Cache) Free() error {
	err := errors.Join(c.Truncate(0), c.give(&c.draft))
	c.draft = chunk{}
	return err
}
