package answer

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"
)

// Reader marks evidence: a model that reads a question with each of some
// passages.
type Reader interface {
	// Mark reads the question with each of the passages. However it was typed, the
	// question has neither capitals nor a mark. One that goes on with earlier ones has
	// them behind it, as Asked says.
	Mark(ctx context.Context, question string, passages []string) (*Marks, error)
}

// Marks is what a Reader makes of some passages.
type Marks struct {
	Passages    []PassageMarks
	Calibration Calibration
	FollowUps   *Calibration // of questions that go on with earlier ones; nil: the same
}

// of is the calibration for a question.
func (m *Marks) of(asked Asked) *Calibration {
	if len(asked.Follows) > 0 && m.FollowUps != nil {
		return m.FollowUps
	}
	return &m.Calibration
}

// PassageMarks are the logits of a passage's tokens: that a short answer begins
// with the token, that it ends with it, and that the token is part of the
// evidence. The logits of None compete with them: that nothing in the passage
// does.
type PassageMarks struct {
	Tokens               []Range // bytes of the passage that each token read stands for
	Start, End, Evidence []float32
	None                 NoneLogits
}

// NoneLogits are those of there being nothing in a passage.
type NoneLogits struct{ Start, End, Evidence float32 }

// Calibration tells how likely an answer is right, by a logistic regression
// that was fitted to questions that the Reader had not learned from.
type Calibration struct {
	// Bias, Margin, Shared, Brief and Words weigh 1, the logit that there is evidence
	// at all, the share of the question's words that the best piece holds, 1 over the
	// number of these words, and the logarithm of how many words a piece has in the
	// mean: of running text a reader is surer than of terse notes.
	Bias, Margin, Shared, Brief, Words float64
	// SureFrom and PerhapsFrom are the least probabilities of being right at which
	// an answer is given as such, and as the nearest that there is.
	SureFrom, PerhapsFrom float64
}

// support is the probability that an answer is right; row is what a row adds to its logit.
func (c *Calibration) support(margin, shared, brief, words, row float64) float64 {
	return logistic(c.Bias + c.Margin*margin + c.Shared*shared + c.Brief*brief + c.Words*words + row)
}

// confidence is how sure an answer of this support is.
func (c *Calibration) confidence(support float64) Confidence {
	return confidenceAt(support, c.SureFrom, c.PerhapsFrom)
}

// confidenceAt is how sure an answer is that is right with the probability p.
func confidenceAt(p, sureFrom, perhapsFrom float64) Confidence {
	switch {
	case p >= sureFrom:
		return Sure
	case p >= perhapsFrom:
		return Perhaps
	}
	return None
}

// longestSpan bounds a short answer, in tokens of a Reader.
const longestSpan = 48

// tokenFrom is the first token that begins at a byte or behind it.
func (m *PassageMarks) tokenFrom(at int) int {
	return sort.Search(len(m.Tokens), func(i int) bool { return m.Tokens[i].Start >= at })
}

// tokensIn gives the tokens that begin in a range, as [first, last).
func (m *PassageMarks) tokensIn(r Range) (first, last int) {
	return m.tokenFrom(r.Start), m.tokenFrom(r.End)
}

// evidence is the mean logit of the tokens of a range; ok is false where none
// was read.
func (m *PassageMarks) evidence(r Range) (logit float64, ok bool) {
	first, last := m.tokensIn(r)
	for _, l := range m.Evidence[first:last] {
		logit += float64(l)
	}
	return logit / float64(max(last-first, 1)), last > first
}

// mostNone is how much likelier there being no short answer may be, in logits,
// where an answer is given: of passages that hold none the reader has read many.
const mostNone = 6

// span finds the short answer with the greatest sum of logits within a range. ok
// is false where there being none is far likelier.
func (m *PassageMarks) span(within Range) (found Range, ok bool) {
	found, _, ok = m.best(within)
	return found, ok
}

// best is span with the sum.
func (m *PassageMarks) best(within Range) (found Range, best float64, ok bool) {
	best = float64(m.None.Start) + float64(m.None.End) - mostNone
	first, last := m.tokensIn(within)
	for i := first; i < last; i++ {
		for j := i; j < min(i+longestSpan, last) && m.Tokens[j].End <= within.End; j++ {
			if s := float64(m.Start[i]) + float64(m.End[j]); s > best {
				best, found, ok = s, Range{Start: m.Tokens[i].Start, End: m.Tokens[j].End}, true
			}
		}
	}
	return found, best, ok
}

// drop leaves out the tokens of the first n bytes, which are not the passage's
// own, and counts from there.
func (m *PassageMarks) drop(n int) {
	first := m.tokenFrom(n)
	m.Tokens, m.Start, m.End, m.Evidence = m.Tokens[first:], m.Start[first:], m.End[first:], m.Evidence[first:]
	for i := range m.Tokens {
		m.Tokens[i].Start -= n
		m.Tokens[i].End -= n
	}
}

// contextLine is the name of a passage's file in words, and its headings.
func contextLine(p *Passage) string {
	name := path.Base(strings.ReplaceAll(p.Path, `\`, "/"))
	if ext := path.Ext(name); len(ext) > 1 && len(ext) <= 6 {
		name = strings.TrimSuffix(name, ext)
	}
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_ \t\n", r) }), " ")
	if name == "" || p.Heading == "" {
		return name + p.Heading
	}
	return name + " > " + p.Heading
}

// mark lets the reader read the question with each passage.
func (e *Extractor) mark(ctx context.Context, asked Asked, passages []Passage) (*Marks, error) {
	texts, before := make([]string, len(passages)), make([]int, len(passages))
	for i := range passages { // each below lines that say where it stands
		line := contextLine(&passages[i]) + "\n"
		if passages[i].Columns != "" {
			line += passages[i].Columns + "\n"
		}
		texts[i], before[i] = line+passages[i].Text, len(line)
	}
	marks, err := e.reader.Mark(ctx, asked.read(), texts)
	if err != nil {
		return nil, fmt.Errorf("look for the answer: %w", err)
	}
	if len(marks.Passages) != len(texts) {
		return nil, fmt.Errorf("look for the answer: %d results for %d passages", len(marks.Passages), len(texts))
	}
	for i := range marks.Passages {
		marks.Passages[i].drop(before[i])
	}
	return marks, nil
}
