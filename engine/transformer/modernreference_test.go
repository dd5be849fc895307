package transformer_test

import (
	"fmt"
	"math"
	"strings"
)

// modernSettings is what config.json of a ModernBERT says beside what a reference reads.
type modernSettings struct {
	Epsilon     float32  `json:"norm_eps"`
	GlobalBase  float64  `json:"global_rope_theta"`
	LocalBase   float64  `json:"local_rope_theta"`
	GlobalEvery int      `json:"global_attn_every_n_layers"`
	Window      int      `json:"local_attention"`
	LayerKinds  []string `json:"layer_types"`
	Rotary      map[string]struct {
		Base float64 `json:"rope_theta"`
	} `json:"rope_parameters"`
	HeadPooling string `json:"classifier_pooling"`
}

func (r *reference) modern() bool { return strings.Contains(r.config.Architectures[0], "ModernBert") }

// global reports whether tokens of a layer attend to all others, with the base there.
func (m *modernSettings) global(l int) (global bool, base float64) {
	kind := "sliding_attention"
	if m.LayerKinds != nil {
		kind = m.LayerKinds[l]
	} else if l%m.GlobalEvery == 0 {
		kind = "full_attention"
	}
	if m.Rotary != nil {
		return kind == "full_attention", m.Rotary[kind].Base
	}
	if kind == "full_attention" {
		return true, m.GlobalBase
	}
	return false, m.LocalBase
}

// modernNorm is a LayerNorm that may have no bias.
func (r *reference) modernNorm(name string, x []float32) []float32 {
	if r.tensors[name+".bias"] == nil {
		r.tensors[name+".bias"] = make([]float32, len(x))
	}
	own := *r
	own.config.Epsilon = r.config.Modern.Epsilon
	return own.norm(name, x)
}

// modernLinear is a linear layer that may have no bias.
func (r *reference) modernLinear(name string, x []float32) []float32 {
	if r.tensors[name+".bias"] == nil {
		r.tensors[name+".bias"] = make([]float32, len(r.tensors[name+".weight"])/len(x))
	}
	return r.linear(name, x)
}

func (r *reference) modernEmbed(ids []int32) [][]float32 {
	d, states := r.config.Hidden, make([][]float32, len(ids))
	for i, id := range ids {
		states[i] = r.modernNorm("embeddings.norm", r.tensors["embeddings.tok_embeddings.weight"][int(id)*d:int(id+1)*d])
	}
	return states
}

// modernLayer is one layer over the states of all tokens.
func (r *reference) modernLayer(l int, states [][]float32) [][]float32 {
	name, d := fmt.Sprintf("layers.%d.", l), r.config.Hidden
	global, base := r.config.Modern.global(l)
	q, k, v := make([][]float32, len(states)), make([][]float32, len(states)), make([][]float32, len(states))
	for i, x := range states {
		if l > 0 {
			x = r.modernNorm(name+"attn_norm", x)
		}
		qkv := r.modernLinear(name+"attn.Wqkv", x)
		q[i], k[i], v[i] = rotated(qkv[:d], i, r.config.Heads, base), rotated(qkv[d:2*d], i, r.config.Heads, base), qkv[2*d:]
	}
	next := make([][]float32, len(states))
	for i, x := range states {
		from, to := 0, len(states)
		if !global {
			from, to = max(0, i-r.config.Modern.Window/2), min(to, i+r.config.Modern.Window/2+1)
		}
		x = add(r.modernLinear(name+"attn.Wo", r.attend(q[i], i, k[from:to], v[from:to])), x)
		inner := r.modernLinear(name+"mlp.Wi", r.modernNorm(name+"mlp_norm", x))
		gate, up := inner[:len(inner)/2], inner[len(inner)/2:]
		for j, y := range gelued(gate) {
			gate[j] = y * up[j]
		}
		next[i] = add(r.modernLinear(name+"mlp.Wo", gate), x)
	}
	return next
}

// modernFinish is the last norm.
func (r *reference) modernFinish(states [][]float32) [][]float32 {
	finished := make([][]float32, len(states))
	for i, x := range states {
		finished[i] = r.modernNorm("final_norm", x)
	}
	return finished
}

// modernHead is the score of the states after a layer.
func (r *reference) modernHead(states [][]float32) float32 {
	finished := r.modernFinish(states)
	pooled := finished[0]
	if r.config.Modern.HeadPooling == "mean" {
		pooled = make([]float32, len(pooled))
		for _, x := range finished {
			pooled = add(pooled, x)
		}
		for i := range pooled {
			pooled[i] /= float32(len(states))
		}
	}
	hidden := r.modernNorm("head.norm", gelued(r.modernLinear("head.dense", pooled)))
	return r.modernLinear("classifier", hidden)[0]
}

// rotated turns the pairs of each head, half a head apart, by the angles of a position.
func rotated(x []float32, position, heads int, base float64) []float32 {
	y, width := make([]float32, len(x)), len(x)/heads
	for head := range heads {
		for i := range width / 2 {
			angle := float64(position) * math.Pow(base, -2*float64(i)/float64(width))
			sine, cosine := math.Sincos(angle)
			a, b := float64(x[head*width+i]), float64(x[head*width+i+width/2])
			y[head*width+i] = float32(a*cosine - b*sine)
			y[head*width+i+width/2] = float32(b*cosine + a*sine)
		}
	}
	return y
}

func gelued(x []float32) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
	return y
}
