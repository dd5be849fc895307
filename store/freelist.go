package store

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Chunk ids are given again. A deleted chunk leaves a tombstone, because
// postings and codes still name it; FreeChunks lists ids that nothing names as
// free. New chunks take free ids first, so that tables as long as the greatest
// id stay short.

// keyFree is the key of the list of free ids; it is absent when the list is
// empty.
var keyFree = []byte("free")

// fragments: where no free run is long enough for a file, and more than one in
// so many ids is free, free ids are given one by one.
const fragments = 8

// freeRuns returns the free ids, ascending.
func (tx *Tx) freeRuns() (Runs, error) {
	if tx.freeKnown {
		return tx.free, nil
	}
	value, err := tx.get(bucketMain, keyFree)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	free, err := decodeFree(value, tx.counters.nextChunk)
	if err != nil {
		return nil, located(bucketMain, keyFree, err)
	}
	tx.free, tx.freeKnown = free, true
	return free, nil
}

// encodeFree encodes ascending runs: the gap before each and its length.
func encodeFree(free Runs) []byte {
	value, next := []byte(nil), uint32(0)
	for _, run := range free {
		value = binary.AppendUvarint(value, uint64(run.First-next))
		value = binary.AppendUvarint(value, uint64(run.N))
		next = run.First + run.N
	}
	return value
}

// decodeFree reads what encodeFree wrote. All ids are below end.
func decodeFree(value []byte, end uint32) (free Runs, err error) {
	d, next := decoder{rest: value}, uint64(0)
	for len(d.rest) > 0 {
		first := next + uint64(d.uint32())
		run := Run{uint32(first), d.uint32()}
		if next = first + uint64(run.N); next > uint64(end) || run.N == 0 {
			d.fail("free ids out of range")
		}
		free = append(free, run)
	}
	return free, d.end()
}

// setFree stores the list of free ids. Free ids at the end lower nextChunk
// instead.
func (tx *Tx) setFree(free Runs) error {
	if last := len(free) - 1; last >= 0 && free[last].end() == uint64(tx.counters.nextChunk) {
		tx.counters.nextChunk = free[last].First
		free = free[:last]
	}
	tx.free, tx.freeKnown = free, true
	if len(free) == 0 {
		return tx.delete(bucketMain, keyFree)
	}
	return tx.put(bucketMain, keyFree, encodeFree(free))
}

// giveIDs returns n ids for new chunks: the first free run that is long enough,
// or ids behind all others. With many free fragments it takes the first free
// ids, in as many runs as it needs.
func (tx *Tx) giveIDs(n uint32) (given Runs, err error) {
	if n == 0 {
		return nil, nil
	}
	free, err := tx.freeRuns()
	if err != nil {
		return nil, err
	}
	c := &tx.counters
	free = slices.Clone(free)
	fit := slices.IndexFunc(free, func(r Run) bool { return r.N >= n })
	if fit < 0 && uint64(free.Len())*fragments > uint64(c.nextChunk) {
		fit = 0
	}
	for fit >= 0 && n > 0 && fit < len(free) {
		take := min(n, free[fit].N)
		given = given.with(Run{free[fit].First, take})
		free[fit].First, free[fit].N, n = free[fit].First+take, free[fit].N-take, n-take
		if free[fit].N == 0 {
			free = slices.Delete(free, fit, fit+1)
		}
	}
	if fit >= 0 {
		if err := tx.setFree(free); err != nil {
			return nil, err
		}
	}
	if n > 0 {
		if uint64(c.nextChunk)+uint64(n) > 1<<32-1 {
			return nil, errors.New("the index has given all its ids: remove it and index again")
		}
		given = given.with(Run{c.nextChunk, n})
		c.nextChunk += n
	}
	return given, nil
}

// FreeChunks frees the ids that no file has and held does not report: no
// posting, code or other table names them. Call it after merges and vacuums of
// such tables.
func (tx *Tx) FreeChunks(held func(id uint32) bool) error {
	used, err := tx.usedIDs()
	if err != nil {
		return err
	}
	var free Runs
	used.gaps(tx.counters.nextChunk, func(gap Run) {
		for id := uint64(gap.First); id < gap.end(); id++ {
			if !held(uint32(id)) {
				free = free.with(Run{uint32(id), 1})
			}
		}
	})
	known, err := tx.freeRuns()
	if err != nil || slices.Equal(known, free) {
		return err
	}
	return tx.setFree(free)
}

func (tx *Tx) usedIDs() (Runs, error) {
	var used Runs
	err := tx.LiveChunks(func(first, n uint32) error {
		used = used.with(Run{first, n})
		return nil
	})
	used, _ = used.sorted()
	return used, err
}

// EachFree calls fn for the ranges of free ids, ascending: first to first+n-1.
func (tx *Tx) EachFree(fn func(first, n uint32) error) error {
	free, err := tx.freeRuns()
	for _, run := range free {
		if err == nil {
			err = fn(run.First, run.N)
		}
	}
	return err
}
