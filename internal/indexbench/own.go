package indexbench

import (
	"context"
	"fmt"
	"math"
	"slices"

	"dowse/engine/leann"
)

// memoryStore is a leann.Writer over maps: where dowse's own index is kept
// for a measurement.
type memoryStore struct {
	blocks map[leann.Part]map[uint32][]byte
	runs   map[uint32][]byte // of stored vectors, by their first chunk
}

// storeRun is how many vectors a run holds.
const storeRun = 64

func newMemoryStore(v *Vectors) *memoryStore {
	s := &memoryStore{blocks: map[leann.Part]map[uint32][]byte{}, runs: map[uint32][]byte{}}
	for first := 0; first < v.Len(); first += storeRun {
		s.runs[uint32(first)] = floatBytes(v.Values[first*v.Dim : min(first+storeRun, v.Len())*v.Dim])
	}
	return s
}

// Block implements leann.Reader.
func (s *memoryStore) Block(part leann.Part, key uint32) ([]byte, error) {
	return s.blocks[part][key], nil
}

// EachBlock implements leann.Reader.
func (s *memoryStore) EachBlock(part leann.Part, f func(key uint32, value []byte) error) error {
	return ascending(s.blocks[part], f)
}

// Vectors implements leann.Reader.
func (s *memoryStore) Vectors(f func(first uint32, raw []byte) error) error {
	return ascending(s.runs, f)
}

func ascending(values map[uint32][]byte, f func(key uint32, value []byte) error) error {
	keys := make([]uint32, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if err := f(key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

// PutBlock implements leann.Writer.
func (s *memoryStore) PutBlock(part leann.Part, key uint32, value []byte) error {
	if s.blocks[part] == nil {
		s.blocks[part] = map[uint32][]byte{}
	}
	s.blocks[part][key] = value
	return nil
}

// DeleteBlock implements leann.Writer.
func (s *memoryStore) DeleteBlock(part leann.Part, key uint32) error {
	delete(s.blocks[part], key)
	return nil
}

// DeleteVectors implements leann.Writer.
func (s *memoryStore) DeleteVectors(first uint32) error {
	delete(s.runs, first)
	return nil
}

// bytes is what all values take.
func (s *memoryStore) bytes() int {
	n := 0
	for _, values := range s.blocks {
		for _, value := range values {
			n += len(value)
		}
	}
	for _, run := range s.runs {
		n += len(run)
	}
	return n
}

// ownIndex is the index that dowse itself uses, in its stored form. Its
// codebook is rotated if rotated: at the size of the whole collection that is
// what dowse does, and a part of it gets the same kind.
func (b *bench) ownIndex(ctx context.Context, v *Vectors, rotated bool) (*method, error) {
	index := leann.Index{Dim: v.Dim, Dot: v.Dotter}
	store, err := settled(ctx, index, v, b.opts.CodeBytes, rotated)
	if err != nil {
		return nil, err
	}
	var ladder []Setting
	for _, n := range sortedGrid(v.Len(), reranks...) {
		ladder = append(ladder, Setting{Rerank: n, Batch: 2 * workers()})
	}
	return &method{
		name: "dowse's index", bytes: float64(store.bytes()), ladders: [][]Setting{ladder},
		open: func() search {
			return func(ctx context.Context, query []float32, s Setting, exact leann.Exact) ([]leann.Hit, error) {
				q := leann.Query{Vector: query, Depth: truthDepth, Batch: s.Batch, Recompute: s.Rerank}
				found, err := index.Search(ctx, store, exact, q)
				return found.Hits, err
			}
		},
	}, nil
}

// settled is a store of the index that dowse makes of the vectors.
func settled(ctx context.Context, index leann.Index, v *Vectors, codeBytes int, rotated bool) (*memoryStore, error) {
	store := newMemoryStore(v)
	opts := leann.SettleOptions{CodeBytes: codeBytes, RotateFrom: math.MaxInt}
	if rotated {
		opts.RotateFrom = 1
	}
	if _, err := index.Settle(ctx, store, opts); err != nil {
		return nil, fmt.Errorf("settle vectors: %w", err)
	}
	return store, nil
}
