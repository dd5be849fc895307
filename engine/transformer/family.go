package transformer

import (
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
	"dowse/models/prompt"
	"dowse/models/tokenizer"
)

// family is a body that scores pairs.
type family interface {
	body
	// pools is what the head takes of a sequence; the pooling of body.row needs that row alone.
	pools() pack.Pooling
	// pool writes the head's input, of the states of a sequence [tokens,D] after any layer, to
	// dst [D].
	pool(dst, states []float32)
	// scorer returns the head. The pack's head stays in memory; of output the norm and two
	// rows at most are copied.
	scorer(head pack.Head, output pack.Output, t *tokenizer.Tokenizer) (scorer, error)
	// encode returns the tokens of a pair, cut to most.
	encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair
	// sharesPrefix reports whether tokens that several sequences begin with can be
	// computed once.
	sharesPrefix() bool
	// variant names a prompt and an adapter, which change scores; empty for none.
	variant() string
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
		b, err := newBody(k, c)
		if err != nil {
			return nil, err
		}
		switch b := b.(type) {
		case *bertBody:
			return &bertFamily{b}, nil
		case *modernBody:
			return &modernFamily{b}, nil
		}
		return nil, fmt.Errorf("%s has no head that scores", c.Architecture)
	}
	if c.Dim() > 0 {
		return nil, fmt.Errorf("%s makes vectors of this pack; it scores nothing", c.Architecture)
	}
	if c.Mixture.Experts > 0 {
		return nil, fmt.Errorf("%s has experts; models with experts write, and score nothing", c.Architecture)
	}
	n, err := newLlama(k, c, o.Adapter, o.Ledger)
	if err != nil {
		return nil, err
	}
	f := &llamaFamily{llamaBody: &llamaBody{anyLayer: anyLayer[*llamaLayer]{n}, network: n}}
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

// encodePair is family.encode of encoders.
func encodePair(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	ids, types := t.EncodePair(query, passage, most)
	return Pair{IDs: ids, Types: types}
}

// bertFamily is BERT and XLM-RoBERTa.
type bertFamily struct{ *bertBody }

func (f *bertFamily) scorer(head pack.Head, _ pack.Output, _ *tokenizer.Tokenizer) (scorer, error) {
	return &encoderHead{f.network.kernel, f.network.config, head}, nil
}

func (f *bertFamily) variant() string { return "" }

// pools is the first token, [CLS] or <s>.
func (f *bertFamily) pools() pack.Pooling { return pack.CLS }

func (f *bertFamily) pool(dst, states []float32) { copy(dst, states) }

func (f *bertFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	return encodePair(t, query, passage, most)
}

// sharesPrefix is false: every token of an encoder sees those after it.
func (f *bertFamily) sharesPrefix() bool { return false }

// modernFamily is ModernBERT.
type modernFamily struct{ *modernBody }

func (f *modernFamily) scorer(head pack.Head, _ pack.Output, _ *tokenizer.Tokenizer) (scorer, error) {
	return &encoderHead{f.network.kernel, f.network.config, head}, nil
}

func (f *modernFamily) variant() string     { return "" }
func (f *modernFamily) pools() pack.Pooling { return f.network.config.HeadPooling }
func (f *modernFamily) sharesPrefix() bool  { return false }

// pool applies the last norm after any layer: states grow from layer to layer, and the head
// was trained on normed ones.
func (f *modernFamily) pool(dst, states []float32) {
	if f.pools() == pack.CLS {
		f.finish(dst, states[:len(dst)])
		return
	}
	clear(dst)
	normed, tokens := make([]float32, len(dst)), len(states)/len(dst)
	for i := range tokens {
		f.finish(normed, states[i*len(dst):(i+1)*len(dst)])
		for j, v := range normed {
			dst[j] += v
		}
	}
	for j := range dst {
		dst[j] /= float32(tokens)
	}
}

// encode leaves out the types, which the model lacks.
func (f *modernFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	return Pair{IDs: encodePair(t, query, passage, most).IDs}
}
