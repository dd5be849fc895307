package local

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/answer"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models"
	"dowse/models/pack"
)

// openReader is an open model that marks evidence.
type openReader struct {
	*transformer.SpanReader
	opened.Files
	calibration answer.Calibration
	followUps   *answer.Calibration // nil: the same
}

// Reader is an answer.Reader: the bundled model, opened by the first question
// and used by one at a time.
type Reader struct{ *opened.Shared[*openReader] }

var _ answer.Reader = (*Reader)(nil)

// NewReader returns the Reader of a machine.
func NewReader(machine opened.Machine) *Reader {
	const name = models.DefaultReader
	return &Reader{opened.New(1, machine.Memory, func(ctx context.Context, lease *memory.Lease) (*openReader, error) {
		m, err := machine.Find(name)
		if err != nil {
			return nil, err
		}
		budget, err := opened.Lend(ctx, lease, m, machine.Threads, func(c *pack.Config) weights.Work {
			c.MaxTokens = transformer.LongestReading(c, m.Job.MaxTokens)
			return weights.Work{Batch: c.MaxTokens}
		})
		o := &openReader{}
		if err == nil {
			o.Files, err = opened.FilesOf(m)
		}
		if err == nil {
			o.calibration = calibrationOf(&m.Job.Confidence)
			if m.Job.FollowUps != (models.Confidence{}) {
				c := calibrationOf(&m.Job.FollowUps)
				o.followUps = &c
			}
			o.SpanReader, err = transformer.OpenSpanReader(ctx, m.Path, machine.Kernel, transformer.SpanReaderOptions{
				Adapter: m.Adapter, MaxTokens: m.Job.MaxTokens, Threads: machine.Threads, Budget: budget, Ledger: machine.Ledger,
			})
		}
		if err != nil {
			return nil, opened.Unusable(name, err, fmt.Sprintf("run dowse models remove %s and dowse models remove %s, and dowse will reinstall both", name, m.Job.Base))
		}
		return o, nil
	})}
}

func calibrationOf(c *models.Confidence) answer.Calibration {
	return answer.Calibration{
		Bias: c.Bias, Margin: c.Margin, Shared: c.Shared, Brief: c.Brief, Words: c.Words, SureFrom: c.SureFrom, PerhapsFrom: c.PerhapsFrom,
	}
}

// Mark implements answer.Reader.
func (r *Reader) Mark(ctx context.Context, question string, passages []string) (marks *answer.Marks, err error) {
	model, done, err := r.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	read, err := model.Read(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	return newMarks(read, model), nil
}

func newMarks(read []transformer.SpanLogits, from *openReader) *answer.Marks {
	marks := &answer.Marks{Calibration: from.calibration, FollowUps: from.followUps}
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
