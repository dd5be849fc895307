package kv

import "fmt"

// Level is how many bits a stored number of a chunk takes.
type Level uint8

// The levels of a chunk. Keys and values are computed at Level8; the others come from
// it and never go back.
const (
	Level8 Level = 8
	Level4 Level = 4
	Level2 Level = 2
)

// LayerBytes returns what a layer of a chunk takes at a level.
func (s *Shape) LayerBytes(l Level) int {
	if l != Level8 {
		panic(fmt.Sprintf("kv: no chunks of %d bits yet", l))
	}
	return s.ChunkTokens * RowBytes(s.Heads, s.HeadDim)
}

// ChunkBytes returns what a chunk takes at a level: its layers one after the other.
func (s *Shape) ChunkBytes(l Level) int { return s.Layers * s.LayerBytes(l) }
