package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/kernel"
	"dowse/engine/transformer"
)

// language is the model that is measured.
type language struct {
	decoder   *transformer.Decoder
	generator *generate.Generator
	template  *chat.Template // nil where prompts are continued as they are
	begin     string         // the token that texts begin with, or ""
}

// promptDay is the day for templates that tell it, so that all runs have the same
// prompts.
var promptDay = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// openLanguage opens a model.
func openLanguage(ctx context.Context, o *GenerateOptions, k *kernel.Kernel) (*language, error) {
	d, err := o.open(ctx, k, transformer.DecoderOptions{})
	if err != nil {
		return nil, err
	}
	l := &language{decoder: d}
	if ids := d.Tokenizer().EncodeDocument("", 0); len(ids) > 0 {
		l.begin = d.Tokenizer().Token(ids[0])
	}
	l.generator, err = l.newGenerator(d.Stop())
	if err == nil {
		l.template, err = chat.Parse(d.ChatTemplate())
		if errors.Is(err, chat.ErrNoTemplate) {
			err = nil // it continues what it is given
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the model %s: %w", o.Model, err), d.Close())
	}
	return l, nil
}

// newGenerator returns a generator that ends at some tokens.
func (l *language) newGenerator(stop []int32) (*generate.Generator, error) {
	return generate.New(generate.Model{
		Vocabulary: l.decoder.Vocabulary(), Window: l.decoder.MaxTokens(), Stop: stop, Tokenizer: l.decoder.Tokenizer(),
	})
}

// encode makes the prompt of a conversation; a model without a chat template
// continues a single message.
func (l *language) encode(messages []chat.Message) ([]int32, error) {
	if l.template == nil && len(messages) == 1 {
		return l.decoder.Tokenizer().EncodeDocument(messages[0].Content, 0), nil
	}
	if l.template == nil {
		return nil, errors.New("a model without a chat template takes no conversations")
	}
	prompt, err := l.template.Render(messages, chat.Options{
		AddGenerationPrompt: true, BOS: l.begin, Now: promptDay,
		Flags: map[string]bool{"enable_thinking": false}, // as where people ask
	})
	if err != nil {
		return nil, fmt.Errorf("the model's chat template: %w", err)
	}
	return prompt.Encode(l.decoder.Tokenizer()), nil
}

// frequent are words that calibration looks at beside those of the prompt: of
// vocabularies of merged pairs the first ones are the frequent ones.
func (l *language) frequent(n int) []int32 {
	words := make([]int32, min(n, l.decoder.Vocabulary()))
	for i := range words {
		words[i] = int32(i)
	}
	return words
}

// filler returns so many tokens. Which they are makes no difference to times.
func (l *language) filler(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(i * 7919 % l.decoder.Vocabulary())
	}
	return ids
}

const (
	// timedContext is how many tokens stand before the timed ones.
	timedContext = 512
	// mostRows is the widest draft.
	mostRows = 64
	// speedRounds is how often reading and writing are timed, of speedTokens.
	speedRounds = 3
	speedTokens = 64
)

// machine is how fast the model runs here, behind a prompt.
type machine struct {
	Context int       `json:"context"` // tokens of that prompt
	Prefill float64   `json:"prefill_tokens_per_second"`
	Share   float64   `json:"prefill_share"`            // as embedRun.Share
	Decode  float64   `json:"decode_tokens_per_second"` // without drafts
	Profile []float64 `json:"profile_ms"`               // of verifying 1, 2, ... rows, which drafting is budgeted by
}

// measure times reading, writing, and verifying by number of rows.
func (b *generating) measure(ctx context.Context) (m machine, err error) {
	window := b.language.decoder.MaxTokens()
	widest := min(b.opts.Rows, window/4)
	if widest < 1 {
		return m, fmt.Errorf("the model's window of %d tokens is too small to measure in", window)
	}
	m.Context = min(timedContext, window/2)
	if err := b.speeds(ctx, &m); err != nil {
		return m, err
	}
	c := b.language.decoder.NewSequence()
	defer func() { err = errors.Join(err, c.Free()) }()
	if err := c.Append(ctx, b.language.filler(m.Context), nil); err != nil {
		return m, err
	}
	b.progress("cost of verifying", 0, 1)
	seconds, err := b.language.generator.Profile(ctx, c, widest)
	if err != nil {
		return m, err
	}
	for _, s := range seconds {
		m.Profile = append(m.Profile, 1e3*s)
	}
	return m, nil
}

// speeds times reading a prompt and writing after it.
func (b *generating) speeds(ctx context.Context, m *machine) error {
	g, err := b.language.newGenerator(nil) // an end would cut it short
	if err != nil {
		return err
	}
	prompt := b.language.filler(m.Context)
	tokens := min(speedTokens, b.language.decoder.MaxTokens()-m.Context)
	var prefill, decode []float64
	for i := range speedRounds {
		b.progress("reading and writing", i, speedRounds)
		c := b.language.decoder.NewSequence()
		result, err := g.Run(ctx, c, prompt, generate.Options{MaxTokens: tokens}, drop)
		if err := errors.Join(err, c.Free()); err != nil {
			return err
		}
		prefill = append(prefill, result.Stats.PromptSpeed())
		decode = append(decode, result.Stats.DecodeSpeed())
	}
	m.Prefill, m.Decode = median(prefill), median(decode)
	m.Share = shareOf(m.Prefill, b.language.decoder.Operations(), b.peak)
	return nil
}

// drop takes text that nobody reads.
func drop(string) error { return nil }
