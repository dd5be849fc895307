package transformer

import (
	"fmt"
	"slices"

	"dowse/engine/weights"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// llamaBody is that of Llama, Qwen2 and Qwen3.
type llamaBody struct {
	anyLayer[*llamaLayer]
	network *llama
	final   []float32 // the norm of the last layer's states
}

func (f *llamaBody) begin(_ pack.Embeddings, output pack.Output) (inputs, error) {
	f.final = slices.Clone(output.Norm)
	return llamaInputs{width: f.network.config.Hidden}, nil
}

func (f *llamaBody) row() pack.Pooling { return pack.LastToken }
func (f *llamaBody) resident() int64   { return f.network.adapter.bytes() }
func (f *llamaBody) free() error       { return f.network.adapter.free() }

func (f *llamaBody) finish(dst, states []float32) {
	c := &f.network.config
	f.network.kernel.RMSNorm(dst, states, f.final, c.Epsilon, len(states)/c.Hidden, c.Hidden)
}

// llamaFamily is Llama, Qwen2 and Qwen3.
type llamaFamily struct {
	*llamaBody
	prompt Prompt
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

// pools is the last token: it alone has seen all of them.
func (f *llamaFamily) pools() pack.Pooling { return pack.LastToken }

// take leaves the last norm to the scorer.
func (f *llamaFamily) take(dst, states []float32) { copy(dst, states[len(states)-len(dst):]) }
