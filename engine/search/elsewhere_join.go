package search

import (
	"cmp"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
)

// The lists of machines join those of this one.

// joinWords joins the lists by words. Where there are chunks of logs and others, each have places of their own.
func (l *retrieval) joinWords() {
	if l.mode == engine.Vector || !l.q.HasText() {
		return
	}
	hits := l.words.Hits
	if l.how.deepest > 0 {
		hits = l.deeper.Hits
	}
	logs, all := l.ownLogs()
	for _, m := range l.machines {
		logs, all = logs+m.ranked.Logs, all+m.ranked.LeftChunks
		for i, c := range m.ranked.Words.Chunks {
			hits = append(hits, lexical.Hit{Chunk: m.id(c), Score: m.ranked.Words.Scores[i], Matched: m.ranked.Words.Matched[i], Part: m.n})
		}
		l.words.Postings += m.ranked.Postings
	}
	byScore := func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	}
	slices.SortFunc(hits, byScore)
	deep := max(l.how.depth, l.how.deepest)
	if fuses(l.mode) && logs > 0 && logs < all {
		var ofLogs, others []lexical.Hit
		for _, h := range hits {
			if f := l.fileOf(h.Chunk); f != nil && !snapshot.HasVectors(f) {
				ofLogs = append(ofLogs, h)
			} else {
				others = append(others, h)
			}
		}
		hits = slices.Concat(others[:min(deep, len(others))], ofLogs[:min(maxLogHits, len(ofLogs))])
		slices.SortFunc(hits, byScore)
	} else {
		hits = hits[:min(deep, len(hits))]
	}
	l.words.Hits = hits
	if l.how.deepest > 0 {
		l.deeper = l.words
		l.words.Hits = hits[:min(l.how.depth, len(hits))]
	}
}

// joinBoosted joins the passages of files that answered earlier questions.
func (l *retrieval) joinBoosted() {
	if l.boost.bonus == nil {
		return
	}
	hits := l.boost.hits
	for _, m := range l.machines {
		for i, c := range m.ranked.Boosted.Chunks {
			hits = append(hits, lexical.Hit{Chunk: m.id(c), Score: m.ranked.Boosted.Scores[i]})
		}
		for _, e := range l.q.earlier {
			for _, path := range e.files {
				if strings.HasPrefix(path, m.Name+":") {
					l.boost.bonus[path] = max(l.boost.bonus[path], float64(earlierFile*e.weight))
				}
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b lexical.Hit) int { return cmp.Compare(b.Score, a.Score) })
	l.boost.passages = nil
	for _, h := range hits[:min(earlierPassages, len(hits))] {
		l.boost.passages = append(l.boost.passages, h.Chunk)
	}
}

// near is a list of a machine by meaning, and the scale of its cosines.
func (m *machine) near(deeper bool) (hits []leann.Hit, scale fusion.Scale) {
	list := m.ranked.Meaning
	if deeper {
		list = m.ranked.Deeper
	}
	for i, c := range list.Chunks {
		hits = append(hits, leann.Hit{Chunk: uint32(c), Score: list.Scores[i]})
	}
	if m.ranked.Factor != 0 {
		scale = fusion.NewScale(m.ranked.Offset, m.ranked.Factor)
	}
	return hits, scale
}
