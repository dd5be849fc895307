package generatebench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine/generate"
	"dowse/engine/generate/draft"
)

// SpeedRow is how fast a way answered the prompts of a set.
type SpeedRow struct {
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
	BeginMillis  float64 `json:"begin_ms"`          // a prompt: what a drafter makes of it

	prefill, decode, drafts, begin time.Duration
}

// LeftOut counts the prompts of a set that the model has no room for.
type LeftOut struct {
	Set     string `json:"set"`
	Prompts int    `json:"prompts"`
}

// encodedSet is a set of prompts as tokens.
type encodedSet struct {
	name    string
	prompts [][]int32
}

// encode makes tokens of the prompts, leaves out those too long to be answered,
// and keeps as many as are asked for, spread evenly.
func (b *bench) encode(sets []PromptSet) (list []encodedSet, out []LeftOut, err error) {
	room := b.language.decoder.MaxTokens() - b.opts.Tokens
	found := 0
	for _, set := range sets {
		all, err := b.prompts(set)
		if err != nil {
			return nil, nil, err
		}
		var fit [][]int32
		for _, ids := range all {
			if len(ids) > 0 && len(ids) <= room {
				fit = append(fit, ids)
			}
		}
		if n := len(all) - len(fit); n > 0 {
			out = append(out, LeftOut{set.Name, n})
		}
		found += len(fit)
		list = append(list, encodedSet{set.Name, spread(fit, b.opts.Queries)})
	}
	if found == 0 {
		return nil, nil, fmt.Errorf("no prompt fits into the model's window of %d tokens and leaves %d for the answer; choose fewer --tokens or another model",
			b.language.decoder.MaxTokens(), b.opts.Tokens)
	}
	return list, out, nil
}

// prompts makes tokens of all prompts of a set.
func (b *bench) prompts(set PromptSet) ([][]int32, error) {
	var all [][]int32
	for _, text := range set.Texts {
		ids, err := b.language.encode(text)
		if err != nil {
			return nil, err
		}
		all = append(all, ids)
	}
	for _, messages := range set.Conversations {
		ids, err := b.language.ask(messages)
		if err != nil {
			return nil, err
		}
		all = append(all, ids)
	}
	return all, nil
}

// spread takes n of a list, or all, at even distances.
func spread[T any](list []T, n int) []T {
	if n == 0 || n >= len(list) {
		return list
	}
	taken := make([]T, n)
	for i := range taken {
		taken[i] = list[i*len(list)/n]
	}
	return taken
}

// runner is a way that answers the prompts of a set, one after the other.
type runner struct {
	way     Way
	row     SpeedRow
	drafter *timed // nil for the way that drafts nothing
	history *draft.History
}

// timed is a drafter whose work at each step is timed.
type timed struct {
	*draft.Drafter
	steps time.Duration
}

// Propose implements generate.Drafter.
func (t *timed) Propose(root int32, nodes int) draft.Tree {
	start := time.Now()
	tree := t.Drafter.Propose(root, nodes)
	t.steps += time.Since(start)
	return tree
}

// Accept implements generate.Drafter.
func (t *timed) Accept(path, wanted []int32) {
	start := time.Now()
	t.Drafter.Accept(path, wanted)
	t.steps += time.Since(start)
}

// newRunner prepares a way for a set. Prompt lookup drafts as published, all it
// finds; the others by what verifying costs on this machine.
func (b *bench) newRunner(set string, way Way, cost []float64) *runner {
	r := &runner{way: way, row: SpeedRow{Set: set, Way: way.Name}}
	if way.Name == None {
		return r
	}
	o := way.Options
	o.Stop = b.language.decoder.Stop()
	o.Budget.Rows = b.opts.Rows
	if !o.Lookup {
		o.Budget.Cost = cost
	}
	if way.History {
		r.history = draft.NewHistory(0)
		o.History = r.history
	}
	r.drafter = &timed{Drafter: draft.NewDrafter(o)}
	return r
}

// answer answers a prompt, in a context of its own.
func (r *runner) answer(ctx context.Context, b *bench, prompt []int32, sampling generate.Sampling) (generate.Result, error) {
	o := generate.Options{Sampling: sampling, MaxTokens: b.opts.Tokens, Nodes: b.opts.Rows}
	if r.drafter != nil {
		r.drafter.steps = 0
		o.Drafter = r.drafter
	}
	if r.way.Options.Calibration {
		o.Shortlist = b.language.frequent(draft.DefaultFrequent)
	}
	c := b.language.decoder.NewContext()
	result, err := b.language.generator.Run(ctx, c, prompt, o, drop)
	return result, errors.Join(err, c.Free())
}

// add counts an answer in, once all are known to be the same.
func (r *runner) add(number int, result generate.Result) error {
	s := &result.Stats
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
	if r.drafter != nil {
		r.row.drafts += r.drafter.steps
		r.row.begin += s.DraftTime - r.drafter.steps
	}
	if r.history == nil {
		return nil
	}
	return r.history.Add(fmt.Sprint(number), result.Tokens)
}

// finish works out what a row shows, beside the plain one.
func (r *SpeedRow) finish(plain *SpeedRow) {
	steps, prompts := float64(max(r.Steps, 1)), float64(max(r.Prompts, 1))
	r.PerStep = float64(r.Tokens) / steps
	r.Speed = float64(r.Tokens) / r.decode.Seconds()
	r.Ratio = plain.decode.Seconds() / r.decode.Seconds()
	r.Whole = (plain.prefill + plain.decode).Seconds() / (r.prefill + r.decode).Seconds()
	r.DraftMicros = 1e6 * r.drafts.Seconds() / steps
	r.BeginMillis = 1e3 * r.begin.Seconds() / prompts
}

// compare answers the prompts of a set in all ways. These take turns at every
// prompt, and at the next one another of them is the first.
func (b *bench) compare(ctx context.Context, set encodedSet, cost []float64) ([]SpeedRow, error) {
	var runners []*runner
	for _, way := range speedWays(b.opts.Quick) {
		runners = append(runners, b.newRunner(set.name, way, cost))
	}
	results := make([]generate.Result, len(runners))
	for i, prompt := range set.prompts {
		for turn := range runners {
			b.report("answering "+set.name, i*len(runners)+turn, len(set.prompts)*len(runners))
			at := (i + turn) % len(runners)
			var err error
			if results[at], err = runners[at].answer(ctx, b, prompt, generate.Sampling{}); err != nil {
				return nil, fmt.Errorf("%s, prompt %d, %s: %w", set.name, i+1, runners[at].way.Name, err)
			}
		}
		if err := b.written.add(Written{Set: set.name, Prompt: prompt, Answer: results[0].Tokens}); err != nil {
			return nil, err
		}
		for at, r := range runners {
			if err := same(results[0], results[at]); err != nil {
				return nil, fmt.Errorf("%s, prompt %d: %s does not write what plain decoding does: %w", set.name, i+1, r.way.Name, err)
			}
			if err := r.add(i, results[at]); err != nil {
				return nil, err
			}
		}
	}
	rows := make([]SpeedRow, len(runners))
	for at, r := range runners {
		r.row.finish(&runners[0].row)
		rows[at] = r.row
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
