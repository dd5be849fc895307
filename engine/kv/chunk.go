package kv

import (
	"errors"
	"fmt"

	"dowse/engine/memory"
)

// chunk is keys and values of some tokens, layer by layer. It is missing where it has
// no memory.
type chunk struct {
	level  Level // of a missing chunk the one at which it comes back
	buffer *memory.Buffer
	layers []Rows
}

// missing reports whether the chunk has no memory.
func (b *chunk) missing() bool { return b.buffer == nil }

// GroupBytes returns the bytes from, ... to-1 of a chunk that a group of layers takes.
func (s *Shape) GroupBytes(group int, l Level) (from, to int) {
	first, end := s.GroupLayers(group)
	return first * s.LayerBytes(l), end * s.LayerBytes(l)
}

// Shape returns how large keys and values are.
func (c *Cache) Shape() Shape { return c.shape }

// Chunks returns how many chunks the tokens have begun, an open last one among them.
func (c *Cache) Chunks() int { return c.shape.chunks(len(c.tokens)) }

// Sealed reports whether all tokens of a chunk are there. Only the last one may be
// open.
func (c *Cache) Sealed(i int) bool { return (i+1)*c.shape.ChunkTokens <= len(c.tokens) }

// ChunkTokens returns the tokens of a chunk, which stay the Cache's.
func (c *Cache) ChunkTokens(i int) []int32 {
	from := i * c.shape.ChunkTokens
	return c.tokens[from:min(from+c.shape.ChunkTokens, len(c.tokens))]
}

// Level returns the bits of a chunk's numbers: of a missing one those that it comes
// back with (see SetLevel).
func (c *Cache) Level(i int) Level { return c.chunks[i].level }

// Missing reports whether the tokens of a chunk are known while its keys and values
// are not in memory. Nothing can be appended to a Cache before all of them are back.
func (c *Cache) Missing(i int) bool { return c.chunks[i].missing() }

// MissingChunks lists the chunks that are missing, ascending.
func (c *Cache) MissingChunks() []int {
	var all []int
	for i := range c.Chunks() {
		if c.chunks[i].missing() {
			all = append(all, i)
		}
	}
	return all
}

// Data returns the bytes of a chunk, layer after layer, or nil if it is missing. Of
// an open chunk those of its tokens alone mean anything.
func (c *Cache) Data(i int) []byte {
	if c.chunks[i].missing() {
		return nil
	}
	return c.chunks[i].buffer.Bytes()
}

// Drop gives the memory of a chunk back. It is missing then, and comes back at the level
// that it had.
func (c *Cache) Drop(i int) error {
	err := c.give(&c.chunks[i])
	c.chunks[i] = chunk{level: c.chunks[i].level}
	return err
}

// SetLevel says at which level a missing chunk comes back: that of the bytes which
// somebody kept. An open one comes back at Level8 alone.
func (c *Cache) SetLevel(i int, l Level) error {
	if err := l.Check(); err != nil {
		return err
	}
	if !c.chunks[i].missing() {
		return fmt.Errorf("chunk %d is in memory", i)
	}
	if l != Level8 && !c.Sealed(i) {
		return fmt.Errorf("chunk %d is still open, which is kept at %d bits, not %d", i, Level8, l)
	}
	c.chunks[i].level = l
	return nil
}

// Place takes the memory of a missing chunk at a level and returns its bytes, layer
// after layer, for the caller to fill. The chunk is missing no longer.
func (c *Cache) Place(i int, l Level) ([]byte, error) {
	if err := c.SetLevel(i, l); err != nil {
		return nil, err
	}
	made, err := c.newChunk(c.shape.ChunkTokens, l)
	if err != nil {
		return nil, err
	}
	c.chunks[i] = made
	return made.buffer.Bytes(), nil
}

// Resume makes an empty Cache one of these tokens, all of whose chunks are missing,
// at Level8.
func (c *Cache) Resume(tokens []int32) error {
	if len(c.tokens) > 0 {
		return errors.New("only an empty cache takes the tokens of an earlier one")
	}
	err := c.Shrink()
	c.tokens = append(c.tokens[:0], tokens...)
	for range c.Chunks() {
		c.chunks = append(c.chunks, chunk{level: Level8})
	}
	return err
}
