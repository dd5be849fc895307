package generatebench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"dowse/engine/generate"
	"dowse/engine/kernel"
)

// IdentityOptions say what is compared: of Options, Queries and the replay mean
// nothing here.
type IdentityOptions struct {
	Options
	From, To int // of the prompts, by number from 0; To is left out, and 0 means all
}

// IdentityReport counts the answers that are, token for token, the same with
// drafts as without.
type IdentityReport struct {
	Model   string        `json:"model"`
	Tokens  int           `json:"tokens"` // of an answer at most
	Rows    int           `json:"rows"`
	All     int           `json:"all"` // prompts there are
	From    int           `json:"from"`
	To      int           `json:"to"`
	Cut     int           `json:"cut"` // prompts that lost their beginning, to leave room for an answer
	Greedy  IdentityCount `json:"greedy"`
	Sampled IdentityCount `json:"sampled"`
	// Different names the answers that are not the same, and where they part.
	Different []string `json:"different"`
	Seconds   float64  `json:"seconds"`
}

// IdentityCount counts answers of one way of choosing tokens.
type IdentityCount struct {
	Answers   int `json:"answers"`
	Identical int `json:"identical"`
	Tokens    int `json:"tokens"`
	Steps     int `json:"verifications"` // with drafts
	Drafted   int `json:"drafted"`
	Accepted  int `json:"accepted"`
}

// sampled is how the answers that are not greedy are drawn, each with a seed of
// its own: loosely, so that drafts are often wrong.
var sampled = generate.Sampling{Temperature: 0.8, TopP: 0.95}

// Identity answers the questions of Spec-Bench, the first turn of each, plainly
// and with everything there is to draft from, greedily and sampled, and compares
// the tokens. A prompt that leaves no room for an answer is cut to its end. What
// is learned from one prompt is there for the next one, as in use.
func Identity(ctx context.Context, opts IdentityOptions, k *kernel.Kernel, progress func(phase string, done, total int)) (report *IdentityReport, err error) {
	start := time.Now()
	if opts.Pack == "" || opts.Prompts == "" {
		return nil, errors.New("--identity wants a model that writes, and the prompts of --prompts DIR")
	}
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts.Threads = max(opts.Threads, 1)
	sets, err := readSpec(opts.Prompts)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, set := range sets {
		texts = append(texts, set.Texts...)
	}
	report = &IdentityReport{
		Model: opts.Model, Tokens: opts.Tokens, Rows: opts.Rows, All: len(texts), From: opts.From, To: opts.To, Different: []string{},
	}
	if opts.To == 0 {
		report.To = len(texts)
	}
	if report.From < 0 || report.From >= report.To || report.To > len(texts) {
		return nil, fmt.Errorf("--from %d --to %d: want a part of the %d prompts", opts.From, opts.To, len(texts))
	}
	b := &bench{opts: opts.Options, report: progress}
	if b.language, err = openLanguage(&opts.Options, k); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.language.close()) }()
	if err := b.identity(ctx, report, texts); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(start).Seconds()
	return report, nil
}

// identity compares the answers to the prompts of a report.
func (b *bench) identity(ctx context.Context, report *IdentityReport, texts []string) error {
	room := b.language.decoder.MaxTokens() - b.opts.Tokens
	if room < 1 {
		return fmt.Errorf("the model's window of %d tokens leaves no room for prompts; choose fewer --tokens", b.language.decoder.MaxTokens())
	}
	cost, err := b.profile(ctx)
	if err != nil {
		return err
	}
	ways := Ways()
	drafting := b.newRunner("", ways[len(ways)-1], cost)
	for i := report.From; i < report.To; i++ {
		b.report("comparing answers", i-report.From, report.To-report.From)
		prompt, err := b.language.encode(texts[i])
		if err != nil {
			return err
		}
		if len(prompt) > room {
			prompt = prompt[len(prompt)-room:]
			report.Cut++
		}
		if err := b.identical(ctx, report, drafting, i, prompt); err != nil {
			return fmt.Errorf("prompt %d: %w", i, err)
		}
	}
	return nil
}

// profile is what passes cost behind a short text.
func (b *bench) profile(ctx context.Context) (cost []float64, err error) {
	window := b.language.decoder.MaxTokens()
	c := b.language.decoder.NewContext()
	defer func() { err = errors.Join(err, c.Free()) }()
	return b.language.generator.ProfileBehind(ctx, c, min(curveContext, window/2), min(b.opts.Rows, window/4))
}

// identical answers a prompt four times.
func (b *bench) identical(ctx context.Context, report *IdentityReport, drafting *runner, number int, prompt []int32) (err error) {
	plainly := b.language.decoder.NewContext()
	defer func() { err = errors.Join(err, plainly.Free()) }()
	seeded := sampled
	seeded.Seed = uint64(number) + 1
	for _, way := range []struct {
		name     string
		sampling generate.Sampling
		count    *IdentityCount
	}{{"greedy", generate.Sampling{}, &report.Greedy}, {"sampled", seeded, &report.Sampled}} {
		want, err := b.language.generator.Run(ctx, plainly, prompt, generate.Options{Sampling: way.sampling, MaxTokens: b.opts.Tokens}, drop)
		if err != nil {
			return err
		}
		got, err := drafting.answer(ctx, b, prompt, way.sampling)
		if err != nil {
			return err
		}
		if err := way.count.add(want, got); err != nil {
			report.Different = append(report.Different, fmt.Sprintf("prompt %d, %s: %v", number, way.name, err))
		}
		if err := drafting.history.Add(fmt.Sprint(number, way.name), got.Tokens); err != nil {
			return err
		}
	}
	return nil
}

// add counts an answer in; an error says where it parts from the plain one.
func (c *IdentityCount) add(plain, drafted generate.Result) error {
	c.Answers++
	c.Tokens += len(drafted.Tokens)
	c.Steps += len(drafted.Stats.Steps)
	c.Drafted += drafted.Stats.Drafted()
	c.Accepted += drafted.Stats.Accepted()
	err := same(plain, drafted)
	if err == nil {
		c.Identical++
	}
	return err
}

// Err is an error if any answer is another one with drafts.
func (r *IdentityReport) Err() error {
	if len(r.Different) == 0 {
		return nil
	}
	return fmt.Errorf("%d answers are not the same with drafts, which is a fault of this program; the first is that of %s",
		len(r.Different), r.Different[0])
}

// Write prints the report for people.
func (r *IdentityReport) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: prompts %d to %d of %d, answers of at most %d tokens, %d prompts cut\n", r.Model, r.From, r.To-1, r.All, r.Tokens, r.Cut)
	for _, c := range []struct {
		name string
		IdentityCount
	}{{"greedy", r.Greedy}, {"sampled", r.Sampled}} {
		if err == nil {
			_, err = fmt.Fprintf(w, "%s: %d of %d answers are the same with drafts; %d tokens, %d verifications, %d of %d drafted tokens accepted\n",
				c.name, c.Identical, c.Answers, c.Tokens, c.Steps, c.Accepted, c.Drafted)
		}
	}
	for _, different := range r.Different {
		if err == nil {
			_, err = fmt.Fprintln(w, different)
		}
	}
	return err
}
