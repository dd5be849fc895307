package answer

import (
	"context"
	"fmt"
	"path"
	"sort"
	"strings"
)

// Reader is a model that marks evidence.
type Reader interface {
	// Mark reads the question with each passage. The question has no capitals
	// and no question mark; earlier questions follow it, as Asked says.
	Mark(ctx context.Context, question string, passages []string) (*Marks, error)
}

// Marks is a Reader's result.
type Marks struct {
	Passages    []PassageMarks
	Calibration Calibration
	FollowUps   *Calibration // for follow-ups; nil: the same
}

func (m *Marks) of(asked Asked) *Calibration {
	if len(asked.Follows) > 0 && m.FollowUps != nil {
		return m.FollowUps
	}
	return &m.Calibration
}

// PassageMarks are the logits of a passage's tokens: that a short answer starts
// with the token, that it ends with it, that the token is evidence. None's
// logits compete with them: that the passage holds nothing.
type PassageMarks struct {
	Tokens               []Range // bytes of the passage for each token
	Start, End, Evidence []float32
	None                 NoneLogits
}

// NoneLogits are the logits of a passage that holds nothing.
type NoneLogits struct{ Start, End, Evidence float32 }

// Calibration is a logistic regression for the probability that an answer is
// right, fitted to questions outside the reader's training.
type Calibration struct {
	// Bias, Margin, Shared, Brief and Words weigh: 1; the logit of evidence;
	// the share of the question's words in the best piece; 1 over the number of
	// these words; the log of a piece's mean number of words, since the reader
	// is surer of running text than of terse notes.
	Bias, Margin, Shared, Brief, Words float64
	// SureFrom and PerhapsFrom are the least probabilities of a sure and of a
	// nearest answer.
	SureFrom, PerhapsFrom float64
}

// support is the probability that an answer is right; row is a row's own logit.
func (c *Calibration) support(margin, shared, brief, words, row float64) float64 {
	return logistic(c.Bias + c.Margin*margin + c.Shared*shared + c.Brief*brief + c.Words*words + row)
}

func (c *Calibration) confidence(support float64) Confidence {
	return confidenceAt(support, c.SureFrom, c.PerhapsFrom)
}

// longestSpan bounds a short answer, in tokens.
const longestSpan = 48

// tokenFrom is the first token that begins at or after a byte.
func (m *PassageMarks) tokenFrom(at int) int {
	return sort.Search(len(m.Tokens), func(i int) bool { return m.Tokens[i].Start >= at })
}

// tokensIn returns the tokens that begin in a range, [first, last).
func (m *PassageMarks) tokensIn(r Range) (first, last int) {
	return m.tokenFrom(r.Start), m.tokenFrom(r.End)
}

// evidence is the mean logit of a range's tokens; ok is false where no token
// was read.
func (m *PassageMarks) evidence(r Range) (logit float64, ok bool) {
	first, last := m.tokensIn(r)
	for _, l := range m.Evidence[first:last] {
		logit += float64(l)
	}
	return logit / float64(max(last-first, 1)), last > first
}

// mostNone is the most, in logits, by which none may beat a short answer that
// is given: the reader learned from many passages without one.
const mostNone = 6

// span finds the likeliest short answer in a range; ok is false where none is
// far likelier.
func (m *PassageMarks) span(within Range) (found Range, ok bool) {
	found, _, ok = m.best(within)
	return found, ok
}

// best is span with its sum of logits.
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

// drop removes the tokens of the first n bytes, which precede the passage.
func (m *PassageMarks) drop(n int) {
	first := m.tokenFrom(n)
	m.Tokens, m.Start, m.End, m.Evidence = m.Tokens[first:], m.Start[first:], m.End[first:], m.Evidence[first:]
	for i := range m.Tokens {
		m.Tokens[i].Start -= n
		m.Tokens[i].End -= n
	}
}

// contextLine is the file's name in words, and the headings.
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

// mark has the reader read each passage below its context.
func (e *Extractor) mark(ctx context.Context, asked Asked, passages []Passage) (*Marks, error) {
	texts, before := make([]string, len(passages)), make([]int, len(passages))
	for i := range passages { // below lines that locate it
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
