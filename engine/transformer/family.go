package transformer

import (
	"errors"
	"fmt"
	"slices"

	"dowse/engine/kernel"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// family is what a cross-encoder of a kind has beside its layers.
type family interface {
	architecture
	// inputs makes the first states of tokens from what stays resident of the
	// embeddings.
	inputs(tables pack.Embeddings) (inputs, error)
	// scorer returns the head. head is that of the pack, in memory that stays;
	// of the pack itself only little is read.
	scorer(head pack.Head, p *pack.Pack, t *tokenizer.Tokenizer) (scorer, error)
	// encode returns the tokens of a pair, at most most of them.
	encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair
	// sharesPrefix says that tokens which several sequences begin with need to
	// be computed only once.
	sharesPrefix() bool
	// variant names what decides on scores beside the pack; it is empty where
	// nothing does.
	variant() string
	// resident is the bytes of what comes beside the pack, and stays until
	// free.
	resident() int64
	free() error
}

// newFamily chooses by the architecture of a pack.
func newFamily(k *kernel.Kernel, c pack.Config, o *CrossEncoderOptions) (family, error) {
	if !c.Decoder {
		if c.Head == pack.NoHead {
			return nil, fmt.Errorf("%s makes vectors; it has no head that scores", c.Architecture)
		}
		if o.Adapter != "" {
			return nil, fmt.Errorf("an adapter makes a reranker of a decoder, and %s is none", c.Architecture)
		}
		n, err := newEncoderNetwork(k, c)
		if err != nil {
			return nil, err
		}
		return &encoderFamily{n}, nil
	}
	n, err := newDecoderNetwork(k, c, o.Adapter, o.Ledger)
	if err != nil {
		return nil, err
	}
	f := &decoderFamily{decoderNetwork: n}
	if o.Prompt != nil {
		f.prompt = *o.Prompt
		return f, nil
	}
	if f.prompt, err = usualPrompt(&c, n.adapter); err != nil {
		return nil, errors.Join(err, n.free())
	}
	return f, nil
}

// usualPrompt is that of the known rerankers.
func usualPrompt(c *pack.Config, added *adapter) (Prompt, error) {
	switch {
	case added.scores():
		return PlainPrompt(), nil
	case c.Architecture == "Qwen3ForCausalLM":
		return Qwen3Prompt(), nil
	case c.Architecture == "Qwen2ForCausalLM":
		return MxbaiPrompt(), nil
	}
	return Prompt{}, fmt.Errorf("%s has no head that scores, and it is not known how to ask it: give a prompt", c.Architecture)
}

// encoderFamily is BERT and XLM-RoBERTa.
type encoderFamily struct{ *encoderNetwork }

func (f *encoderFamily) inputs(tables pack.Embeddings) (inputs, error) {
	return newEncoderInputs(f.encoderNetwork, tables)
}

func (f *encoderFamily) scorer(head pack.Head, _ *pack.Pack, _ *tokenizer.Tokenizer) (scorer, error) {
	return newEncoderHead(f.encoderNetwork, head), nil
}

func (f *encoderFamily) variant() string { return "" }

func (f *encoderFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	ids, types := t.EncodePair(query, passage, most)
	return Pair{IDs: ids, Types: types}
}

// sharesPrefix is false: every token of an encoder sees those after it.
func (f *encoderFamily) sharesPrefix() bool { return false }

// decoderFamily is Llama, Qwen2 and Qwen3.
type decoderFamily struct {
	*decoderNetwork
	prompt Prompt
}

func (f *decoderFamily) inputs(pack.Embeddings) (inputs, error) {
	return decoderInputs{width: f.config.Hidden}, nil
}

// scorer is the head of the adapter, or compares the words of the prompt. Their
// rows and the norm, a few KiB, are copied.
func (f *decoderFamily) scorer(_ pack.Head, p *pack.Pack, t *tokenizer.Tokenizer) (scorer, error) {
	output, c := p.Output(), &f.config
	h := &decoderHead{kernel: f.kernel, norm: slices.Clone(output.Norm), epsilon: c.Epsilon}
	if f.adapter.scores() {
		h.weights, h.bias = f.adapter.heads, f.adapter.bias
		return h, nil
	}
	yes, no, err := f.prompt.words(t)
	if err != nil {
		return nil, err
	}
	h.weights, h.bias = make([]float32, c.Hidden), make([]float32, 1)
	negative, rows := make([]float32, c.Hidden), wordTable{rows: output.Words, scale: output.WordScale}
	rows.expand(h.weights, int(yes))
	rows.expand(negative, int(no))
	for i, v := range negative {
		h.weights[i] -= v
	}
	return h, nil
}

// variant is how the model is asked and what is added to it.
func (f *decoderFamily) variant() string { return fmt.Sprintf("%q %x", f.prompt, f.adapter.sum()) }

func (f *decoderFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	return Pair{IDs: f.prompt.encode(t, query, passage, most)}
}

func (f *decoderFamily) sharesPrefix() bool { return true }
