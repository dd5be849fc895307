package app

import (
	"context"
	"fmt"

	"dowse/engine/answer"
	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models"
)

// openReader is a model that points at answers.
type openReader struct {
	*transformer.SpanReader
	openedPack
	declineFrom float64
}

// reader is an answer.SpanReader: the model that comes with dowse, opened by the
// first question.
type reader struct{ *inTurn[*openReader] }

var _ answer.SpanReader = (*reader)(nil)

// newReader points at answers on the kernels of the embedder.
func (a *App) newReader(k *kernel.Kernel, ledger *memory.Ledger) *reader {
	const name = models.DefaultReader
	return &reader{newInTurn(func(ctx context.Context) (*openReader, error) {
		m, err := a.findModel(name)
		if err != nil {
			return nil, err
		}
		o := &openReader{}
		if o.openedPack, err = noteFiles(m); err == nil {
			o.declineFrom = m.Job.DeclineFrom
			o.SpanReader, err = transformer.OpenSpanReader(m.Path, k, transformer.SpanReaderOptions{
				Adapter: m.Adapter, Threads: a.Config.Threads, Ledger: ledger, Opening: ctx,
			})
		}
		if err != nil {
			return nil, modelError(name, err, fmt.Sprintf("run dowse models remove %s and dowse models remove %s, and dowse puts both there anew", name, m.Job.Base))
		}
		return o, nil
	})}
}

// ReadSpans implements answer.SpanReader.
func (r *reader) ReadSpans(ctx context.Context, question string, passages []string) (*answer.SpanReading, error) {
	model, err := r.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer r.release()
	read, err := model.Read(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	found := &answer.SpanReading{DeclineFrom: model.declineFrom}
	for i := range read {
		logits := answer.SpanLogits{Start: read[i].Start, End: read[i].End, None: read[i].None}
		for _, t := range read[i].Tokens {
			logits.Tokens = append(logits.Tokens, answer.Range(t))
		}
		found.Passages = append(found.Passages, logits)
	}
	return found, nil
}

// extractor is an answer.Answerer in the words of the passages: the reader points
// at them; where it cannot, they are chosen by what they share with the
// question, and the problem says so.
type extractor struct{ pointing, sharing answer.Answerer }

// answer also returns what was wrong with the reader.
func (e *extractor) answer(ctx context.Context, question string, passages []answer.Passage) (said answer.Answer, problem, err error) {
	if e.pointing != nil {
		said, problem = e.pointing.Answer(ctx, question, passages)
		if problem == nil || ctx.Err() != nil {
			return said, nil, ctx.Err()
		}
	}
	said, err = e.sharing.Answer(ctx, question, passages)
	return said, problem, err
}
