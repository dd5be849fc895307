package search

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/engine/search/code"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Passages of code rank by rules of their own beside words and meaning (package code).

// definitions are the chunks that define a symbol of the query.
type definitions struct {
	bonus  map[uint32]float64
	chunks []uint32 // the same, ascending
}

// maxDefinitions bounds the chunks that define one symbol: of those of many types, such as Close, words and meaning tell
// which are meant.
const maxDefinitions = 200

// findDefinitions looks up what the symbols of the query are defined by.
func (l *retrieval) findDefinitions(ctx context.Context, txs []*store.Tx) error {
	l.defined = definitions{}
	if !l.ranksCode() {
		return nil
	}
	for _, s := range code.Symbols(l.q.Text()) {
		bonus := code.Fitted.Inside
		if s.Whole {
			bonus = code.Fitted.Defined
		}
		chunks, err := l.defining(ctx, txs, s.Name)
		if err != nil {
			return err
		}
		within, owner := "", s.Name
		if at := strings.LastIndexByte(s.Name, '.'); len(chunks) == 0 && at > 0 { // of a package or a file: http.Server
			owner, within = s.Name[:at], s.Name[at+1:]
			if chunks, err = l.defining(ctx, txs, within); err != nil {
				return err
			}
		}
		for _, chunk := range chunks {
			more := bonus
			if within != "" && !l.lies(chunk, owner) {
				more /= 2
			}
			if l.defined.bonus == nil {
				l.defined.bonus = map[uint32]float64{}
			}
			l.defined.bonus[chunk] = max(l.defined.bonus[chunk], more)
		}
	}
	for chunk := range l.defined.bonus {
		l.defined.chunks = append(l.defined.chunks, chunk)
	}
	slices.Sort(l.defined.chunks)
	return nil
}

// defining returns the chunks that define a name, with the ids that they have among all indexes.
func (l *retrieval) defining(ctx context.Context, txs []*store.Tx, name string) (chunks []uint32, err error) {
	of, err := l.joint(txs).Defining(ctx, name, l.allowed())
	for part, list := range of {
		for _, chunk := range list {
			chunks = append(chunks, snapshot.JointID(part, chunk))
		}
	}
	return chunks[:min(len(chunks), maxDefinitions)], err
}

// ranksCode reports whether the mode of the search has rules for code: meaning alone and the reference have none.
func (l *retrieval) ranksCode() bool { return l.mode == "lexical" || fuses(l.mode) }

// fileOf is the file of a chunk, with the id that it has among all indexes; nil where it is gone.
func (l *retrieval) fileOf(chunk uint32) *store.File {
	n, chunk := snapshot.SplitID(chunk)
	if len(l.indexes) == 1 {
		n = 0
	}
	f, _, ok := l.indexes[n].commit.Snap.Place(chunk)
	if !ok {
		return nil
	}
	return f
}

// isCode reports whether a chunk is of a file of code.
func (l *retrieval) isCode(chunk uint32) bool {
	f := l.fileOf(chunk)
	return f != nil && f.Kind == layout.Code
}

// lies reports whether a chunk lies in a file, or folder, of the name of a package.
func (l *retrieval) lies(chunk uint32, name string) bool {
	f := l.fileOf(chunk)
	if f == nil {
		return false
	}
	folder, file := filepath.Split(f.Path)
	stem, _, _ := strings.Cut(file, ".")
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.EqualFold(stem, name) || strings.EqualFold(filepath.Base(folder), name)
}

// rankCode applies the rules to the candidates that are code; unit is what a share of 1 is worth.
func (l *retrieval) rankCode(list []candidate, unit float64) []candidate {
	if len(list) == 0 {
		return list
	}
	list = l.withDefinitions(list)
	r, terms, changed := code.Fitted, l.termsOf(), false
	for i, c := range list {
		f := l.fileOf(c.chunk)
		if f == nil || f.Kind != layout.Code {
			continue
		}
		more := l.defined.bonus[c.chunk] + r.Named*terms.in(l.opts.Analyzer, f.Path)
		if code.Minor(f.Path, terms.list) {
			more -= r.Minor
		}
		list[i].score += unit * more
		changed = true
	}
	if !changed {
		return list
	}
	breakTies(list)
	return list
}

// withDefinitions adds the chunks that define a symbol of the query and that no list holds.
func (l *retrieval) withDefinitions(list []candidate) []candidate {
	if len(l.defined.chunks) == 0 {
		return list
	}
	last, held := list[len(list)-1], make(map[uint32]bool, len(list))
	for _, c := range list {
		held[c.chunk] = true
	}
	for _, chunk := range l.defined.chunks {
		if !held[chunk] && l.isCode(chunk) {
			list = append(list, candidate{chunk: chunk, score: last.score, closeness: last.closeness})
		}
	}
	return list
}

// queryTerms are the terms of a query with what each is worth.
type queryTerms struct {
	list  []string
	worth []float64
	all   float64
}

func (l *retrieval) termsOf() (q queryTerms) {
	for _, t := range l.words.Terms[:min(l.own, len(l.words.Terms))] {
		q.list, q.worth, q.all = append(q.list, t.Term), append(q.worth, t.IDF), q.all+t.IDF
	}
	return q
}

// in is the worth of the terms that stand in the name of a file or its folder, as a share.
func (q *queryTerms) in(a *lexical.Analyzer, path string) float64 {
	if q.all == 0 {
		return 0
	}
	folder, file := filepath.Split(path)
	stem, _, _ := strings.Cut(file, ".")
	named := a.Append(nil, filepath.Base(folder)+" "+stem)
	found := 0.0
	for i, t := range q.list {
		if slices.Contains(named, t) {
			found += q.worth[i]
		}
	}
	return found / q.all
}
