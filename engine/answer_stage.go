package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// AnswerPassages is how many passages an answer is made from: as many as when
// it was measured what declines an answer. Chunks have 250 tokens at most, so
// that five fit a context of 2,048 tokens beside instructions and answer.
const AnswerPassages = 5

// answerStage answers the question of a search whose passages are final. It
// runs outside of the store's transaction: a language model takes seconds. An
// error is that of ctx; whatever else goes wrong is in the answer.
func (e *Engine) answerStage(ctx context.Context, q *Query, passages []Passage, rec *recorder) (*Answer, error) {
	clock := time.Now()
	given := passages[:min(AnswerPassages, len(passages))]
	a, err := e.answer(ctx, AnswerJob{Question: asQuestion(q.Text()), Passages: slices.Clone(given), Observe: rec.answer})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && a == nil {
		err = errors.New("nothing was said")
	}
	if err != nil {
		a = &Answer{Problem: fmt.Sprintf("the question could not be answered, so these are the passages alone: %v", err)}
	}
	if a.Problem != "" {
		rec.problem(a.Problem)
	}
	a.keepSound(given)
	a.settle()
	a.Millis = millis(clock)
	rec.stage("answer", clock, len(given), len(a.Citations), int64(len(a.Text)))
	return a, nil
}

// asQuestion writes a question with a capital and a question mark, so that one
// answer comes however it was typed.
func asQuestion(question string) string {
	question = strings.TrimRight(question, "?!. \t\n")
	first, size := utf8.DecodeRuneInString(question)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + question[size:] + "?"
}

// answer asks the Answerer where there is something to ask it.
func (e *Engine) answer(ctx context.Context, job AnswerJob) (*Answer, error) {
	switch {
	case job.Question == "":
		return &Answer{Problem: "there are filters and no question; ask one for an answer"}, nil
	case !anyRelevant(job.Passages): // or there are no passages
		return declined(), nil
	case e.opts.Answerer == nil:
		return &Answer{Problem: "nothing here can answer questions"}, nil
	}
	observe := job.Observe
	job.Observe = func(a Answer) {
		a.keepSound(job.Passages)
		observe(a)
	}
	return e.opts.Answerer.Answer(ctx, job)
}

// declined is the answer where there is nothing to answer from.
func declined() *Answer {
	return &Answer{Text: DeclinedText, Confidence: None, Declined: true, How: Extracted}
}

// keepSound makes an answer what front ends rely on: its citations are of
// passages that the person sees, its ranges lie within the text. A model that
// breaks this must not break a screen.
func (a *Answer) keepSound(passages []Passage) {
	if a.Quotation != nil {
		quoted := *a.Quotation // several growing answers may share it
		quoted.keepSound(passages)
		a.Quotation = &quoted
	}
	within := func(r Range) bool { return r.Start >= 0 && r.Start < r.End && r.End <= len(a.Text) }
	known := func(n int) bool { return n >= 1 && n <= len(passages) }
	citations := make([]AnswerCitation, 0, len(a.Citations))
	for _, c := range a.Citations {
		if known(c.N) {
			c.Path = passages[c.N-1].Path
			citations = append(citations, c)
		}
	}
	a.Citations = citations
	a.Highlights = keep(a.Highlights, within)
	a.Drafted = keep(a.Drafted, within)
	a.Sentences = keep(a.Sentences, func(s AnswerSentence) bool { return within(s.Range) })
	for i := range a.Sentences {
		s := &a.Sentences[i]
		s.Citations = keep(s.Citations, known)
		s.Unsupported = keep(s.Unsupported, func(u Unsupported) bool { return within(u.Range) })
	}
}

// keep returns a new list of those elements that are good; nil where none is.
func keep[T any](list []T, good func(T) bool) []T {
	var out []T
	for _, x := range list {
		if good(x) {
			out = append(out, x)
		}
	}
	return out
}
