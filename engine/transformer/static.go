package transformer

import (
	"errors"
	"slices"

	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// staticBody is a model without layers: the states of tokens are their rows.
type staticBody struct{ width int }

func (staticBody) mapped(*pack.Pack, int) (layer, error) { return nil, errNoLayers }

func (staticBody) read(*pack.Stream, int, []byte) (layer, error) { return nil, errNoLayers }

var errNoLayers = errors.New("a static model has no layers")

func (b staticBody) begin(pack.Embeddings, pack.Output) (inputs, error) {
	return llamaInputs{width: b.width, scale: 1}, nil
}

func (staticBody) row() pack.Pooling { return "" }
func (staticBody) resident() int64   { return 0 }
func (staticBody) free() error       { return nil }

// finish does nothing: there is no norm.
func (staticBody) finish(dst, states []float32) {
	if &dst[0] != &states[0] {
		copy(dst, states)
	}
}

// bag is the tokens of a text for a static model, without special ones: at most most, and
// without unknown ones if skipUnknown is set.
func bag(t *tokenizer.Tokenizer, text string, most int, skipUnknown bool) []int32 {
	ids, unknown := t.Encode(text), int32(-1)
	if id, ok := t.Unknown(); ok && skipUnknown {
		unknown = id
	}
	return slices.DeleteFunc(ids[:min(len(ids), most)], func(id int32) bool { return id == unknown })
}
