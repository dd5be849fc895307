package store

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// Run is a range of chunk ids: First to First+N-1.
type Run struct{ First, N uint32 }

func (r Run) end() uint64 { return uint64(r.First) + uint64(r.N) }

// Runs are chunk ids; a file's are in the order of its chunks: mostly one run,
// more where an edit kept some ids. Callers must not change them.
type Runs []Run

// Len returns the number of ids.
func (r Runs) Len() int {
	n := 0
	for _, run := range r {
		n += int(run.N)
	}
	return n
}

// All yields the ids in order, each with its place.
func (r Runs) All() iter.Seq2[int, uint32] {
	return func(yield func(int, uint32) bool) {
		place := 0
		for _, run := range r {
			for i := range run.N {
				if !yield(place, run.First+i) {
					return
				}
				place++
			}
		}
	}
}

// slice returns n ids from a place on.
func (r Runs) slice(from, n int) (part Runs) {
	for _, run := range r {
		skip := min(from, int(run.N))
		take := min(n, int(run.N)-skip)
		if take > 0 {
			part = append(part, Run{run.First + uint32(skip), uint32(take)})
		}
		from, n = from-skip, n-take
	}
	return part
}

// with appends ids; it may use the runs' memory.
func (r Runs) with(added Run) Runs {
	if last := len(r) - 1; last >= 0 && r[last].end() == uint64(added.First) {
		r[last].N += added.N
		return r
	}
	return append(r, added)
}

// sorted returns the ids ascending, and reports whether each occurs once.
func (r Runs) sorted() (ascending Runs, once bool) {
	once = true
	for _, run := range slices.SortedFunc(slices.Values(r), func(a, b Run) int { return cmp.Compare(a.First, b.First) }) {
		if last := len(ascending) - 1; last >= 0 && ascending[last].end() > uint64(run.First) {
			once = false
		}
		ascending = ascending.with(run)
	}
	return ascending, once
}

// hold reports whether ascending runs contain all ids of a run.
func (r Runs) hold(part Run) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i].end() > uint64(part.First) })
	return i < len(r) && r[i].First <= part.First && r[i].end() >= part.end()
}

// gaps calls fn for the ranges of ids below end that ascending runs leave out.
func (r Runs) gaps(end uint32, fn func(gap Run)) {
	next := uint64(0)
	for _, run := range append(slices.Clone(r), Run{First: end}) {
		if uint64(run.First) > next {
			fn(Run{uint32(next), uint32(uint64(run.First) - next)})
		}
		next = max(next, run.end())
	}
}
