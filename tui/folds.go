package tui

import (
	"slices"

	"dowse/engine"
)

// folds holds passages that repeat a better one of the list. They stand below
// it while its fold is open.
type folds struct {
	under map[uint32][]engine.Passage // by the better one's chunk
	open  map[uint32]bool
}

// set splits passages by rank into listed ones, which it returns, and folded
// ones. With keep, open folds stay open.
func (f *folds) set(passages []engine.Passage, keep bool) []engine.Passage {
	open := f.open
	*f = folds{under: map[uint32][]engine.Passage{}, open: map[uint32]bool{}}
	heads := map[int]engine.Passage{} // by rank
	var better []engine.Passage
	for _, p := range passages {
		if head, known := heads[p.SimilarTo]; known && p.SimilarTo != 0 {
			p.Relevant = head.Relevant // on the same side of the relevance line
			f.under[head.ChunkID] = append(f.under[head.ChunkID], p)
			continue
		}
		p.SimilarTo = 0
		heads[p.Rank] = p
		better = append(better, p)
	}
	var list []engine.Passage
	for _, p := range better {
		list = append(list, p)
		if keep && open[p.ChunkID] && len(f.under[p.ChunkID]) > 0 {
			f.open[p.ChunkID] = true
			list = append(list, f.under[p.ChunkID]...)
		}
	}
	return list
}

// count returns how many passages repeat one.
func (f *folds) count(p engine.Passage) int {
	if p.SimilarTo != 0 {
		return 0
	}
	return len(f.under[p.ChunkID])
}

// fold toggles the fold of the chosen passage or around it, and reports whether
// there is one.
func (l *resultList) fold() bool {
	at := l.chosen
	for at > 0 && l.passages[at].SimilarTo != 0 {
		at--
	}
	if at >= len(l.passages) || l.folds.count(l.passages[at]) == 0 {
		return false
	}
	l.toggleFold(at)
	l.choose(at)
	return true
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
