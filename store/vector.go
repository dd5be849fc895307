package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// PutVectors stores the vectors of the file whose first chunk is given, one
// after the other: as many values as the file has chunks times the dimension.
func (tx *Tx) PutVectors(firstChunk uint32, vectors []float32) error {
	stored, err := tx.get(bucketChunks, key32(firstChunk))
	if err != nil {
		return fmt.Errorf("vectors of chunk %d: %w", firstChunk, err)
	}
	_, n, err := decodeChunkOwner(stored)
	if err != nil {
		return located(bucketChunks, key32(firstChunk), err)
	}
	if n == 0 || len(vectors) == 0 || len(vectors)%n != 0 {
		return fmt.Errorf("%d numbers are not vectors of %d chunks", len(vectors), n)
	}
	value := make([]byte, 0, 4*len(vectors)+checksumBytes)
	for _, v := range vectors {
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(v))
	}
	return tx.put(bucketVectors, key32(firstChunk), value)
}

// Vectors calls fn for every file that has vectors, by ascending chunk id:
// the id of its first chunk and the vectors as float32 in little endian, at
// no particular alignment and valid inside fn only.
func (tx *Tx) Vectors(fn func(first uint32, raw []byte) error) error {
	return tx.each(bucketVectors, nil, func(key, value []byte) error {
		if len(key) != 4 || len(value)%4 != 0 {
			return located(bucketVectors, key, corrupt("%d bytes are not vectors", len(value)))
		}
		return fn(binary.BigEndian.Uint32(key), value)
	})
}

// VectorsOf gives the vectors of a file, one after the other; nil when it
// has none.
func (tx *Tx) VectorsOf(file uint32) ([]float32, error) {
	f, err := tx.File(file)
	if err != nil {
		return nil, fmt.Errorf("vectors of file %d: %w", file, err)
	}
	if f.Chunks == 0 {
		return nil, nil
	}
	value, err := tx.get(bucketVectors, key32(f.FirstChunk))
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	vectors := make([]float32, len(value)/4)
	decodeFloats(vectors, value)
	return vectors, nil
}

// VectorAt reads the vector of one chunk into dst, whose length is the
// dimension; ErrNotFound when the chunk has none.
func (tx *Tx) VectorAt(chunk uint32, dst []float32) error {
	key, value, err := tx.floor(bucketVectors, key32(chunk))
	if err != nil {
		return err
	}
	width := 4 * len(dst)
	if width == 0 || len(value)%width != 0 {
		return fmt.Errorf("vectors of %d bytes are not of dimension %d", len(value), len(dst))
	}
	start := int64(chunk-binary.BigEndian.Uint32(key)) * int64(width)
	if start >= int64(len(value)) {
		return ErrNotFound
	}
	decodeFloats(dst, value[start:start+int64(width)])
	return nil
}

func decodeFloats(dst []float32, raw []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
}
