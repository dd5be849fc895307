package passage

import (
	"regexp/syntax"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"dowse/engine"
	"dowse/engine/lexical"
)

// Finder finds where a text holds what is looked for: ranges ascending and disjoint.
type Finder interface {
	Find(text string) []engine.Range
}

// Exact is a text to look for as it is written, or a pattern. The text must begin and end where
// words do. An empty match of a pattern does not count.
type Exact struct {
	of    engine.Exact
	forms []string // of the text: composed and decomposed, as systems write letters with marks
}

// NewExact prepares what a query asks for.
func NewExact(of engine.Exact) Exact {
	x := Exact{of: of}
	if of.Pattern == nil {
		x.forms = slices.Compact([]string{norm.NFC.String(of.Text), norm.NFD.String(of.Text)})
	}
	return x
}

// Find returns where it stands in text.
func (x Exact) Find(text string) (found []engine.Range) {
	if x.of.Pattern != nil {
		for _, at := range x.of.Pattern.FindAllStringIndex(text, -1) {
			if at[0] < at[1] {
				found = append(found, engine.Range{Start: at[0], End: at[1]})
			}
		}
		return found
	}
	for _, form := range x.forms {
		for at := 0; ; {
			next := strings.Index(text[at:], form)
			if next < 0 || form == "" {
				break
			}
			start, end := at+next, at+next+len(form)
			at = start + 1
			if wordEdge(text, start) && wordEdge(text, end) {
				found, at = append(found, engine.Range{Start: start, End: end}), end
			}
		}
	}
	return mergeRanges(found)
}

// SureTerms gives the words that every chunk has in which it stands, each with the terms of which
// one stands for it. Of a pattern these are the whole words of its literal stretches: none of /a.c/,
// "refused" of /connection refused by/, all three of /\bconnection refused by\b/. Edges of words
// are those of patterns, so that \b is one beside letters beyond ASCII.
func (x Exact) SureTerms(analyzer *lexical.Analyzer, in lexical.Languages) (words [][]string) {
	texts := []string{x.of.Text}
	if x.of.Pattern != nil {
		texts = sureTexts(x.of.Pattern.String())
	}
	for _, text := range texts {
		sure, _ := SureTerms(analyzer, text, in)
		words = append(words, sure...)
	}
	return words
}

// sureTexts are the texts that begin and end where words do, and stand in every match of a
// pattern.
func sureTexts(pattern string) (texts []string) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil // it has been compiled
	}
	var run stretch
	for _, part := range partsOf(re, nil) {
		switch part.Op {
		case syntax.OpLiteral:
			run.text += string(part.Rune)
		case syntax.OpEmptyMatch:
		case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary:
			texts = run.end(texts, true)
		default:
			texts = run.end(texts, false)
		}
	}
	return run.end(texts, false)
}

// partsOf lists what a pattern matches one after the other.
func partsOf(re *syntax.Regexp, parts []*syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			parts = partsOf(sub, parts)
		}
		return parts
	}
	return append(parts, re)
}

// stretch is a literal stretch of a pattern.
type stretch struct {
	text string
	edge bool // a word begins with it, if with a word
}

// end appends the whole words of the stretch to texts and begins the next one, behind an edge or
// something unknown.
func (s *stretch) end(texts []string, edge bool) []string {
	outside := func(r rune) bool { return !lexical.IsWord(r) }
	text := s.text
	if !s.edge {
		text = text[max(0, strings.IndexFunc(text, outside)):]
		if !strings.ContainsFunc(text, outside) {
			text = ""
		}
	}
	if !edge {
		text = text[:strings.LastIndexFunc(text, outside)+1]
	}
	*s = stretch{edge: edge}
	if strings.TrimSpace(text) == "" {
		return texts
	}
	return append(texts, text)
}
