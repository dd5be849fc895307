package snapshot

import (
	"iter"
	"maps"
	"math"
	"slices"

	"dowse/engine/lexical"
	"dowse/store"
)

// A mailbox, a chat, a calendar, a journal hold what many people wrote at many times. So their entries are asked by
// whom and when, and not the file: of it pass the chunks that hold a part of an entry for which all filters hold.
// Package passage narrows a chunk that holds others too.

// asksEntries reports whether a filter asks for what entries say.
func (f *Filter) asksEntries() bool {
	dated := f.after != math.MinInt64 || f.before != math.MaxInt64
	return dated || slices.ContainsFunc(f.facts, func(fact factFilter) bool { return fact.Key != "type" })
}

// allow adds to a set the chunks of a file that pass, and returns how many.
func (f *Filter) allow(set *lexical.Set, file *store.File) (chunks int, passes bool) {
	entries := f.Entries[file.ID]
	if entries == nil {
		if !f.Admits(*file) {
			return 0, false
		}
		for _, run := range file.IDs {
			set.AddRange(run.First, run.N)
		}
		return int(file.Chunks), true
	}
	if !f.admitsPath(*file) || slices.ContainsFunc(f.facts, func(fact factFilter) bool { return fact.Key == "type" && !fact.admits(file) }) {
		return 0, false
	}
	ids := make([]uint32, 0, file.Chunks)
	for _, id := range file.IDs.All() {
		ids = append(ids, id)
	}
	next := 0 // chunks before it are decided
	for i := range f.Passing(file, entries) {
		last := min(entries.End(i, len(ids)), len(ids)-1)
		for next = max(next, entries.List[i].Chunk); next <= last; next++ {
			set.Add(ids[next])
			chunks++
		}
	}
	return chunks, chunks > 0
}

// Passing returns the entries of a file for which all filters hold. One that does not say of when it is, is as old
// as its file.
func (f *Filter) Passing(file *store.File, entries *store.Entries) iter.Seq[int] {
	admitted := make([]int8, len(entries.About)) // 0 where nobody asked yet
	undated := f.admitsTime(TimeOf(file))
	return func(yield func(int) bool) {
		for i := range entries.List {
			e := &entries.List[i]
			if e.Date == 0 && !undated || e.Date != 0 && !f.admitsTime(momentOf(e.Date, e.Clock)) {
				continue
			}
			if admitted[e.About] == 0 {
				admitted[e.About] = 1
				if !f.admitsSaid(file, &entries.About[e.About]) {
					admitted[e.About] = -1
				}
			}
			if admitted[e.About] > 0 && !yield(i) {
				return
			}
		}
	}
}

// admitsSaid reports whether what an entry says of itself passes.
func (f *Filter) admitsSaid(file *store.File, s *store.Said) bool {
	return !slices.ContainsFunc(f.facts, func(fact factFilter) bool { return !fact.admitsSaid(file, s) })
}

// admitsSaid reports whether an entry passes. Of what type it is, its file says, and the title of that is one of
// the entry's too.
func (f *factFilter) admitsSaid(file *store.File, s *store.Said) bool {
	has := false
	switch f.Key {
	case "title":
		if has = f.contains(s.Title); !has {
			_, has = slices.BinarySearch(f.files, file.ID)
		}
	case "from":
		has = slices.ContainsFunc(s.Authors, f.isAuthor)
	case "to":
		has = slices.ContainsFunc(s.To, f.contains)
	case "tag":
		has = slices.ContainsFunc(s.Tags, f.isTagged)
	default:
		return true
	}
	return has != f.Not
}

// orWith returns ids with those of files that have entries: these are looked at, whatever they say as a whole.
func orWith(ids []uint32, entries map[uint32]*store.Entries) []uint32 {
	if len(entries) == 0 {
		return ids
	}
	ids = slices.AppendSeq(slices.Clone(ids), maps.Keys(entries))
	slices.Sort(ids)
	return slices.Compact(ids)
}
