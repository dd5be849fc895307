package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
)

// answerStage answers the question of a search whose passages are final. It
// runs outside of the store's transaction: a language model takes seconds. An
// error is that of ctx; whatever else goes wrong is in the answer.
func (e *Engine) answerStage(ctx context.Context, in *inquiry, q *formulation, passages []engine.Passage, rec *recorder) (*engine.Answer, error) {
	clock := time.Now()
	given := differing(passages, engine.AnswerPassages)
	tidy := func(a *engine.Answer) {
		keepSound(a, given)
		if rec.tells {
			claimLess(a, given)
		}
	}
	observe := func(a engine.Answer) {
		tidy(&a)
		rec.answer(a)
	}
	a, err := e.answer(ctx, engine.AnswerJob{
		Question: asQuestion(q.Text()), Follows: q.counted(), Files: q.countedFiles(), Passages: slices.Clone(given), Observe: observe,
		Conversation: in.id, Earlier: in.earlier,
	}, passages)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && a == nil {
		err = errors.New("nothing was said")
	}
	if err != nil {
		a = &engine.Answer{Problem: fmt.Sprintf("the question could not be answered, so these are the passages alone: %v", err)}
	}
	if a.Problem != "" {
		rec.problem(a.Problem)
	}
	tidy(a)
	settle(a)
	a.Millis = millis(clock)
	rec.stage("answer", clock, len(given), len(a.Citations), int64(len(a.Text)))
	return a, nil
}

// differing returns the first n passages that do not repeat a better one. Secrets are not among them: an answer is kept in
// conversations and in what models learned from answers, and may be a server's.
func differing(passages []engine.Passage, n int) []engine.Passage {
	var given []engine.Passage
	for _, p := range passages {
		if p.SimilarTo == 0 && !p.Secret && len(given) < n {
			given = append(given, p)
		}
	}
	return given
}

// asQuestion writes a question with a capital and a question mark, so that one
// answer comes however it was typed. Language models do better with it; a reader of
// evidence has the question without either.
func asQuestion(question string) string {
	question = strings.TrimRight(question, "?!. \t\n")
	first, size := utf8.DecodeRuneInString(question)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + question[size:] + "?"
}

// answer asks the Answerer where there is something to ask it; passages are those from which the job's are taken.
func (e *Engine) answer(ctx context.Context, job engine.AnswerJob, passages []engine.Passage) (*engine.Answer, error) {
	switch {
	case job.Question == "":
		return &engine.Answer{Problem: "there are filters and no question; ask one for an answer"}, nil
	case len(job.Passages) == 0 && slices.ContainsFunc(passages, func(p engine.Passage) bool { return p.Secret }):
		return &engine.Answer{Problem: "the passages hold secrets, and no answer is made of those"}, nil
	case !engine.AnyRelevant(job.Passages): // or there are no passages
		return declined(), nil
	case e.opts.Answerer == nil:
		return &engine.Answer{Problem: "nothing here can answer questions"}, nil
	}
	return e.opts.Answerer.Answer(ctx, job)
}

// declined is the answer where there is nothing to answer from.
func declined() *engine.Answer {
	return &engine.Answer{Text: engine.DeclinedText, Confidence: engine.None, Declined: true, How: engine.Extracted}
}

// settle makes a complete answer say how sure it is. One that came without saying
// is sure unless a piece of it lacks support.
func settle(a *engine.Answer) {
	switch {
	case a.Text == "":
		a.Confidence, a.Declined = "", false
	case a.Declined || a.Confidence == engine.None:
		a.Confidence, a.Declined = engine.None, true
	case a.Confidence == "" && a.Doubtful():
		a.Confidence = engine.Perhaps
	case a.Confidence == "":
		a.Confidence = engine.Sure
	}
}

// keepSound makes an answer what front ends rely on: its citations are of
// passages that the person sees, its ranges lie within the text. A model that
// breaks this must not break a screen.
func keepSound(a *engine.Answer, passages []engine.Passage) {
	if a.Quotation != nil {
		quoted := *a.Quotation // several growing answers may share it
		keepSound(&quoted, passages)
		a.Quotation = &quoted
	}
	within := func(r engine.Range) bool { return r.Start >= 0 && r.Start < r.End && r.End <= len(a.Text) }
	at := func(n int) int { return slices.IndexFunc(passages, func(p engine.Passage) bool { return p.Rank == n }) }
	known := func(n int) bool { return at(n) >= 0 }
	citations := make([]engine.AnswerCitation, 0, len(a.Citations))
	for _, c := range a.Citations {
		if known(c.N) {
			c.Path = passages[at(c.N)].Path
			citations = append(citations, c)
		}
	}
	a.Citations = citations
	a.Highlights = keep(a.Highlights, within)
	a.Drafted = keep(a.Drafted, within)
	a.Sentences = keep(a.Sentences, func(s engine.AnswerSentence) bool { return within(s.Range) })
	for i := range a.Sentences {
		s := &a.Sentences[i]
		s.Citations = keep(s.Citations, known)
		s.Unsupported = keep(s.Unsupported, func(u engine.Unsupported) bool { return within(u.Range) })
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
