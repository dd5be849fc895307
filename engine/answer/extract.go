package answer

import (
	"context"
	"strings"
)

// Extractor answers in the words of the passages: those that a Reader marks. It may be
// used from several goroutines, where its Reader may.
type Extractor struct{ reader Reader }

// NewExtractor quotes what a Reader marks.
func NewExtractor(reader Reader) *Extractor { return &Extractor{reader} }

// Extract answers in the words of the passages. Errors are those of the Reader and
// of ctx.
func (e *Extractor) Extract(ctx context.Context, question string, passages []Passage) (Answer, error) {
	a, err := e.Quote(ctx, Asked{Question: question}, passages)
	if err != nil {
		return Answer{}, err
	}
	return a.OrDeclined(), nil
}

// Quote quotes the pieces that the Reader marks, however unlikely they are to answer:
// where Extract would decline, the confidence is None beside a text. Nothing is quoted
// of passages without text, and nothing that speaks to a model.
func (e *Extractor) Quote(ctx context.Context, asked Asked, passages []Passage) (Answer, error) {
	told, _ := WithoutInjections(passages)
	return e.quote(ctx, asked, told)
}

// quote quotes passages as they are.
func (e *Extractor) quote(ctx context.Context, asked Asked, passages []Passage) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	marks, err := e.mark(ctx, asked, passages)
	if err != nil {
		return Answer{}, err
	}
	m := weigh(asked, passages, marks)
	if len(m.best) == 0 {
		return Answer{Confidence: None}, nil
	}
	a := m.compose(m.choose())
	calibration := marks.of(asked)
	a.Support = m.support(asked, calibration)
	a.Confidence = calibration.confidence(a.Support)
	return a, nil
}

// pronouns at its beginning make a sentence lean on the one before.
var pronouns = wordSet("it they he she this these that those its their his her")

// leansOn reports whether a piece begins with a pronoun for what the one before it, of
// the same block, says.
func leansOn(text string, before, p Piece) bool {
	return p.Kind != Code && before.Block == p.Block && pronouns[strings.ToLower(firstWord(text[p.Start:p.End]))]
}

// cite makes the citation of a range of a passage.
func cite(p *Passage, r Range, k Kind) Citation {
	c := Citation{N: p.Number, Path: p.Path, Where: p.Where.At(p.Places, r.Start), Text: plain(p.Text[r.Start:r.End], k)}
	if p.LineStart > 0 {
		c.LineStart = p.LineStart + strings.Count(p.Text[:r.Start], "\n")
		c.LineEnd = c.LineStart + strings.Count(p.Text[r.Start:r.End], "\n")
	}
	return c
}
