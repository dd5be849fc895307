package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine/generate"
	"dowse/engine/generate/draft"
)

// speedRow is how fast a way answered the prompts.
type speedRow struct {
	Set          string  `json:"set"`
	Way          string  `json:"way"`
	Prompts      int     `json:"prompts"`
	PromptTokens int     `json:"prompt_tokens"`
	Tokens       int     `json:"tokens"` // written, those that end a text included
	Steps        int     `json:"verifications"`
	Drafted      int     `json:"drafted"`
	Accepted     int     `json:"accepted"`
	PerStep      float64 `json:"tokens_per_verification"`
	Speed        float64 `json:"tokens_per_second"` // once the prompt is read
	Ratio        float64 `json:"ratio"`             // of that to plain greedy
	Whole        float64 `json:"whole_ratio"`       // of the time of reading and writing
	DraftMicros  float64 `json:"draft_us"`          // a verification

	prefill, decode, drafts time.Duration
}

// The ways of answering: plain decoding, and drafting from all there is, past answers
// too, as dowse does.
const (
	plainly  = "none"
	drafting = "prompt and past answers"
)

// citedSet names the prompts: questions with the passages that are found for them.
const citedSet = "cited answers"

// writerOf is a way that answers prompts, one after the other.
type writerOf struct {
	row     speedRow
	drafter *draft.Drafter // nil for plain decoding
	history *draft.History
	result  generate.Result // to the last prompt
}

// writers prepares both ways. The measured cost of verifying bounds the drafts.
func (b *generating) writers(cost []float64) []*writerOf {
	o := draft.Options{
		History: draft.NewHistory(0), Stop: b.language.decoder.Stop(), Budget: draft.Budget{Rows: b.opts.Rows, Cost: cost},
	}
	return []*writerOf{
		{row: speedRow{Set: citedSet, Way: plainly}},
		{row: speedRow{Set: citedSet, Way: drafting}, history: o.History, drafter: draft.NewDrafter(o)},
	}
}

// answer answers a prompt greedily, in a context of its own.
func (r *writerOf) answer(ctx context.Context, b *generating, prompt []int32) (err error) {
	o := generate.Options{MaxTokens: b.opts.Tokens, Nodes: b.opts.Rows}
	if r.drafter != nil {
		o.Drafter, o.Shortlist = r.drafter, b.language.frequent(draft.DefaultFrequent)
	}
	c := b.language.decoder.NewSequence()
	r.result, err = b.language.generator.Run(ctx, c, prompt, o, drop)
	return errors.Join(err, c.Free())
}

// add counts the last answer in, once all are known to be the same.
func (r *writerOf) add(number int) error {
	s := &r.result.Stats
	r.row.Prompts++
	r.row.PromptTokens += s.PromptTokens
	r.row.Steps += len(s.Steps)
	r.row.Drafted += s.Drafted()
	r.row.Accepted += s.Accepted()
	for _, step := range s.Steps {
		r.row.Tokens += step.Emitted
	}
	r.row.prefill += s.PromptTime
	r.row.decode += s.DecodeTime
	if r.drafter == nil {
		return nil
	}
	r.row.drafts += s.DraftTime
	return r.history.Add(fmt.Sprint(number), r.result.Tokens)
}

// finish computes the ratios of a row, to the plain one.
func (r *speedRow) finish(plain *speedRow) {
	steps := float64(max(r.Steps, 1))
	r.PerStep = float64(r.Tokens) / steps
	r.Speed = float64(r.Tokens) / r.decode.Seconds()
	r.Ratio = plain.decode.Seconds() / r.decode.Seconds()
	r.Whole = (plain.prefill + plain.decode).Seconds() / (r.prefill + r.decode).Seconds()
	r.DraftMicros = 1e6 * r.drafts.Seconds() / steps
}

// compare answers the prompts in both ways, which take turns at every
// prompt. An answer that differs with drafts ends the measurement.
func (b *generating) compare(ctx context.Context, prompts [][]int32, cost []float64) (rows []speedRow, err error) {
	ways := b.writers(cost)
	answered := 0
	err = writeLines("--write", b.opts.Write, func(write func(any) error) error {
		return turns("answering", len(prompts), len(ways), b.progress, func(i, way int) error {
			if err := ways[way].answer(ctx, b, prompts[i]); err != nil {
				return fmt.Errorf("prompt %d, %s: %w", i+1, ways[way].row.Way, err)
			}
			if answered++; answered%len(ways) > 0 {
				return nil // another way has yet to answer it
			}
			plain := ways[0].result
			for _, r := range ways {
				if err := same(plain, r.result); err != nil {
					return fmt.Errorf("prompt %d: %s does not write what plain decoding does: %w", i+1, r.row.Way, err)
				}
				if err := r.add(i); err != nil {
					return err
				}
			}
			return write(written{Set: citedSet, Prompt: prompts[i], Answer: plain.Tokens})
		})
	})
	if err != nil {
		return nil, err
	}
	for _, r := range ways {
		r.row.finish(&ways[0].row)
		rows = append(rows, r.row)
	}
	return rows, nil
}

// same says where two answers part.
func same(want, got generate.Result) error {
	for i := range min(len(want.Tokens), len(got.Tokens)) {
		if want.Tokens[i] != got.Tokens[i] {
			return fmt.Errorf("token %d of the answer is %d, want %d", i+1, got.Tokens[i], want.Tokens[i])
		}
	}
	if len(want.Tokens) != len(got.Tokens) || want.Finish != got.Finish {
		return fmt.Errorf("%d tokens and %s, want %d and %s", len(got.Tokens), got.Finish, len(want.Tokens), want.Finish)
	}
	return nil
}
