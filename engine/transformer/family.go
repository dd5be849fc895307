package transformer

import (
	"errors"
	"fmt"
	"slices"

	"dowse/engine/kernel"
	"dowse/engine/weights"
	"dowse/models/pack"
	"dowse/models/prompt"
	"dowse/models/tokenizer"
)

// family is what a cross-encoder of a kind has beside its layers.
type family interface {
	architecture[layer]
	// headRows lists the row of each sequence of a batch that the head takes.
	headRows(b *batch) []int
	// inputs makes the first states of tokens from what stays resident of the
	// embeddings.
	inputs(tables pack.Embeddings) (inputs, error)
	// scorer returns what scores. The head of the pack stays in memory. Of output
	// the scorer copies the norm and two rows at most.
	scorer(head pack.Head, output pack.Output, t *tokenizer.Tokenizer) (scorer, error)
	// encode returns the tokens of a pair, at most most of them.
	encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair
	// sharesPrefix reports whether tokens that several sequences begin with can be
	// computed once.
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
		if c.Dim() > 0 {
			return nil, fmt.Errorf("%s makes vectors; it has no head that scores", c.Architecture)
		}
		if o.Adapter != "" {
			return nil, fmt.Errorf("an adapter makes a reranker of a decoder, and %s is none", c.Architecture)
		}
		n, err := newBERT(k, c)
		if err != nil {
			return nil, err
		}
		return &bertFamily{anyLayer[*bertLayer]{n}, n}, nil
	}
	if c.Mixture.Experts > 0 {
		return nil, fmt.Errorf("%s has experts; models with experts write, and score nothing", c.Architecture)
	}
	n, err := newLlama(k, c, o.Adapter, o.Ledger)
	if err != nil {
		return nil, err
	}
	f := &llamaFamily{anyLayer: anyLayer[*llamaLayer]{n}, network: n}
	if o.Prompt != nil {
		f.prompt = *o.Prompt
		return f, nil
	}
	if f.prompt, err = usualPrompt(&c, n.adapter); err != nil {
		return nil, errors.Join(err, n.adapter.free())
	}
	return f, nil
}

// usualPrompt is that of the known rerankers.
func usualPrompt(c *pack.Config, added *adapter) (Prompt, error) {
	if added.scores() {
		return Prompt(prompt.Named(prompt.Plain).Text), nil
	}
	if way := prompt.Find(func(w *prompt.Way) bool { return w.Architecture == c.Architecture }); way != nil {
		return Prompt(way.Text), nil
	}
	return Prompt{}, fmt.Errorf("%s has no head that scores, and it is not known how to ask it: give a prompt", c.Architecture)
}

// bertFamily is BERT and XLM-RoBERTa.
type bertFamily struct {
	anyLayer[*bertLayer]
	network *bert
}

func (f *bertFamily) inputs(tables pack.Embeddings) (inputs, error) {
	return newBERTInputs(f.network, tables)
}

func (f *bertFamily) scorer(head pack.Head, _ pack.Output, _ *tokenizer.Tokenizer) (scorer, error) {
	return newBERTHead(f.network, head), nil
}

func (f *bertFamily) variant() string { return "" }
func (f *bertFamily) resident() int64 { return 0 }
func (f *bertFamily) free() error     { return nil }

// headRows are the first tokens, [CLS] or <s>.
func (f *bertFamily) headRows(b *batch) []int { return b.firstRows() }

func (f *bertFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	ids, types := t.EncodePair(query, passage, most)
	return Pair{IDs: ids, Types: types}
}

// sharesPrefix is false: every token of an encoder sees those after it.
func (f *bertFamily) sharesPrefix() bool { return false }

// llamaFamily is Llama, Qwen2 and Qwen3.
type llamaFamily struct {
	anyLayer[*llamaLayer]
	network *llama
	prompt  Prompt
}

func (f *llamaFamily) inputs(pack.Embeddings) (inputs, error) {
	return llamaInputs{width: f.network.config.Hidden}, nil
}

// scorer is the head of the adapter, or compares the answers of the prompt. Their
// rows and the norm, a few KiB, are copied.
func (f *llamaFamily) scorer(_ pack.Head, output pack.Output, t *tokenizer.Tokenizer) (scorer, error) {
	c := &f.network.config
	h := &llamaHead{kernel: f.network.kernel, norm: slices.Clone(output.Norm), epsilon: c.Epsilon}
	if f.network.adapter.scores() {
		h.weights, h.bias = f.network.adapter.heads, f.network.adapter.bias
		return h, nil
	}
	yes, no, err := f.prompt.answers(t)
	if err != nil {
		return nil, err
	}
	h.weights, h.bias = make([]float32, c.Hidden), make([]float32, 1)
	negative, rows := make([]float32, c.Hidden), weights.Table{Rows: output.Words, Scale: output.WordScale}
	rows.Expand(h.weights, int(yes))
	rows.Expand(negative, int(no))
	for i, v := range negative {
		h.weights[i] -= v
	}
	return h, nil
}

// variant is how the model is asked and what is added to it.
func (f *llamaFamily) variant() string {
	return fmt.Sprintf("%q %x", f.prompt, f.network.adapter.sum())
}

func (f *llamaFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	return Pair{IDs: f.prompt.encode(t, query, passage, most)}
}

func (f *llamaFamily) sharesPrefix() bool { return true }

// headRows are the last tokens: they alone have seen all of them.
func (f *llamaFamily) headRows(b *batch) []int { return b.lastRows() }

func (f *llamaFamily) resident() int64 { return f.network.adapter.bytes() }
func (f *llamaFamily) free() error     { return f.network.adapter.free() }
