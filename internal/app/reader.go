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

// openReader is a model that marks evidence.
type openReader struct {
	*transformer.SpanReader
	openedPack
	calibration answer.Calibration
}

// reader is an answer.Reader: the model that comes with dowse, opened by the
// first question.
type reader struct{ *inTurn[*openReader] }

var _ answer.Reader = (*reader)(nil)

// newReader marks evidence on the kernels of the embedder.
func (a *App) newReader(k *kernel.Kernel, ledger *memory.Ledger) *reader {
	const name = models.DefaultReader
	return &reader{newInTurn(func(ctx context.Context) (*openReader, error) {
		m, err := a.findModel(name)
		if err != nil {
			return nil, err
		}
		o := &openReader{}
		if o.openedPack, err = noteFiles(m); err == nil {
			o.calibration = calibrationOf(&m.Job.Confidence)
			o.SpanReader, err = transformer.OpenSpanReader(ctx, m.Path, k, transformer.SpanReaderOptions{
				Adapter: m.Adapter, MaxTokens: m.Job.MaxTokens, Threads: a.Config.Threads, Ledger: ledger,
			})
		}
		if err != nil {
			return nil, modelError(name, err, fmt.Sprintf("run dowse models remove %s and dowse models remove %s, and dowse puts both there anew", name, m.Job.Base))
		}
		return o, nil
	})}
}

// calibrationOf is the confidence of a reader in answer's words.
func calibrationOf(c *models.Confidence) answer.Calibration {
	return answer.Calibration{
		Bias: c.Bias, Margin: c.Margin, Shared: c.Shared, Brief: c.Brief, Words: c.Words, SureFrom: c.SureFrom, PerhapsFrom: c.PerhapsFrom,
	}
}

// Mark implements answer.Reader.
func (r *reader) Mark(ctx context.Context, question string, passages []string) (*answer.Marks, error) {
	model, err := r.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer r.release()
	read, err := model.Read(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	return newMarks(read, model.calibration), nil
}

// newMarks says what a model marked in answer's words.
func newMarks(read []transformer.SpanLogits, c answer.Calibration) *answer.Marks {
	marks := &answer.Marks{Calibration: c}
	for _, l := range read {
		m := answer.PassageMarks{
			Start: l.Heads[transformer.SpanStart], End: l.Heads[transformer.SpanEnd], Evidence: l.Heads[transformer.SpanEvidence],
			None: answer.NoneLogits{Start: l.None[transformer.SpanStart], End: l.None[transformer.SpanEnd], Evidence: l.None[transformer.SpanEvidence]},
		}
		for _, t := range l.Tokens {
			m.Tokens = append(m.Tokens, answer.Range(t))
		}
		marks.Passages = append(marks.Passages, m)
	}
	return marks
}
