package postgres

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"
)

// extent is all that a bucket has from one key up to another one. Those of a snapshot never change,
// and later snapshots share them; those of a writer are its own.
type extent struct {
	from, to []byte // to is beyond it; nil: it goes to the end of the bucket
	records  []record
	bytes    int
	budget   int // bytes asked for; what follows in a row gets twice as many
	used     atomic.Int64
}

type record struct{ key, value []byte }

// recordBytes is what a record takes besides its key and value.
const recordBytes = 64

func newExtent(from, to []byte, records []record, budget int) *extent {
	e := &extent{from: from, to: to, records: records, budget: budget}
	for _, r := range records {
		e.bytes += len(r.key) + len(r.value) + recordBytes
	}
	return e
}

// has reports whether the extent knows of a key.
func (e *extent) has(key []byte) bool {
	return bytes.Compare(e.from, key) <= 0 && (e.to == nil || bytes.Compare(key, e.to) < 0)
}

// find returns the place of the first record that is not below a key, and whether it is of that key.
func (e *extent) find(key []byte) (at int, is bool) {
	return slices.BinarySearchFunc(e.records, key, func(r record, key []byte) int { return bytes.Compare(r.key, key) })
}

// put changes an extent of a writer; a nil value takes the record out.
func (e *extent) put(key, value []byte) {
	at, is := e.find(key)
	switch {
	case is && value == nil:
		e.records = slices.Delete(e.records, at, at+1)
	case is:
		e.records[at].value = value
	case value != nil:
		e.records = slices.Insert(e.records, at, record{key, value})
	}
}

// extents are the known parts of buckets, in order and apart from each other.
type extents struct {
	of    map[int16][]*extent
	bytes int
	limit int
	clock int64
}

func newExtents(limit int) *extents { return &extents{of: map[int16][]*extent{}, limit: limit} }

// at returns the extent that knows of a key, or nil and the extents before and behind it, if any.
func (x *extents) at(bucket int16, key []byte) (found, before, behind *extent) {
	list := x.of[bucket]
	n, is := slices.BinarySearchFunc(list, key, func(e *extent, key []byte) int { return bytes.Compare(e.from, key) })
	if !is {
		n--
	}
	if n >= 0 {
		if list[n].has(key) {
			return x.use(list[n]), nil, nil
		}
		before = list[n]
	}
	if n+1 < len(list) {
		behind = list[n+1]
	}
	return nil, before, behind
}

// below returns the extent that knows what is next below a key, or nil and where the known part
// before it ends.
func (x *extents) below(bucket int16, key []byte) (found *extent, after []byte) {
	list := x.of[bucket]
	n, _ := slices.BinarySearchFunc(list, key, func(e *extent, key []byte) int { return bytes.Compare(e.from, key) })
	if n--; n < 0 {
		return nil, nil
	}
	if e := list[n]; e.to == nil || bytes.Compare(key, e.to) <= 0 {
		return x.use(e), nil
	}
	return nil, list[n].to
}

func (x *extents) use(e *extent) *extent {
	x.clock++
	e.used.Store(x.clock)
	return e
}

// add takes an extent of which nothing was known, and drops others beyond the limit.
func (x *extents) add(bucket int16, e *extent) *extent {
	list := x.of[bucket]
	n, _ := slices.BinarySearchFunc(list, e.from, func(e *extent, key []byte) int { return bytes.Compare(e.from, key) })
	x.of[bucket] = slices.Insert(list, n, e)
	x.bytes += e.bytes
	x.use(e)
	if x.limit > 0 && x.bytes > x.limit {
		x.shrink(e)
	}
	return e
}

// shrink drops what was not used for the longest time, but for one.
func (x *extents) shrink(but *extent) {
	var all []*extent
	for _, list := range x.of {
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b *extent) int { return cmp.Compare(a.used.Load(), b.used.Load()) })
	gone := map[*extent]bool{}
	for _, e := range all {
		if x.bytes <= x.limit*3/4 {
			break
		}
		if e != but {
			gone[e] = true
			x.bytes -= e.bytes
		}
	}
	for bucket, list := range x.of {
		x.of[bucket] = slices.DeleteFunc(list, func(e *extent) bool { return gone[e] })
	}
}

// change names a record that a commit wrote or deleted.
type change struct {
	bucket int16
	key    []byte
}

// without returns the extents in which no change lies; the changed ones stay as they are.
func (x *extents) without(changes []change) *extents {
	gone := map[*extent]bool{}
	for _, c := range changes {
		if e, _, _ := x.at(c.bucket, c.key); e != nil {
			gone[e] = true
		}
	}
	next := newExtents(x.limit)
	next.clock = x.clock
	for bucket, list := range x.of {
		for _, e := range list {
			if !gone[e] {
				next.of[bucket] = append(next.of[bucket], e)
				next.bytes += e.bytes
			}
		}
	}
	return next
}
