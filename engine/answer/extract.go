package answer

import (
	"context"
	"strings"
)

// Extractor answers by quoting what its Reader marks. It is safe for concurrent
// use if the Reader is.
type Extractor struct{ reader Reader }

// NewExtractor returns an Extractor over a Reader.
func NewExtractor(reader Reader) *Extractor { return &Extractor{reader} }

// Extract quotes, or declines. Errors are the Reader's and ctx's.
func (e *Extractor) Extract(ctx context.Context, question string, passages []Passage) (Answer, error) {
	a, err := e.Quote(ctx, Asked{Question: question}, passages)
	if err != nil {
		return Answer{}, err
	}
	return a.OrDeclined(), nil
}

// Quote quotes however unlikely the quotation is: where Extract would decline,
// Confidence is None beside a text. It quotes no injections.
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

// pronouns that begin a sentence make it depend on the one before.
var pronouns = wordSet("it they he she this these that those its their his her")

// leansOn reports whether a piece begins with a pronoun for what the piece
// before it, in the same block, says.
func leansOn(text string, before, p Piece) bool {
	return p.Kind != Code && before.Block == p.Block && pronouns[strings.ToLower(firstWord(text[p.Start:p.End]))]
}

func cite(p *Passage, r Range, k Kind) Citation {
	c := Citation{N: p.Number, Path: p.Path, Where: p.Where.At(p.Places, r.Start), Text: plain(p.Text[r.Start:r.End], k)}
	if p.LineStart > 0 {
		c.LineStart = p.LineStart + strings.Count(p.Text[:r.Start], "\n")
		c.LineEnd = c.LineStart + strings.Count(p.Text[r.Start:r.End], "\n")
	}
	return c
}
