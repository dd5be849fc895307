package kv

import "fmt"

// Level is how many bits the numbers of a chunk take.
type Level uint8

// The levels. A chunk is written at Level8 and goes down from there, never up.
const (
	Level8 Level = 8 // a signed byte, and a scale for each token and head
	Level4 Level = 4
	Level2 Level = 2
)

// Levels are all of them, those of the most bits first.
var Levels = [...]Level{Level8, Level4, Level2}

// Groups is how many groups of layers a chunk is read and checked in: group g is the
// layers Layers*g/Groups up to Layers*(g+1)/Groups.
const Groups = 4

// Format numbers the layouts of chunks. Chunks of another format are no longer read.
const Format = 1

// Check returns an error unless the level is one of Levels.
func (l Level) Check() error {
	for _, known := range Levels {
		if l == known {
			return nil
		}
	}
	return fmt.Errorf("chunks of %d bits a number; 8, 4 and 2 are known", uint8(l))
}

// LayerBytes returns what the keys and values of a whole chunk take in one layer.
func (s *Shape) LayerBytes(l Level) int {
	if l == Level8 {
		return s.ChunkTokens * RowBytes(s.Heads, s.HeadDim)
	}
	return packedBytes(s.ChunkTokens, s.Heads, s.HeadDim, l)
}

// ChunkBytes returns what a whole chunk takes: its layers one after the other, each of
// LayerBytes.
func (s *Shape) ChunkBytes(l Level) int { return s.Layers * s.LayerBytes(l) }

// GroupLayers returns the layers from, ... to-1 of a group.
func (s *Shape) GroupLayers(group int) (from, to int) {
	return s.Layers * group / Groups, s.Layers * (group + 1) / Groups
}

// Lower writes the numbers of a chunk with fewer bits, from what it has, into memory of
// its own, and gives the former memory back. The chunk must be sealed and not missing.
func (c *Cache) Lower(i int, l Level) error {
	if err := l.Check(); err != nil {
		return err
	}
	from := &c.chunks[i]
	switch {
	case from.missing():
		return fmt.Errorf("chunk %d is missing; only what is in memory can be lowered", i)
	case !c.Sealed(i):
		return fmt.Errorf("chunk %d is still open, which is kept at %d bits", i, Level8)
	case l >= from.level:
		return fmt.Errorf("chunk %d has %d bits a number, and is not brought to %d", i, from.level, l)
	}
	to, err := c.newChunk(c.shape.ChunkTokens, l)
	if err != nil {
		return err
	}
	for layer := range from.layers {
		from.layers[layer].lower(&to.layers[layer], c.shape.ChunkTokens)
	}
	err = c.give(from)
	c.chunks[i] = to
	return err
}
