package generatebench

import (
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

// promptDay is what templates that tell the day are told, so that all runs have
// the same prompts.
var promptDay = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// openLanguage opens a model.
func openLanguage(o *Options, k *kernel.Kernel) (*language, error) {
	d, err := transformer.OpenDecoder(o.Pack, k, transformer.DecoderOptions{Threads: o.Threads, Adapter: o.Adapter})
	if err != nil {
		return nil, fmt.Errorf("the model %s cannot be used: %w", o.Model, err)
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

func (l *language) close() error { return l.decoder.Close() }

// newGenerator returns a generator that ends at some tokens.
func (l *language) newGenerator(stop []int32) (*generate.Generator, error) {
	return generate.New(generate.Model{
		Vocabulary: l.decoder.Vocabulary(), Window: l.decoder.MaxTokens(), Stop: stop, Tokenizer: l.decoder.Tokenizer(),
	})
}

// encode makes the prompt of what a user says.
func (l *language) encode(text string) ([]int32, error) {
	if l.template == nil {
		return l.decoder.Tokenizer().EncodeDocument(text, 0), nil
	}
	return l.ask([]chat.Message{{Role: "user", Content: text}})
}

// ask makes the prompt of a conversation.
func (l *language) ask(messages []chat.Message) ([]int32, error) {
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
