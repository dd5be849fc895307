package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/store"
)

// earlierFile is what a file that answered an earlier question adds to the fused score of
// its passages, by the weight of that question. By 0.3 one follow-up less of 319 is found.
const earlierFile = 0.2

// earlierPassages is how many passages of such files compete that no list holds: those
// with most of the words.
const earlierPassages = 5

// fileBoost are passages that rank higher because their files answered earlier questions.
type fileBoost struct {
	bonus    map[string]float64 // by path, of each passage of a file
	passages []uint32           // of these files, those with most of the words
	hits     []lexical.Hit      // the same, with their scores
}

// weighEarlier finds out how much the earlier questions count in this commit.
func (l *retrieval) weighEarlier(ctx context.Context, txs []*store.Tx) error {
	if len(l.q.earlier) == 0 {
		return nil
	}
	joint, rarest := l.joint(txs), 0.0
	specific, text := make([]float64, len(l.q.earlier)), l.q.Text()
	for i, e := range l.q.earlier {
		if l.mode != engine.Vector { // which reads no postings: they may be damaged
			terms, err := joint.Terms(ctx, l.opts.Analyzer.QueryIn(strings.Join(telling(text), " "), l.in))
			if err != nil {
				return err
			}
			rarest = joint.MaxIDF()
			specific[i] = specificity(terms, rarest)
		}
		text = e.text
	}
	var err error
	if l.q.contrast, err = l.contrasted(ctx, txs, rarest); err != nil {
		return err
	}
	l.q.weigh(specific)
	for _, p := range l.indexes {
		p.q.weighAs(l.q)
	}
	return nil
}

// boostFiles looks for the files that answered earlier questions.
func (l *retrieval) boostFiles(ctx context.Context, txs []*store.Tx, words lexical.Query) error {
	l.boost = fileBoost{}
	if !fuses(l.mode) || len(l.q.earlier) == 0 {
		return nil
	}
	l.boost.bonus = map[string]float64{}
	allowed := make([]*lexical.Set, len(l.indexes))
	for i, p := range l.indexes {
		allowed[i] = lexical.NewSet(txs[i].NextChunk())
		for _, e := range l.q.earlier {
			for _, path := range e.files {
				file, err := txs[i].FileByPath(path)
				if err != nil {
					continue // it is gone, or its record is damaged: nothing of it ranks higher
				}
				l.boost.bonus[path] = max(l.boost.bonus[path], float64(earlierFile*e.weight))
				for _, id := range file.IDs.All() {
					if p.left.Allow.Has(id) {
						allowed[i].Add(id)
					}
				}
			}
		}
	}
	found, err := l.searchJointly(ctx, l.joint(txs), words, earlierPassages, allowed)
	l.boost.hits = found.Hits
	for _, h := range found.Hits {
		l.boost.passages = append(l.boost.passages, h.Chunk)
	}
	return err
}

// boosted ranks the passages of files that answered earlier questions higher. Those
// that no list holds begin at the lowest score.
func (l *retrieval) boosted(fused []candidate) []candidate {
	if len(l.boost.bonus) == 0 || len(fused) == 0 {
		return fused
	}
	last, listed := fused[len(fused)-1], make(map[uint32]bool, len(fused))
	for _, c := range fused {
		listed[c.chunk] = true
	}
	for _, chunk := range l.boost.passages {
		if !listed[chunk] {
			fused = append(fused, candidate{chunk: chunk, score: last.score, closeness: last.closeness})
		}
	}
	for i := range fused {
		if file, ok := l.commit.FileOf(fused[i].chunk); ok {
			fused[i].score += l.boost.bonus[file.Path]
		}
	}
	slices.SortFunc(fused, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.chunk, b.chunk))
	})
	return fused
}
