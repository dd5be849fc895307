package store

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Ids of chunks are given again. A chunk that goes leaves a tombstone, because
// postings and codes still name it; FreeChunks finds those that nothing names
// any more and lists them as free. New chunks take free ids first, so that the
// greatest id stays near the number of chunks, and with it every table that is
// as long as the greatest id.

// keyFree is where the list of free ids is kept; none stands for an empty one.
var keyFree = []byte("free")

// fragments is how many free ids are left where no run is long enough for a
// file, as one in so many of all ids: then they are given one by one.
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

// encodeFree encodes ascending runs: of each the ids left out before it and its
// length.
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

// setFree stores the list of free ids. Those at the end are not listed: the ids
// that were given end before them.
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

// giveIDs returns n ids for new chunks: the first free run that is long enough.
// Where there is none they are behind all others, unless so many ids are free
// that the first free ones are taken, in as many runs as it needs.
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

// FreeChunks lets the ids be given again that no file has and that held does not
// report: those that no posting, no code and nothing else beside the store names.
// It is to be called after what names ids became less.
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

// usedIDs returns the ids of the chunks of all files, ascending.
func (tx *Tx) usedIDs() (Runs, error) {
	var used Runs
	err := tx.LiveChunks(func(first, n uint32) error {
		used = used.with(Run{first, n})
		return nil
	})
	used, _ = used.sorted()
	return used, err
}

// EachFree calls fn for the ranges of ids that were given once and may be given
// again, ascending: first to first+n-1. Nothing names them.
func (tx *Tx) EachFree(fn func(first, n uint32) error) error {
	free, err := tx.freeRuns()
	for _, run := range free {
		if err == nil {
			err = fn(run.First, run.N)
		}
	}
	return err
}
