package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
)

// modelAnswerer is an engine.Answerer that lets a language model write from what
// the reader marks, and checks what it writes against that as it comes. The
// quotation stands where the model writes something else, and where it cannot be
// used. Without a reader the model has the passages whole. One that verifies only says
// how sure what is quoted is.
type modelAnswerer struct {
	generator *generator
	analyzer  answer.Analyzer
	extract   answerer
	verifies  bool // what is quoted, and writes nothing
}

var _ engine.Answerer = (*modelAnswerer)(nil)

// Answer implements engine.Answerer.
func (a *modelAnswerer) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	w, err := a.writing(ctx, job)
	if err != nil {
		return nil, err
	}
	if w.hopeless() {
		return quotedAnswer(w.unlikely()), nil
	}
	ask := a.write
	if a.verifies && w.quoted != nil {
		ask = a.verify
	} else {
		w.tell(engine.Answer{How: a.generator.name})
	}
	said, err := ask(ctx, w)
	switch {
	case err == nil:
		return said, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case w.quoted == nil:
		return extractInstead(ctx, a.extract, job, err)
	}
	alone := quotedAnswer(*w.quoted)
	alone.Problem = fmt.Sprintf("the answer is quoted from the passages, without the model: %v", err)
	return alone, nil
}

// verify lets the model read what is quoted, which is shown meanwhile.
func (a *modelAnswerer) verify(ctx context.Context, w *writing) (*engine.Answer, error) {
	shown := newAnswer(*w.quoted, engine.Extracted)
	if w.verifier == nil {
		return shown, nil
	}
	if w.observe != nil && w.quoted.Confidence != answer.None {
		w.observe(*shown)
	}
	model, asked, err := a.prompted(ctx, w)
	if err != nil {
		return nil, err
	}
	defer a.generator.release()
	if model.refusal == nil {
		return nil, fmt.Errorf("the model %s has no word to decline with", a.generator.name)
	}
	at := &generate.Refusal{Token: model.refusal.Token} // whatever its probability: no more is asked
	result, err := model.write(ctx, asked.ids, at, func(string) error { return nil })
	if err != nil {
		return nil, fmt.Errorf("the model %s failed: %w", a.generator.name, err)
	}
	return quotedAnswer(w.verified(result.Refusal)), nil
}

// prompted takes the model's turn, which the caller gives back, and makes its prompt.
func (a *modelAnswerer) prompted(ctx context.Context, w *writing) (*openGenerator, *prompt, error) {
	model, err := a.generator.acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	asked, err := model.prompt(w.question, w.passages)
	if err != nil {
		a.generator.release()
		return nil, nil, fmt.Errorf("the model %s was not asked: %w", a.generator.name, err)
	}
	return model, asked, nil
}

// write lets the model answer.
func (a *modelAnswerer) write(ctx context.Context, w *writing) (*engine.Answer, error) {
	model, asked, err := a.prompted(ctx, w)
	if err != nil {
		return nil, err
	}
	defer a.generator.release()
	checker := answer.NewChecker(w.question, asked.given, a.analyzer)
	var text strings.Builder
	result, err := model.write(ctx, asked.ids, w.refusal(model.refusal), func(more string) error {
		text.WriteString(more)
		if w.observe != nil {
			grown := newAnswer(model.read(checker, checker.Check(text.String(), false)), a.generator.name)
			grown.Generation, grown.Drafted = model.watched.generation(), model.watched.drafted(text.String(), grown.Text)
			grown.Generation.PromptTokens, grown.Generation.Layers = len(asked.ids), model.decoder.Layers()
			w.tell(*grown)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the model %s failed: %w", a.generator.name, err)
	}
	said := model.read(checker, conclude(checker, result))
	if strings.TrimSpace(said.Text) == "" {
		return nil, fmt.Errorf("the model %s said nothing", a.generator.name)
	}
	if !said.Declined {
		model.remember(result.Tokens)
	}
	done := w.done(said, a.generator.name, &result)
	done.Generation, done.Drafted = generationOf(&result.Stats, len(result.Tokens)), model.watched.drafted(result.Text, done.Text)
	done.Generation.Layers, done.Generation.Kept = model.decoder.Layers(), model.decoder.Stats().Kept
	return done, nil
}

// conclude reads an answer that has ended. Where it ended for want of room, a
// sentence that was only begun is left out, unless it is all there is. However
// a model says that the passages do not answer, it is said in the same words.
func conclude(checker *answer.Checker, result generate.Result) answer.Answer {
	if result.Finish == generate.Refused {
		return declined()
	}
	text := strings.TrimSpace(result.Text)
	cut := result.Finish == generate.MaxTokens || result.Finish == generate.WindowFull
	if begun := checker.Check(text, false).Sentences; cut && len(begun) > 1 {
		text = text[:begun[len(begun)-2].End]
	}
	said := checker.Check(text, true)
	if said.Declined {
		return declined()
	}
	return said
}

func declined() answer.Answer {
	return answer.Answer{Confidence: answer.None}.OrDeclined()
}

// generationOf tells what a run counted.
func generationOf(s *generate.Stats, tokens int) *engine.Generation {
	return &engine.Generation{
		PromptTokens: s.PromptTokens, Reused: s.Reused, PromptSpeed: s.PromptSpeed(), FirstMillis: millis(s.FirstToken),
		Tokens: tokens, Speed: s.DecodeSpeed(), Steps: len(s.Steps),
		Drafted: s.Drafted(), Accepted: s.Accepted(), DraftMillis: millis(s.DraftTime),
	}
}

// millis is a time in milliseconds.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
