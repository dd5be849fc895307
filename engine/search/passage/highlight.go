package passage

import (
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/internal/fold"
)

// Highlighter finds what a query asked for in a text.
type Highlighter struct {
	analyzer *lexical.Analyzer
	in       lexical.Languages
	terms    map[string]bool
	phrases  []Finder
}

// Highlighter returns one for the words and phrases of a query.
func (v *Commit) Highlighter(q *engine.Query) Highlighter {
	h := Highlighter{analyzer: v.Analyzer, in: v.Languages.With(lexical.English), terms: map[string]bool{}}
	words := strings.Join(q.Words, " ")
	asked := h.analyzer.QueryIn(words, h.in)
	if len(asked) == 0 {
		asked = h.analyzer.MinorQuery(words, h.in)
	}
	for _, t := range asked {
		if t.Minor() {
			h.phrases = append(h.phrases, NewPhrase(t.Word))
			continue
		}
		h.terms[t.Term] = true
		for _, form := range t.Also {
			h.terms[form.Term] = true
		}
		if lexical.IsDense([]rune(t.Word)[0]) && characters(t.Word) == 1 {
			h.phrases = append(h.phrases, NewPhrase(t.Word)) // texts have it in pairs
		}
	}
	for _, g := range v.Guesses {
		h.terms[g.Term] = true
	}
	for _, p := range q.Phrases {
		h.phrases = append(h.phrases, NewPhrase(p))
	}
	for _, x := range q.Exact {
		if !x.Not {
			h.phrases = append(h.phrases, NewExact(x))
		}
	}
	return h
}

// Find returns the ranges of matched words and phrases, ascending, disjoint.
func (h Highlighter) Find(text string) []engine.Range {
	if len(h.terms) == 0 && len(h.phrases) == 0 {
		return nil
	}
	var found []engine.Range
	for _, w := range h.analyzer.Words(text, h.in) {
		if slices.ContainsFunc(w.Terms, func(form lexical.Form) bool { return h.terms[form.Term] }) {
			found = append(found, engine.Range{Start: w.Start, End: w.End})
		}
	}
	for _, p := range h.phrases {
		found = append(found, p.Find(text)...)
	}
	return mergeRanges(found)
}

// Written returns a word of the passages, in small letters, that has a term; "" where none
// does.
func (h Highlighter) Written(term string, passages []engine.Passage) string {
	for _, p := range passages {
		for _, w := range h.analyzer.Words(p.Text, h.in) {
			if slices.ContainsFunc(w.Terms, func(form lexical.Form) bool { return form.Term == term }) {
				return fold.Lower(p.Text[w.Start:w.End])
			}
		}
	}
	return ""
}

// mergeRanges sorts ranges and joins those that overlap.
func mergeRanges(ranges []engine.Range) []engine.Range {
	slices.SortFunc(ranges, func(a, b engine.Range) int { return a.Start - b.Start })
	merged := ranges[:0]
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.Start < merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, r.End)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}
