package transformer

import (
	"dowse/engine/kernel"
	"dowse/models/pack"
)

// body is what the models of a family have in common, whatever is made of their states.
type body interface {
	architecture[layer]
	// begin returns what makes the first states of tokens. It copies the norm of a decoder's
	// output, and keeps of the embeddings what stays in memory.
	begin(tables pack.Embeddings, output pack.Output) (inputs, error)
	// row says which row of a sequence has outputs headRows: CLS or LastToken.
	row() pack.Pooling
	// finish writes to dst what the last norm of the model makes of states [rows,D]; dst
	// may be states.
	finish(dst, states []float32)
	// resident is the bytes of what comes beside the pack, and stays until free.
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

// bertBody is that of BERT and XLM-RoBERTa.
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

// finish does nothing: layers normalise what they put out.
func (f *bertBody) finish(dst, states []float32) {
	if &dst[0] != &states[0] {
		copy(dst, states)
	}
}

// modernBody is that of ModernBERT.
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
