package transformer

import (
	"fmt"
	"slices"
	"strings"

	"dowse/models/pack"
	"dowse/models/prompt"
	"dowse/models/tokenizer"
)

// llamaBody is Llama, Qwen2 and Qwen3.
type llamaBody struct {
	anyLayer[*llamaLayer]
	network *llama
	final   []float32 // the norm of the last layer's states
}

func (f *llamaBody) begin(_ pack.Embeddings, output pack.Output) (inputs, error) {
	f.final = slices.Clone(output.Norm)
	return f.network.inputs(), nil
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

// scorer is the head of the adapter, or compares the answers of the prompt.
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
	negative := make([]float32, c.Hidden)
	output.Row(h.weights, int(yes))
	output.Row(negative, int(no))
	for i, v := range negative {
		h.weights[i] -= v
	}
	return h, nil
}

// variant is the prompt and the adapter.
func (f *llamaFamily) variant() string {
	return fmt.Sprintf("%q %x", f.prompt, f.network.adapter.sum())
}

func (f *llamaFamily) encode(t *tokenizer.Tokenizer, query, passage string, most int) Pair {
	return Pair{IDs: f.prompt.encode(t, query, passage, most)}
}

func (f *llamaFamily) sharesPrefix() bool { return true }

// pools is the last token, which alone has seen all others.
func (f *llamaFamily) pools() pack.Pooling { return pack.LastToken }

// pool leaves the last norm to the scorer.
func (f *llamaFamily) pool(dst, states []float32) { copy(dst, states[len(states)-len(dst):]) }

// Prompt asks a decoder for the relevance of a passage.
type Prompt prompt.Text

const (
	instructionPlace = "{instruction}"
	queryPlace       = "{query}"
	passagePlace     = "{passage}"
)

// encode returns the tokens of a pair, at most most: first a query longer than half of the
// room loses its end, then the piece with the passage.
func (p *Prompt) encode(t *tokenizer.Tokenizer, query, passage string, most int) []int32 {
	before, after := t.Encode(p.Before), t.Encode(p.After)
	room := most - len(before) - len(after)
	fill := strings.NewReplacer(instructionPlace, p.Instruction, queryPlace, cutText(t, query, room/2), passagePlace, passage)
	pieces, place, total := make([][]int32, len(p.Body)), -1, 0
	for i, piece := range p.Body {
		pieces[i] = t.AppendLiteral(nil, fill.Replace(piece))
		total += len(pieces[i])
		if strings.Contains(piece, passagePlace) {
			place = i
		}
	}
	if place >= 0 && total > room {
		pieces[place] = pieces[place][:max(0, len(pieces[place])-(total-room))]
	}
	ids := append(make([]int32, 0, most), before...)
	for _, piece := range pieces {
		ids = append(ids, piece...)
	}
	return append(ids, after...)
}

// cutText returns the start of a text that has at most most tokens.
func cutText(t *tokenizer.Tokenizer, text string, most int) string {
	ids, spans := t.EncodeSpans(text)
	if len(ids) <= most {
		return text
	}
	if most <= 0 {
		return ""
	}
	return text[:spans[most-1].End]
}

// answers resolves Yes and No.
func (p *Prompt) answers(t *tokenizer.Tokenizer) (yes, no int32, err error) {
	ids := [2]int32{}
	for i, word := range []string{p.Yes, p.No} {
		id, found := t.ID(word)
		if word == "" || !found {
			return 0, 0, fmt.Errorf("the word %q of the prompt is no token of the model", word)
		}
		ids[i] = id
	}
	return ids[0], ids[1], nil
}
