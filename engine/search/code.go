package search

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/engine/search/code"
	"dowse/engine/search/snapshot"
	"dowse/internal/fold"
	"dowse/store"
)

// Passages of code rank by rules of their own beside words and meaning (package code).

// definitions are the chunks that define a symbol of the query.
type definitions struct {
	bonus  map[uint32]float64
	chunks []uint32 // the best of them, ascending
}

// maxDefinitions bounds the chunks that are candidates only because they define a symbol: of those of many types, such as
// Close, words and meaning tell which are meant.
const maxDefinitions = 200

// Shares of the bonus of a definition that is not quite what the query names.
const (
	otherCase  = .85 // Close for close
	ofAType    = .9  // a method, where the query names no type
	ofAFile    = .95 // in a file of the name of a package
	ofAnother  = .5  // in another package
	otherNames = 2   // symbols of one sentence that are looked for as those of a type: run of Command
)

// findDefinitions looks up what the symbols of the query are defined by.
func (l *retrieval) findDefinitions(ctx context.Context, txs []*store.Tx) error {
	l.definedAs, l.defined = map[string][]lexical.Definition{}, definitions{}
	if l.mode != engine.Lexical && !fuses(l.mode) { // meaning alone, and the reference, have no rules
		return nil
	}
	for name := range l.symbols() {
		for _, as := range namesOf(name, l.q.Text()) {
			if _, known := l.definedAs[as]; known {
				continue
			}
			var err error
			if l.definedAs[as], err = l.defining(ctx, txs, as); err != nil {
				return err
			}
		}
	}
	l.weighDefinitions()
	return nil
}

// symbols yields what the symbols of the query may name, with the bonus of a chunk that defines it.
func (l *retrieval) symbols() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		found := code.Symbols(l.q.Text())
		for i, s := range found {
			bonus := code.Fitted.Inside
			if s.Whole {
				bonus = code.Fitted.Defined
			}
			if !yield(s.Name, bonus) {
				return
			}
			for _, owner := range found[:min(i, otherNames)] {
				if !yield(s.Name+"."+owner.Name, bonus) || !yield(owner.Name+"."+s.Name, bonus) {
					return
				}
			}
		}
	}
}

// namesOf are a name of a query and, of one whose parts may be those of a package, http.Server, the name within that.
func namesOf(name, query string) []string {
	if at := strings.LastIndexByte(name, '.'); at > 0 && !strings.Contains(query, " ") {
		return []string{name, name[at+1:]}
	}
	return []string{name}
}

// weighDefinitions gives the chunks that define what the query names a bonus.
func (l *retrieval) weighDefinitions() {
	l.defined = definitions{bonus: map[uint32]float64{}}
	for name, bonus := range l.symbols() {
		l.weighDefinition(name, bonus)
	}
	for chunk := range l.defined.bonus {
		l.defined.chunks = append(l.defined.chunks, chunk)
	}
	slices.SortFunc(l.defined.chunks, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(l.defined.bonus[b], l.defined.bonus[a]), cmp.Compare(a, b))
	})
	l.defined.chunks = l.defined.chunks[:min(maxDefinitions, len(l.defined.chunks))]
}

// weighDefinition gives the chunks that define a name a bonus.
func (l *retrieval) weighDefinition(name string, bonus float64) {
	found, owner := l.definedAs[name], ""
	if names := namesOf(name, l.q.Text()); len(found) == 0 && len(names) > 1 {
		owner, found = strings.TrimSuffix(name, "."+names[1]), l.definedAs[names[1]]
	}
	for _, d := range found {
		more := bonus
		if d.Capital != lexical.IsCapital(name) && fold.Lower(name) != name {
			more *= otherCase
		}
		if d.Member {
			more *= ofAType
		}
		if owner != "" {
			more *= l.lies(d.Chunk, owner)
		}
		l.defined.bonus[d.Chunk] = max(l.defined.bonus[d.Chunk], more)
	}
}

// defining returns the definitions of a name, whose chunks have the ids that they have among all indexes.
func (l *retrieval) defining(ctx context.Context, txs []*store.Tx, name string) (all []lexical.Definition, err error) {
	of, err := l.joint(txs).Defining(ctx, name, l.allowed())
	for part, list := range of {
		for _, d := range list {
			d.Chunk = snapshot.JointID(part, d.Chunk)
			all = append(all, d)
		}
	}
	return all, err
}

// lies is the share of the bonus of a definition that is to lie in a package: all in a folder of its name.
func (l *retrieval) lies(chunk uint32, name string) float64 {
	f := l.fileOf(chunk)
	if f == nil {
		return ofAnother
	}
	folder, stem := code.Names(f.Path)
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case strings.EqualFold(folder, name):
		return 1
	case strings.EqualFold(stem, name):
		return ofAFile
	}
	return ofAnother
}

// fileOf is the file of a chunk, with the id that it has among all indexes; nil where it is gone.
func (l *retrieval) fileOf(chunk uint32) *store.File {
	n := 0
	if l.several() {
		n, chunk = snapshot.SplitID(chunk)
	}
	if n >= len(l.indexes) {
		return l.machines[n-len(l.indexes)].commit.DistantFile(chunk)
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

// codeHead is how many of the best chunks by words tell how much of what is found is code.
const codeHead = 20

// shareOfCode is how much of the best by words is code; 0 for a query with a symbol, which leans on words.
func (l *retrieval) shareOfCode() float64 {
	head := l.words.Hits[:min(codeHead, len(l.words.Hits))]
	if len(head) == 0 || len(code.Symbols(l.q.Text())) > 0 {
		return 0
	}
	n := 0
	for _, h := range head {
		if l.isCode(h.Chunk) {
			n++
		}
	}
	return float64(n) / float64(len(head))
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
		folder, stem := code.Names(f.Path)
		more := l.defined.bonus[c.chunk] + r.Stem*terms.in(l.opts.Analyzer, stem) + r.Folder*terms.in(l.opts.Analyzer, folder)
		if code.Minor(strings.TrimPrefix(f.Path, f.Root), terms.list) {
			more -= r.Minor
		}
		list[i].score += unit * more
		changed = changed || more != 0
	}
	if changed {
		breakTies(list)
	}
	return l.liftFiles(list, unit*r.File)
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

// in is the worth of the terms that stand in a name, as a share.
func (q *queryTerms) in(a *lexical.Analyzer, name string) float64 {
	if q.all == 0 {
		return 0
	}
	named := a.Append(nil, name)
	found := 0.0
	for i, t := range q.list {
		if slices.Contains(named, t) {
			found += q.worth[i]
		}
	}
	return found / q.all
}
