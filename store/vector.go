package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// PutVectors stores a run of vectors, one after the other: len(vectors)/dim
// of them, for the chunks from first on. The chunks must belong to one file.
// A run that starts where a stored one does replaces it; one that overlaps
// others is refused, and so is a dimension that differs from the vectors
// there are.
func (tx *Tx) PutVectors(first uint32, dim int, vectors []float32) error {
	if dim <= 0 || len(vectors) == 0 || len(vectors)%dim != 0 {
		return fmt.Errorf("%d numbers are not vectors of dimension %d", len(vectors), dim)
	}
	end := uint64(first) + uint64(len(vectors)/dim)
	f, err := tx.FileOfChunk(first)
	if err != nil {
		return fmt.Errorf("vectors of chunk %d: %w", first, err)
	}
	if end > uint64(f.FirstChunk)+uint64(f.Chunks) {
		return fmt.Errorf("%s: vectors of chunks %d to %d go beyond its last chunk, %d",
			f.Path, first, end-1, uint64(f.FirstChunk)+uint64(f.Chunks)-1)
	}
	if err := tx.DeleteVectors(first); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if err := tx.admitRun(first, end, dim); err != nil {
		return err
	}
	value := make([]byte, 0, 4*len(vectors)+checksumBytes)
	for _, v := range vectors {
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(v))
	}
	tx.counters.dimension = uint32(dim)
	tx.counters.vectors += uint32(end - uint64(first))
	return tx.put(bucketVectors, key32(first), value)
}

// admitRun refuses a run of chunks first to end-1 that overlaps another or
// is of another dimension.
func (tx *Tx) admitRun(first uint32, end uint64, dim int) error {
	if tx.counters.vectors > 0 && tx.counters.dimension != uint32(dim) {
		return fmt.Errorf("vectors of dimension %d do not go with those of dimension %d that are there", dim, tx.counters.dimension)
	}
	before, n, err := tx.runAt(first)
	if err == nil && uint64(before)+uint64(n) > uint64(first) {
		return fmt.Errorf("vectors of chunk %d overlap a run of %d from chunk %d", first, n, before)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	key, _ := tx.bolt.Bucket(bucketVectors).Cursor().Seek(key32(first))
	if key != nil && uint64(binary.BigEndian.Uint32(key)) < end {
		return fmt.Errorf("vectors of chunks %d to %d overlap a run from chunk %d", first, end-1, binary.BigEndian.Uint32(key))
	}
	return nil
}

// runAt finds the last run that starts at a chunk or before it, and how many
// vectors it has; ErrNotFound when there is none.
func (tx *Tx) runAt(chunk uint32) (first, n uint32, err error) {
	key, value, err := tx.floor(bucketVectors, key32(chunk))
	if err != nil {
		return 0, 0, err
	}
	n, err = tx.runLength(key, value)
	return binary.BigEndian.Uint32(key), n, err
}

// runLength returns the number of vectors in a value.
func (tx *Tx) runLength(key, value []byte) (uint32, error) {
	width := 4 * int(tx.counters.dimension)
	if len(key) != 4 || width == 0 || len(value) == 0 || len(value)%width != 0 {
		return 0, located(bucketVectors, key, corrupt("%d bytes are not vectors", len(value)))
	}
	return uint32(len(value) / width), nil
}

// DeleteVectors removes the run of vectors that starts at a chunk;
// ErrNotFound when none does.
func (tx *Tx) DeleteVectors(first uint32) error {
	value, err := tx.get(bucketVectors, key32(first))
	if err != nil {
		return err
	}
	n, err := tx.runLength(key32(first), value)
	if err != nil {
		return err
	}
	tx.counters.vectors -= n
	return tx.delete(bucketVectors, key32(first))
}

// deleteRuns removes all runs of a file.
func (tx *Tx) deleteRuns(f File) error {
	var runs []uint32 // collected first: a cursor may not be walked while its bucket changes
	err := tx.eachRun(f.FirstChunk, uint64(f.FirstChunk)+uint64(f.Chunks), func(first uint32, _ []byte) error {
		runs = append(runs, first)
		return nil
	})
	if err != nil {
		return err
	}
	for _, first := range runs {
		if err := tx.DeleteVectors(first); err != nil {
			return err
		}
	}
	return nil
}

// eachRun calls fn for the runs that start at chunks from to end-1.
func (tx *Tx) eachRun(from uint32, end uint64, fn func(first uint32, raw []byte) error) error {
	err := tx.each(bucketVectors, key32(from), func(key, value []byte) error {
		if _, err := tx.runLength(key, value); err != nil {
			return err
		}
		first := binary.BigEndian.Uint32(key)
		if uint64(first) >= end {
			return errEnd
		}
		return fn(first, value)
	})
	if errors.Is(err, errEnd) {
		return nil
	}
	return err
}

// Vectors calls fn for every run of vectors, by ascending chunk id: the id of
// its first chunk and the vectors as float32 in little endian, at no
// particular alignment and valid inside fn only.
func (tx *Tx) Vectors(fn func(first uint32, raw []byte) error) error {
	return tx.eachRun(0, 1<<32, fn)
}

// VectorsOf calls fn for every run of vectors of a file, ascending. Chunks
// that no run covers have no stored vector.
func (tx *Tx) VectorsOf(f File, fn func(first uint32, vectors []float32) error) error {
	return tx.eachRun(f.FirstChunk, uint64(f.FirstChunk)+uint64(f.Chunks), func(first uint32, raw []byte) error {
		vectors := make([]float32, len(raw)/4)
		decodeFloats(vectors, raw)
		return fn(first, vectors)
	})
}

// VectorRun reads the run that holds the vector of a chunk, as Vectors gives it, valid
// until the transaction writes or ends; ErrNotFound when the chunk has none.
func (tx *Tx) VectorRun(chunk uint32) (first uint32, raw []byte, err error) {
	key, value, err := tx.floor(bucketVectors, key32(chunk))
	if err != nil {
		return 0, nil, err
	}
	n, err := tx.runLength(key, value)
	if err != nil {
		return 0, nil, err
	}
	if first = binary.BigEndian.Uint32(key); chunk-first >= n {
		return 0, nil, ErrNotFound
	}
	return first, value, nil
}

// VectorAt reads the vector of one chunk into dst, whose length is the
// dimension; ErrNotFound when the chunk has none.
func (tx *Tx) VectorAt(chunk uint32, dst []float32) error {
	first, raw, err := tx.VectorRun(chunk)
	if err != nil {
		return err
	}
	if len(dst) != int(tx.counters.dimension) {
		return fmt.Errorf("vectors have dimension %d, not %d", tx.counters.dimension, len(dst))
	}
	decodeFloats(dst, raw[4*len(dst)*int(chunk-first):])
	return nil
}

func decodeFloats(dst []float32, raw []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
}
