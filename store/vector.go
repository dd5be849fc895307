package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// PutVectors stores len(vectors)/dim vectors, one after the other, for the
// chunks of a file from a place on. Successive ids share a run. A run replaces
// one with the same start; it is refused if it overlaps others or differs from
// them in dimension.
func (tx *Tx) PutVectors(f File, from, dim int, vectors []float32) error {
	if dim <= 0 || len(vectors) == 0 || len(vectors)%dim != 0 {
		return fmt.Errorf("%d numbers are not vectors of dimension %d", len(vectors), dim)
	}
	n := len(vectors) / dim
	if from < 0 || n > int(f.Chunks)-from {
		return fmt.Errorf("%s: vectors of chunks %d to %d go beyond its last chunk, %d", f.Path, from, from+n-1, int(f.Chunks)-1)
	}
	for _, run := range f.IDs.slice(from, n) {
		size := int(run.N) * dim
		if err := tx.putRun(run, dim, vectors[:size]); err != nil {
			return err
		}
		vectors = vectors[size:]
	}
	return nil
}

func (tx *Tx) putRun(run Run, dim int, vectors []float32) error {
	if err := tx.DeleteVectors(run.First); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if err := tx.admitRun(run.First, run.end(), dim); err != nil {
		return err
	}
	value := make([]byte, 0, 4*len(vectors)+checksumBytes)
	for _, v := range vectors {
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(v))
	}
	tx.counters.dimension = uint32(dim)
	tx.counters.vectors += run.N
	return tx.put(bucketVectors, key32(run.First), value)
}

// admitRun refuses a run of chunks first to end-1 that overlaps another or has
// another dimension.
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
	key, _ := tx.kv.Bucket(bucketVectors).Cursor().Seek(key32(first))
	if key != nil && uint64(binary.BigEndian.Uint32(key)) < end {
		return fmt.Errorf("vectors of chunks %d to %d overlap a run from chunk %d", first, end-1, binary.BigEndian.Uint32(key))
	}
	return nil
}

// runAt finds the last run that starts at or before a chunk, and its number of
// vectors; ErrNotFound when there is none.
func (tx *Tx) runAt(chunk uint32) (first, n uint32, err error) {
	key, value, err := tx.floor(bucketVectors, key32(chunk))
	if err != nil {
		return 0, 0, err
	}
	n, err = tx.runLength(key, value)
	return binary.BigEndian.Uint32(key), n, err
}

func (tx *Tx) runLength(key, value []byte) (uint32, error) {
	width := 4 * int(tx.counters.dimension)
	if len(key) != 4 || width == 0 || len(value) == 0 || len(value)%width != 0 {
		return 0, located(bucketVectors, key, corrupt("%d bytes are not vectors", len(value)))
	}
	return uint32(len(value) / width), nil
}

// DeleteVectors removes the run that starts at a chunk; ErrNotFound when none
// does.
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

// dropVectors removes the vectors of a file's chunks that are gone, nil for
// all, with those that are kept for searches, and writes the rest of their runs again.
func (tx *Tx) dropVectors(ids Runs, gone map[uint32]bool) error {
	if err := tx.dropKept(ids, gone); err != nil {
		return err
	}
	rest := map[uint32]Runs{} // what stays of a run, by its first chunk
	for _, part := range ids {
		err := tx.eachRun(part.First, part.end(), func(first uint32, raw []byte) error {
			n := uint32(len(raw) / 4 / int(tx.counters.dimension))
			var stays Runs
			for id := first; gone != nil && id < first+n; id++ {
				if !gone[id] {
					stays = stays.with(Run{id, 1})
				}
			}
			if stays.Len() < int(n) {
				rest[first] = stays
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	// A cursor may not move while its bucket changes.
	for _, first := range slices.Sorted(maps.Keys(rest)) {
		if err := tx.cutRun(first, rest[first]); err != nil {
			return err
		}
	}
	return nil
}

// dropKept removes the kept vectors of chunks that are gone, nil for all.
func (tx *Tx) dropKept(ids Runs, gone map[uint32]bool) error {
	var drop []uint32 // a cursor may not move while its bucket changes
	for _, part := range ids {
		cursor := tx.kv.Bucket(bucketMain).Cursor()
		for key, _ := cursor.Seek(tableKept.key(part.First)); key != nil; key, _ = cursor.Next() {
			t, id, ok := tableOf(key)
			if !ok || t != tableKept || uint64(id) >= part.end() {
				break
			}
			if gone == nil || gone[id] {
				drop = append(drop, id)
			}
		}
	}
	for _, id := range drop {
		if err := tx.deleteIn(tableKept, id); err != nil {
			return err
		}
	}
	return nil
}

// cutRun keeps of a run the vectors of some chunks.
func (tx *Tx) cutRun(first uint32, stays Runs) error {
	value, err := tx.get(bucketVectors, key32(first))
	if err != nil {
		return err
	}
	dim := int(tx.counters.dimension)
	vectors := make([]float32, len(value)/4)
	decodeFloats(vectors, value)
	if err := tx.DeleteVectors(first); err != nil {
		return err
	}
	for _, run := range stays {
		from := int(run.First-first) * dim
		if err := tx.putRun(run, dim, vectors[from:from+int(run.N)*dim]); err != nil {
			return err
		}
	}
	return nil
}

// eachRun calls fn for the runs that start at from to end-1.
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

// Vectors calls fn for every run of vectors by ascending chunk id: the first
// chunk's id and float32 in little endian, unaligned and valid inside fn only.
func (tx *Tx) Vectors(fn func(first uint32, raw []byte) error) error {
	return tx.eachRun(0, 1<<32, fn)
}

// VectorsOf calls fn for every stored vector of a file's chunks.
func (tx *Tx) VectorsOf(f File, fn func(chunk uint32, vector []float32) error) error {
	for _, part := range f.IDs {
		err := tx.eachRun(part.First, part.end(), func(first uint32, raw []byte) error {
			dim := int(tx.counters.dimension)
			vectors := make([]float32, len(raw)/4)
			decodeFloats(vectors, raw)
			for i := 0; i < len(vectors); i += dim {
				if err := fn(first+uint32(i/dim), vectors[i:i+dim]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// VectorRun reads the run that holds a chunk's vector, as Vectors gives it,
// valid until the transaction writes or ends; ErrNotFound when the chunk has
// none.
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

// VectorAt reads one chunk's vector into dst, whose length is the dimension;
// ErrNotFound when the chunk has none.
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
