package snapshot

import (
	"cmp"
	"slices"
	"sort"

	"dowse/store"
)

// span is a range of chunk ids of one file. The chunks of a file that was
// edited have their ids in several.
type span struct {
	store.Run
	file  *store.File
	place int // of the first chunk, in the file
}

// spansOf appends the spans of a file.
func spansOf(dst []span, f *store.File) []span {
	place := 0
	for _, run := range f.IDs {
		dst = append(dst, span{run, f, place})
		place += int(run.N)
	}
	return dst
}

// mergeSpans returns spans that are in order, but for those of files that are
// gone, with others in between.
func mergeSpans(spans []span, gone map[*store.File]bool, added []span) []span {
	slices.SortFunc(added, func(a, b span) int { return cmp.Compare(a.First, b.First) })
	all := make([]span, 0, len(spans)+len(added))
	for _, s := range spans {
		if gone[s.file] {
			continue
		}
		for len(added) > 0 && added[0].First < s.First {
			all, added = append(all, added[0]), added[1:]
		}
		all = append(all, s)
	}
	return append(all, added...)
}

// Place returns the file that a chunk belongs to, and which of its chunks it is.
func (s *Snapshot) Place(chunk uint32) (f *store.File, place int, ok bool) {
	i := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].First > chunk }) - 1
	if i < 0 || chunk-s.spans[i].First >= s.spans[i].N {
		return nil, 0, false
	}
	return s.spans[i].file, s.spans[i].place + int(chunk-s.spans[i].First), true
}

// FileOf returns the file that a chunk belongs to.
func (s *Snapshot) FileOf(chunk uint32) (store.File, bool) {
	f, _, ok := s.Place(chunk)
	if !ok {
		return store.File{}, false
	}
	return *f, true
}

// CompareChunks orders chunks by file, and those of a file as they stand in it:
// read in this order, each file is read once.
func (s *Snapshot) CompareChunks(a, b uint32) int {
	f, i, _ := s.Place(a)
	g, j, _ := s.Place(b)
	if f == nil || g == nil || f == g {
		return cmp.Or(cmp.Compare(i, j), cmp.Compare(a, b))
	}
	return cmp.Compare(f.ID, g.ID)
}
