package tui

import (
	"slices"

	"dowse/engine"
)

// folds holds passages that are of the same file as a better one of the list, or
// repeat it. They stand below it, their head, while its fold is open.
type folds struct {
	under map[uint32][]engine.Passage // by the head's chunk
	inner map[uint32]bool             // chunks that stand under a head
	open  map[uint32]bool
}

// set splits passages by rank into heads, which it returns, and folded ones.
// With keep, open folds stay open.
func (f *folds) set(passages []engine.Passage, keep bool) []engine.Passage {
	open := f.open
	*f = folds{under: map[uint32][]engine.Passage{}, inner: map[uint32]bool{}, open: map[uint32]bool{}}
	headOf := map[int]engine.Passage{}    // by the rank of a passage
	firsts := map[string]engine.Passage{} // of files, by path
	var heads []engine.Passage
	for _, p := range passages {
		head, known := headOf[p.SimilarTo]
		if !known {
			p.SimilarTo = 0
			head, known = firsts[p.Path]
		}
		if known {
			p.Relevant = head.Relevant // on the same side of the relevance line
			headOf[p.Rank] = head
			f.under[head.ChunkID] = append(f.under[head.ChunkID], p)
			f.inner[p.ChunkID] = true
			continue
		}
		headOf[p.Rank], firsts[p.Path] = p, p
		heads = append(heads, p)
	}
	var list []engine.Passage
	for _, p := range heads {
		list = append(list, p)
		if keep && open[p.ChunkID] && len(f.under[p.ChunkID]) > 0 {
			f.open[p.ChunkID] = true
			list = append(list, f.under[p.ChunkID]...)
		}
	}
	return list
}

// count returns how many passages stand under a head: further ones of its file,
// and repetitions.
func (f *folds) count(p engine.Passage) (further, repeats int) {
	for _, under := range f.under[p.ChunkID] {
		if under.SimilarTo != 0 {
			repeats++
		} else {
			further++
		}
	}
	return further, repeats
}

// fold toggles the fold of the chosen passage or around it, and reports whether
// there is one.
func (l *resultList) fold() bool {
	at := l.headAt(l.chosen)
	if at >= len(l.passages) || len(l.folds.under[l.passages[at].ChunkID]) == 0 {
		return false
	}
	l.toggleFold(at)
	l.choose(at)
	return true
}

// headAt returns the index of the head of the passage at an index, which may be
// that passage.
func (l *resultList) headAt(index int) int {
	for index > 0 && index < len(l.passages) && l.folds.inner[l.passages[index].ChunkID] {
		index--
	}
	return index
}

// folded counts what stands under the head of the chosen passage, and says whether
// it is shown.
func (l *resultList) folded() (further, repeats int, open bool) {
	at := l.headAt(l.chosen)
	if at >= len(l.passages) {
		return 0, 0, false
	}
	further, repeats = l.folds.count(l.passages[at])
	return further, repeats, l.folds.open[l.passages[at].ChunkID]
}

// toggleFold toggles the fold of the passage at an index.
func (l *resultList) toggleFold(at int) {
	chunk := l.passages[at].ChunkID
	under := l.folds.under[chunk]
	l.passages = slices.Clone(l.passages) // the slice may be shared
	if l.folds.open[chunk] {
		l.passages = slices.Delete(l.passages, at+1, at+1+len(under))
	} else {
		l.passages = slices.Insert(l.passages, at+1, under...)
	}
	l.folds.open[chunk] = !l.folds.open[chunk]
	clear(l.cache)
}

// chooseRank chooses the passage of a rank, opening its fold, and reports
// whether there is one.
func (l *resultList) chooseRank(rank int) bool {
	at := func() int {
		return slices.IndexFunc(l.passages, func(p engine.Passage) bool { return p.Rank == rank })
	}
	if at() < 0 {
		for i, p := range l.passages {
			if !l.folds.open[p.ChunkID] && slices.ContainsFunc(l.folds.under[p.ChunkID], func(p engine.Passage) bool { return p.Rank == rank }) {
				l.toggleFold(i)
				break
			}
		}
	}
	if at() < 0 {
		return false
	}
	l.choose(at())
	return true
}
