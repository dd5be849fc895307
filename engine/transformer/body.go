package transformer

import (
	"dowse/engine/kernel"
	"dowse/models/pack"
)

// body is a family of models without its heads.
type body interface {
	architecture[layer]
	// begin returns the inputs of the first layer. It copies the norm of a decoder's output,
	// and keeps the embedding tables that stay in memory.
	begin(tables pack.Embeddings, output pack.Output) (inputs, error)
	// row is the row of a sequence that headRows computes: CLS or LastToken.
	row() pack.Pooling
	// finish writes the model's last norm of states [rows,D] to dst, which may be states.
	finish(dst, states []float32)
	// resident is the bytes of an adapter, held until free.
	resident() int64
	free() error
}

// newBody returns the body of a model, without an adapter.
func newBody(k *kernel.Kernel, c pack.Config) (body, error) {
	if c.Decoder {
		n, err := newLlama(k, c, "", nil)
		if err != nil {
			return nil, err
		}
		return &llamaBody{anyLayer: anyLayer[*llamaLayer]{n}, network: n}, nil
	}
	if c.Static() {
		return staticBody{c.Hidden}, nil
	}
	if c.Rotates() {
		n, err := newModern(k, c)
		if err != nil {
			return nil, err
		}
		return &modernBody{anyLayer[*modernLayer]{n}, n}, nil
	}
	n, err := newBERT(k, c)
	if err != nil {
		return nil, err
	}
	return &bertBody{anyLayer[*bertLayer]{n}, n}, nil
}

// bertBody is BERT, XLM-RoBERTa and MPNet.
type bertBody struct {
	anyLayer[*bertLayer]
	network *bert
}

func (f *bertBody) begin(tables pack.Embeddings, _ pack.Output) (inputs, error) {
	return newBERTInputs(f.network, tables)
}

func (f *bertBody) row() pack.Pooling { return pack.CLS }
func (f *bertBody) resident() int64   { return f.network.adapter.bytes() }
func (f *bertBody) free() error       { return f.network.adapter.free() }

// finish copies: layers normalise their results.
func (f *bertBody) finish(dst, states []float32) {
	if &dst[0] != &states[0] {
		copy(dst, states)
	}
}

// modernBody is ModernBERT, and Gemma 3 as an encoder.
type modernBody struct {
	anyLayer[*modernLayer]
	network *modern
}

func (f *modernBody) begin(tables pack.Embeddings, _ pack.Output) (inputs, error) {
	return newModernInputs(f.network, tables)
}

func (f *modernBody) row() pack.Pooling { return pack.CLS }
func (f *modernBody) resident() int64   { return 0 }
func (f *modernBody) free() error       { return nil }

func (f *modernBody) finish(dst, states []float32) {
	f.network.norm(dst, states, &f.network.final, len(states)/f.network.config.Hidden)
}
