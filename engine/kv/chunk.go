package kv

import (
	"errors"
	"fmt"

	"dowse/engine/memory"
)

// chunk holds keys and values of some tokens, by layer. It is missing if it has no memory.
type chunk struct {
	level  Level // of a missing chunk the level that it is restored at
	buffer *memory.Buffer
	layers []Rows
}

func (b *chunk) missing() bool { return b.buffer == nil }

// GroupBytes returns the range of bytes of a group of layers in a chunk.
func (s *Shape) GroupBytes(group int, l Level) (from, to int) {
	first, end := s.GroupLayers(group)
	return first * s.LayerBytes(l), end * s.LayerBytes(l)
}

// Shape returns how large keys and values are.
func (c *Cache) Shape() Shape { return c.shape }

// Chunks returns the number of chunks, an open last one included.
func (c *Cache) Chunks() int { return c.shape.chunks(len(c.tokens)) }

// Sealed reports whether a chunk has all its tokens. Only the last one may be open.
func (c *Cache) Sealed(i int) bool { return (i+1)*c.shape.ChunkTokens <= len(c.tokens) }

// ChunkTokens returns the tokens of a chunk, which the caller must not change.
func (c *Cache) ChunkTokens(i int) []int32 {
	from := i * c.shape.ChunkTokens
	return c.tokens[from:min(from+c.shape.ChunkTokens, len(c.tokens))]
}

// Level returns the bits of a chunk's numbers; of a missing one, see SetLevel.
func (c *Cache) Level(i int) Level { return c.chunks[i].level }

// Missing reports whether a chunk's tokens are known but its keys and values are not in
// memory. All must be restored before anything is appended.
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

// Data returns the bytes of a chunk by layer, or nil if it is missing. In an open chunk only
// the bytes of its tokens are valid.
func (c *Cache) Data(i int) []byte {
	if c.chunks[i].missing() {
		return nil
	}
	return c.chunks[i].buffer.Bytes()
}

// Drop frees the memory of a chunk, which is then missing and keeps its level.
func (c *Cache) Drop(i int) error {
	err := c.give(&c.chunks[i])
	c.chunks[i] = chunk{level: c.chunks[i].level}
	return err
}

// SetLevel sets the level at which a missing chunk is restored, that of its kept bytes. An
// open one is always restored at Level8.
func (c *Cache) SetLevel(i int, l Level) error {
	if err := l.check(); err != nil {
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

// Place allocates a missing chunk at a level and returns its bytes by layer, for the caller
// to fill.
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

// Resume gives an empty Cache tokens whose chunks are all missing, at Level8.
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
