package transformer_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// gemmaReference computes a Gemma 3 whose tokens attend in both directions in float32, from
// the weights as published.
type gemmaReference struct {
	*reference
	settings struct {
		KVHeads     int     `json:"num_key_value_heads"`
		HeadDim     int     `json:"head_dim"`
		Epsilon     float64 `json:"rms_norm_eps"`
		QueryScalar float64 `json:"query_pre_attn_scalar"`
		Window      int     `json:"sliding_window"`
	}
}

func openGemmaReference(t *testing.T, folder string) *gemmaReference {
	t.Helper()
	g := &gemmaReference{reference: openReference(t, folder)}
	decode(t, read(t, filepath.Join(folder, "config.json")), &g.settings)
	return g
}

// last are the states of all tokens after the last layer, and the last norm.
func (g *gemmaReference) last(ids []int32) [][]float32 {
	d, states := g.config.Hidden, make([][]float32, len(ids))
	for i, id := range ids {
		states[i] = slices.Clone(g.tensors["embed_tokens.weight"][int(id)*d : int(id+1)*d])
		for j := range states[i] {
			states[i][j] *= float32(math.Sqrt(float64(d)))
		}
	}
	for l := range g.config.Layers {
		states = g.layer(l, states)
	}
	for i, x := range states {
		states[i] = g.norm("norm", x)
	}
	return states
}

// layer is one layer over the states of all tokens.
func (g *gemmaReference) layer(l int, states [][]float32) [][]float32 {
	name, s := fmt.Sprintf("layers.%d.", l), &g.settings
	global, base := g.config.Modern.global(l)
	q, k, v := make([][]float32, len(states)), make([][]float32, len(states)), make([][]float32, len(states))
	for i, x := range states {
		x = g.norm(name+"input_layernorm", x)
		q[i] = rotated(g.heads(name+"self_attn.q_norm", g.modernLinear(name+"self_attn.q_proj", x)), i, g.config.Heads, base)
		for j := range q[i] {
			q[i][j] *= float32(math.Sqrt(float64(s.HeadDim) / s.QueryScalar))
		}
		key := rotated(g.heads(name+"self_attn.k_norm", g.modernLinear(name+"self_attn.k_proj", x)), i, s.KVHeads, base)
		value := g.modernLinear(name+"self_attn.v_proj", x)
		for head := range g.config.Heads { // each with a copy of those that it shares
			at := head / (g.config.Heads / s.KVHeads) * s.HeadDim
			k[i], v[i] = append(k[i], key[at:at+s.HeadDim]...), append(v[i], value[at:at+s.HeadDim]...)
		}
	}
	next := make([][]float32, len(states))
	for i, x := range states {
		from, to := 0, len(states)
		if !global {
			from, to = max(0, i-s.Window/2), min(to, i+s.Window/2+1)
		}
		mixed := g.modernLinear(name+"self_attn.o_proj", g.attend(q[i], i, k[from:to], v[from:to]))
		x = add(g.norm(name+"post_attention_layernorm", mixed), x)
		inner := g.norm(name+"pre_feedforward_layernorm", x)
		gate, up := g.modernLinear(name+"mlp.gate_proj", inner), g.modernLinear(name+"mlp.up_proj", inner)
		for j, y := range gate {
			wide := float64(y)
			gate[j] = float32(wide/2*(1+math.Tanh(math.Sqrt(2/math.Pi)*(wide+.044715*wide*wide*wide)))) * up[j]
		}
		next[i] = add(g.norm(name+"post_feedforward_layernorm", g.modernLinear(name+"mlp.down_proj", gate)), x)
	}
	return next
}

// norm is an RMSNorm that multiplies with one more than its weight.
func (g *gemmaReference) norm(name string, x []float32) []float32 {
	factor := 1 / math.Sqrt(float64(dot(x, x))/float64(len(x))+g.settings.Epsilon)
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(float64(v) * factor * (1 + float64(g.tensors[name+".weight"][i])))
	}
	return y
}

// heads is norm for each head of x.
func (g *gemmaReference) heads(name string, x []float32) []float32 {
	var y []float32
	for head := range slices.Chunk(x, g.settings.HeadDim) {
		y = append(y, g.norm(name, head)...)
	}
	return y
}
