package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"dowse/engine/transformer"
)

// resumeRow is what the first token of the next question took in a conversation that was
// resumed, in milliseconds: medians, beside those of the same conversation when it had
// never left memory.
type resumeRow struct {
	State    string  `json:"state"`
	Tokens   int     `json:"tokens"`
	Question int     `json:"question_tokens"`
	Bytes    int64   `json:"read_bytes"`
	Computed int     `json:"computed_chunks"`
	Open     float64 `json:"open_ms"`    // the model, after a restart
	Back     float64 `json:"back_ms"`    // the conversation
	Prefill  float64 `json:"prefill_ms"` // the question, and tokens before it that did not come back
	Ratio    float64 `json:"ratio"`      // of Back and Prefill to those of one that never left
	WithOpen float64 `json:"ratio_with_open"`
}

// densityRow is what gathering how much attention chunks receive takes of writing.
type densityRow struct {
	Tokens  int     `json:"tokens"`
	Written int     `json:"written"`
	Plain   float64 `json:"plain_ms"` // a token, with nothing gathered
	Counted float64 `json:"counted_ms"`
	Ratio   float64 `json:"ratio"` // the median of the ratios of tokens at the same place
}

// resumeRounds is how often each state is measured, whose median counts.
const resumeRounds = 7

// resumeState is where a conversation is when its next question comes.
type resumeState struct {
	name    string
	left    bool // memory
	cold    bool // the page cache has nothing of it, nor of the model after a restart
	restart bool // opens model, memory and disk anew
}

// resumeStates are those that are compared with the first one.
var resumeStates = []resumeState{
	{name: "never left"},
	{name: "left memory", left: true},
	{name: "left memory and page cache", left: true, cold: true},
	{name: "restarted", left: true, restart: true},
	{name: "restarted, left page cache", left: true, cold: true, restart: true},
}

// resuming is a measurement of one conversation that is gone on with.
type resuming struct {
	*switching
	made   *made
	asked  call
	logits []float32 // behind the question, the same in all states
}

// resume fills in what going on with a conversation took.
func (s *switching) resume(ctx context.Context, report *ContextsReport) error {
	rows, err := s.resumes(ctx)
	if err != nil {
		return err
	}
	density, err := s.densities(ctx)
	report.Resumes, report.Density = rows, &density
	return err
}

// resumes measures the first token of questions behind the last conversation that was
// made, in all states by turns.
func (s *switching) resumes(ctx context.Context) (rows []resumeRow, err error) {
	m := s.made[len(s.made)-1]
	v := variant{name: "resumed"} // a folder of its own
	if err := s.keep(ctx, v, m, s.opts.Resume); err != nil {
		return nil, err
	}
	for _, question := range s.opts.Questions {
		r := &resuming{switching: s, made: m, asked: call{before: s.opts.Resume, delta: question}}
		found, err := r.measure(ctx, v)
		if err != nil {
			return nil, fmt.Errorf("resuming: %w", err)
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// measure measures one question.
func (r *resuming) measure(ctx context.Context, v variant) (rows []resumeRow, err error) {
	took := make([][3][]float64, len(resumeStates))
	rows = make([]resumeRow, len(resumeStates))
	phase := fmt.Sprintf("going on by %d tokens", r.asked.delta)
	err = turns(phase, resumeRounds, len(resumeStates), r.progress, func(_, way int) error {
		state := resumeStates[way]
		times, did, err := r.round(ctx, v, state)
		if err != nil {
			return fmt.Errorf("%s: %w", state.name, err)
		}
		for i, t := range times {
			took[way][i] = append(took[way][i], millis(t))
		}
		rows[way].Bytes, rows[way].Computed = did.Read, did.Computed
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		row := &rows[i]
		row.State, row.Tokens, row.Question = resumeStates[i].name, r.asked.before, r.asked.delta
		row.Open, row.Back, row.Prefill = median(took[i][0]), median(took[i][1]), median(took[i][2])
		stayed := rows[0].Back + rows[0].Prefill
		row.Ratio, row.WithOpen = ratio(row.Back+row.Prefill, stayed), ratio(row.Open+row.Back+row.Prefill, stayed)
	}
	if !dropsCached {
		rows = slices.DeleteFunc(rows, func(row resumeRow) bool {
			return slices.ContainsFunc(resumeStates, func(s resumeState) bool { return s.name == row.State && s.cold })
		})
	}
	return rows, nil
}

// round brings the conversation into a state, and asks once.
func (r *resuming) round(ctx context.Context, v variant, state resumeState) (took [3]time.Duration, did moved, err error) {
	if state.cold && state.restart {
		if err := r.cool(); err != nil {
			return took, did, err
		}
	}
	start, d := time.Now(), r.decoder
	if state.restart {
		if d, err = transformer.OpenDecoder(ctx, r.opts.Pack, r.kernel, r.decoderOptions()); err != nil {
			return took, did, err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
		took[0] = time.Since(start)
		start = time.Now()
	}
	p, err := newOwn(v, d, []*made{r.made}, r.scratch, switchSetting{})
	if err != nil {
		return took, did, err
	}
	defer func() { err = errors.Join(err, p.shut()) }()
	if !state.restart {
		if err := r.stay(ctx, p, state); err != nil {
			return took, did, err
		}
		start = time.Now()
	}
	before := p.counts()
	took[1], took[2], err = r.ask(ctx, p, start)
	after := p.counts()
	return took, moved{Read: after.Read - before.Read, Computed: after.Computed - before.Computed}, err
}

// stay loads the conversation as one that was used a moment ago, and has it leave memory
// where it is to.
func (r *resuming) stay(ctx context.Context, p *own, state resumeState) error {
	if _, _, err := r.ask(ctx, p, time.Now()); err != nil {
		return err
	}
	if !state.left {
		return nil
	}
	if p.manager.Reclaim(math.MaxInt64) == 0 {
		return errors.New("the conversation did not leave memory")
	}
	if state.cold {
		return r.cool()
	}
	return nil
}

// ask brings the conversation back and computes the question, then leaves the conversation
// as it was before. It compares what the model says with what it said in other states.
func (r *resuming) ask(ctx context.Context, p *own, start time.Time) (back, prefill time.Duration, err error) {
	if _, err := p.bring(ctx, r.asked); err != nil {
		return 0, 0, err
	}
	back, start = time.Since(start), time.Now()
	sequence, logits := p.session.Sequence(), make([]float32, r.decoder.Vocabulary())
	if err := sequence.Append(ctx, r.made.tokens(sequence.Len(), r.asked.before+r.asked.delta), logits); err != nil {
		return 0, 0, err
	}
	prefill = time.Since(start)
	if r.logits == nil {
		r.logits = logits
	}
	if !slices.Equal(logits, r.logits) {
		err = errors.New("the conversation did not come back as it was")
	}
	p.weigh(sequence, r.made)
	p.session.Commit(r.made.tokens(0, r.asked.before))
	return back, prefill, errors.Join(err, p.leave(ctx, r.asked))
}

// densities measures writing behind the last conversation that was made, with attention
// gathered and without, token by token in turns.
func (s *switching) densities(ctx context.Context) (row densityRow, err error) {
	m := s.made[len(s.made)-1]
	row = densityRow{Tokens: s.opts.Resume, Written: slices.Max(s.opts.Questions)}
	var both [2]*transformer.Sequence
	for i := range both {
		both[i] = s.decoder.NewConversation()
		defer func() { err = errors.Join(err, both[i].Free()) }()
		if err := m.give(both[i].Cache, 0, row.Tokens); err != nil {
			return row, err
		}
	}
	both[1].TrackDensity()
	logits, times := make([]float32, s.decoder.Vocabulary()), [2][]float64{}
	err = turns("writing", row.Written, len(both), s.progress, func(item, way int) error {
		start := time.Now()
		err := both[way].Append(ctx, m.tokens(row.Tokens+item, row.Tokens+item+1), logits)
		times[way] = append(times[way], millis(time.Since(start)))
		return err
	})
	var ratios []float64
	for i := range times[0] {
		if i < len(times[1]) {
			ratios = append(ratios, ratio(times[1][i], times[0][i]))
		}
	}
	row.Plain, row.Counted, row.Ratio = median(times[0]), median(times[1]), median(ratios)
	return row, err
}

// writeResumes writes what going on took.
func (r *ContextsReport) writeResumes(w io.Writer) error {
	if len(r.Resumes) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nthe first token of the next question in a conversation of %d tokens, medians of %d rounds\n", r.Resumes[0].Tokens, resumeRounds)
	t := newTable(w, "question\tconversation\tmodel ms\tback ms\tquestion ms\tall ms\tratio\twithout model\tMB read\tchunks computed")
	for _, row := range r.Resumes {
		t.row("%d\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.2f\t%.1f\t%d", row.Question, row.State, row.Open, row.Back, row.Prefill,
			row.Open+row.Back+row.Prefill, row.WithOpen, row.Ratio, megabytes(row.Bytes), row.Computed)
	}
	if err := t.flush(); err != nil || r.Density == nil {
		return err
	}
	d := r.Density
	_, err := fmt.Fprintf(w, "\na token behind them takes %.2f ms, with attention gathered %.2f ms: %.3f times as long (medians of %d)\n", d.Plain, d.Counted, d.Ratio, d.Written)
	return err
}
