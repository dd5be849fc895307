package answer

import (
	"slices"
	"strings"

	"dowse/engine"
)

// Analyzer reduces text to terms: *lexical.Analyzer is one.
type Analyzer interface {
	// Append appends the terms of text to dst, in order.
	Append(dst []string, text string) []string
}

// Checker compares a model's text with the passages it was given. It is safe
// for concurrent use.
type Checker struct {
	analyzer Analyzer
	asked    string // the question
	question evidence
	passages []source
}

type source struct {
	*Passage
	evidence
	pieces []Piece
	terms  []map[string]bool // by piece
}

// NewChecker prepares the passages given for a question.
func NewChecker(question string, passages []Passage, analyzer Analyzer) *Checker {
	c := &Checker{analyzer: analyzer, asked: question, question: newEvidence(question)}
	for i := range passages {
		p := &passages[i]
		s := source{Passage: p, evidence: newEvidence(p.Path + "\n" + p.Heading + "\n" + p.Text), pieces: Split(p.Text)}
		for _, piece := range s.pieces {
			terms := make(map[string]bool)
			for _, t := range analyzer.Append(nil, p.Text[piece.Start:piece.End]) {
				terms[t] = true
			}
			s.terms = append(s.terms, terms)
		}
		c.passages = append(c.passages, s)
	}
	return c
}

// Check reads an answer, also one that grows: until it is final, the last
// sentence is not judged. A sentence is judged by its cited passages, or by all
// where it cites none; words of the question need no support. Citations of
// other numbers are issues.
func (c *Checker) Check(text string, final bool) Answer {
	text = withoutControls(text)
	a := Answer{Text: text}
	list := attachMarks(text, Split(text))
	for i, st := range list {
		s := Sentence{Range: st.Range}
		cited := c.cited(&s, st.marks)
		if final || i+1 < len(list) {
			c.judge(&s, st, text, cited)
		}
		a.Sentences = append(a.Sentences, s)
		for _, src := range cited {
			a.addCitation(c.place(src, st, text))
		}
	}
	a.Declined = declines(text, len(a.Citations))
	if final {
		a.Confidence = a.judged()
	}
	if a.Declined {
		for i := range a.Sentences {
			a.Sentences[i].Unsupported = nil
		}
	}
	return a
}

func (a *Answer) judged() Confidence {
	switch {
	case a.Declined:
		return None
	case slices.ContainsFunc(a.Sentences, func(s Sentence) bool { return len(s.Unsupported) > 0 }):
		return Perhaps
	}
	return Sure
}

// statement is a sentence with its citations.
type statement struct {
	Piece
	body  Range // without citations at its end
	marks []mark
}

// attachMarks joins citations behind a sentence, or on a line of their own, to
// it.
func attachMarks(text string, pieces []Piece) []statement {
	var list []statement
	for _, p := range pieces {
		var marks []mark
		if p.Kind != Code {
			marks = citationMarks(text, p.Range)
		}
		lead := p.Start
		taken := 0
		for len(list) > 0 && taken < len(marks) && strings.Trim(text[lead:marks[taken].Start], " \t\n,;.") == "" {
			lead = marks[taken].End
			taken++
		}
		if taken > 0 {
			last := &list[len(list)-1]
			last.marks = append(last.marks, marks[:taken]...)
			last.End = lead
			rest := trim(text, Range{Start: lead, End: p.End})
			if strings.Trim(text[rest.Start:rest.End], ".,; ") == "" {
				continue
			}
			p.Range, marks = rest, marks[taken:]
		}
		list = append(list, statement{Piece: p, body: p.Range, marks: marks})
	}
	return list
}

// cited lists a sentence's passages and notes unknown numbers.
func (c *Checker) cited(s *Sentence, marks []mark) []*source {
	var found []*source
	for _, m := range marks {
		known := 0
		for _, n := range m.numbers {
			i := slices.IndexFunc(c.passages, func(p source) bool { return p.Number == n })
			if i < 0 {
				continue
			}
			known++
			if !slices.Contains(s.Citations, n) {
				s.Citations = append(s.Citations, n)
				found = append(found, &c.passages[i])
			}
		}
		if known == 0 {
			s.Unsupported = append(s.Unsupported, Issue{Range: m.Range, Kind: engine.UnknownCitation})
		}
	}
	return found
}

// judge finds claims that the cited passages do not hold.
func (c *Checker) judge(s *Sentence, st statement, text string, cited []*source) {
	if len(cited) == 0 {
		s.Unsupported = append(s.Unsupported, Issue{Range: st.body, Kind: engine.Uncited})
	}
	for _, cl := range claims(text, st) {
		if cl.kind != engine.UnsupportedQuote && c.question.supports(cl) {
			continue
		}
		supported, elsewhere := false, 0
		for i := range c.passages {
			p := &c.passages[i]
			if !p.supports(cl) {
				continue
			}
			if len(cited) == 0 || slices.Contains(s.Citations, p.Number) {
				supported = true
				break
			}
			if elsewhere == 0 {
				elsewhere = p.Number
			}
		}
		if !supported {
			s.Unsupported = append(s.Unsupported, Issue{Range: cl.Range, Kind: cl.kind, Elsewhere: elsewhere})
		}
	}
	slices.SortStableFunc(s.Unsupported, func(a, b Issue) int { return a.Start - b.Start })
}

// place finds the piece of a passage that shares most terms with a sentence.
func (c *Checker) place(src *source, st statement, text string) Citation {
	terms := c.analyzer.Append(nil, text[st.body.Start:st.body.End])
	best, most := 0, -1.0
	for i, held := range src.terms {
		same := 0.0
		for _, t := range terms {
			if held[t] {
				same++
			}
		}
		// Of equal matches the shorter says it more plainly.
		if score := same - float64(len(held))/1000; score > most {
			best, most = i, score
		}
	}
	if len(src.pieces) == 0 {
		return cite(src.Passage, Range{}, Prose)
	}
	return cite(src.Passage, src.pieces[best].Range, src.pieces[best].Kind)
}

func (a *Answer) addCitation(c Citation) {
	for _, known := range a.Citations {
		if known.N == c.N {
			return
		}
	}
	a.Citations = append(a.Citations, c)
}
