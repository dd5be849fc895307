package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine"
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
	return e.Read(ctx, asked, told)
}

// Read quotes passages as they are, and gives them their Marks.
func (e *Extractor) Read(ctx context.Context, asked Asked, passages []Passage) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	marks, err := e.mark(ctx, asked, passages)
	if err != nil {
		return Answer{}, err
	}
	for i := range passages {
		passages[i].Marks = &marks.Passages[i]
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

var _ engine.Answerer = (*Extractor)(nil)

// Answer implements engine.Answerer.
func (e *Extractor) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	quoted, err := e.Quote(ctx, AskedIn(&job), ByRank(job.Passages))
	if err != nil {
		return nil, err
	}
	return e.OrFromInjected(ctx, job, ShownQuoted(quoted))
}

// OrFromInjected returns said, or if that declines, the nearest quotation of
// passages with injections: a file may instruct agents about what a person
// asks. It is at most Perhaps, and no model has read it.
func (e *Extractor) OrFromInjected(ctx context.Context, job engine.AnswerJob, said *engine.Answer) (*engine.Answer, error) {
	passages := ByRank(job.Passages)
	if _, injected := WithoutInjections(passages); !injected || said.Confidence != engine.None {
		return said, nil
	}
	quoted, err := e.Read(ctx, AskedIn(&job), passages)
	if err != nil || quoted.Confidence == None {
		return said, ctx.Err()
	}
	quoted.Confidence = Perhaps
	nearest := ShownQuoted(quoted)
	nearest.Problem, nearest.Note = said.Problem, said.Note
	return nearest, nil
}

// QuoteInstead quotes passages because a model could not answer, and says why.
func QuoteInstead(ctx context.Context, extract engine.Answerer, job engine.AnswerJob, why error) (*engine.Answer, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	said, err := extract.Answer(ctx, job)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	said.Problem = fmt.Sprintf("the answer was chosen from the passages, without the model: %v", why)
	return said, nil
}

// ByRank numbers passages by their rank.
func ByRank(passages []engine.Passage) []Passage {
	out := make([]Passage, len(passages))
	for i, p := range passages {
		out[i] = Passage{
			Number: p.Rank, Path: p.Path, Heading: p.Heading, Columns: p.Columns, Text: p.Text,
			LineStart: p.LineStart, LineEnd: p.LineEnd, Where: p.Where, Places: p.Places, Score: p.Score,
		}
	}
	return out
}

// Shown converts an answer for front ends; how names its maker.
func Shown(said Answer, how string) *engine.Answer {
	a := &engine.Answer{
		Text: shownText(said), Citations: said.Citations, Sentences: said.Sentences,
		Confidence: said.Confidence, Declined: said.Declined, How: how,
	}
	if said.Short != nil {
		a.Short = said.Short.Text
		a.Highlights = highlightShort(said)
	}
	return a
}

// highlightShort finds the short answer in a sentence that cites its passage.
func highlightShort(said Answer) []engine.Range {
	for _, s := range said.Sentences {
		if len(s.Citations) == 0 || s.Citations[0] != said.Short.N {
			continue
		}
		if i := strings.Index(said.Text[s.Start:s.End], said.Short.Text); i >= 0 && said.Short.Text != "" {
			start := s.Start + i
			return []engine.Range{{Start: start, End: start + len(said.Short.Text)}}
		}
	}
	return nil
}
