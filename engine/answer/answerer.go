package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine"
)

var _ engine.Answerer = (*Extractor)(nil)

// Answer implements engine.Answerer.
func (e *Extractor) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	quoted, err := e.Quote(ctx, AskedIn(&job), ByRank(job.Passages))
	if err != nil {
		return nil, err
	}
	return e.Otherwise(ctx, job, ShownQuoted(quoted))
}

// Otherwise returns said, or if that declines, the nearest quotation of
// passages with injections: a file may instruct agents about what a person
// asks. It is at most Perhaps, and no model has read it.
func (e *Extractor) Otherwise(ctx context.Context, job engine.AnswerJob, said *engine.Answer) (*engine.Answer, error) {
	passages := ByRank(job.Passages)
	if _, injected := WithoutInjections(passages); !injected || said.Confidence != engine.None {
		return said, nil
	}
	quoted, err := e.quote(ctx, AskedIn(&job), passages)
	if err != nil || quoted.Confidence == None {
		return said, ctx.Err()
	}
	quoted.Confidence = Perhaps
	nearest := ShownQuoted(quoted)
	nearest.Problem, nearest.Note = said.Problem, said.Note
	return nearest, nil
}

// Instead quotes passages because a model could not answer, and says why.
func Instead(ctx context.Context, extract engine.Answerer, job engine.AnswerJob, why error) (*engine.Answer, error) {
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

// ShownQuoted converts a quotation for front ends. One that is too unlikely
// stands below the declining words, so that a person may judge it.
func ShownQuoted(quoted Answer) *engine.Answer {
	if quoted.Confidence != None || !quoted.Near() {
		return Shown(quoted.OrDeclined(), engine.Extracted)
	}
	nearest := Shown(quoted, engine.Extracted)
	return &engine.Answer{
		Text: engine.UnansweredText, Citations: nearest.Citations, Confidence: engine.None, Declined: true, Quotation: nearest, How: engine.Extracted,
	}
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

// shownText is the text for people. It shows nothing while a model's own
// declining words may be coming.
func shownText(said Answer) string {
	text, denial := strings.TrimSpace(said.Text), DeclinedText
	switch {
	case said.Declined:
		return engine.DeclinedText
	case said.Confidence == "" && (strings.HasPrefix(denial, text) || strings.HasPrefix(text, denial)):
		return ""
	}
	return said.Text
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
