package transformer_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"dowse/models/safetensors"
)

// decoderReference computes a decoder in float32 from the weights as published,
// token after token and number after number.
type decoderReference struct {
	config struct {
		Layers    int     `json:"num_hidden_layers"`
		Heads     int     `json:"num_attention_heads"`
		KVHeads   int     `json:"num_key_value_heads"`
		HeadDim   int     `json:"head_dim"`
		Hidden    int     `json:"hidden_size"`
		Epsilon   float64 `json:"rms_norm_eps"`
		Base      float64 `json:"rope_theta"`
		Rope      ropeParameters
		Window    int      `json:"sliding_window"`
		HasWindow bool     `json:"use_sliding_window"`
		From      int      `json:"max_window_layers"`
		Kind      string   `json:"model_type"`
		Local     float64  `json:"rope_local_base_freq"` // this and the rest of Gemma
		Layer     []string `json:"layer_types"`
		Scalar    float64  `json:"query_pre_attn_scalar"`
		Active    int      `json:"num_experts_per_tok"`
		Normalize bool     `json:"norm_topk_prob"`
	}
	tensors map[string][]float32
}

type ropeParameters struct {
	Base     float64 `json:"rope_theta"`
	Kind     string  `json:"rope_type"`
	Factor   float64 `json:"factor"`
	Low      float64 `json:"low_freq_factor"`
	High     float64 `json:"high_freq_factor"`
	Original float64 `json:"original_max_position_embeddings"`
}

func openDecoderReference(t testing.TB, folder string) *decoderReference {
	t.Helper()
	r := &decoderReference{tensors: map[string][]float32{}}
	data, err := os.ReadFile(filepath.Join(folder, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rope struct {
		Parameters ropeParameters `json:"rope_parameters"`
	}
	if err := json.Unmarshal(data, &rope); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &r.config); err != nil {
		t.Fatal(err)
	}
	r.config.Rope = rope.Parameters
	r.config.HasWindow = r.config.HasWindow || r.config.Kind == "mixtral" // which has no switch
	if r.config.Base == 0 {
		r.config.Base = r.config.Rope.Base
	}
	if r.config.HeadDim == 0 {
		r.config.HeadDim = r.config.Hidden / r.config.Heads
	}
	f, err := os.Open(filepath.Join(folder, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := safetensors.NewReader(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, tensor := range reader.Tensors() {
		name := tensor.Name
		if !strings.HasPrefix(name, "model.") && !strings.HasPrefix(name, "lm_head") { // as embedders have it
			name = "model." + name
		}
		if r.tensors[name], err = tensor.ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// decoderState is a text that a decoderReference has read so far.
type decoderState struct {
	keys, values [][][]float32 // [layers][tokens][kvHeads*headDim]
}

// next reads a token and returns its state after each layer.
func (r *decoderReference) next(s *decoderState, id int32) [][]float32 {
	c := &r.config
	if s.keys == nil {
		s.keys, s.values = make([][][]float32, c.Layers), make([][][]float32, c.Layers)
	}
	x := append([]float32(nil), r.tensors["model.embed_tokens.weight"][int(id)*c.Hidden:][:c.Hidden]...)
	if r.gemma() {
		for i := range x {
			x[i] *= float32(math.Sqrt(float64(c.Hidden)))
		}
	}
	states := make([][]float32, c.Layers)
	for l := range states {
		at := fmt.Sprintf("model.layers.%d.", l)
		position := len(s.keys[l])
		normed := r.norm(at+"input_layernorm", x)
		q, k := r.linear(at+"self_attn.q_proj", normed), r.linear(at+"self_attn.k_proj", normed)
		base, local := c.Base, r.gemma() && c.Layer[l] == "sliding_attention"
		if local {
			base = c.Local
		}
		r.rotateHeads(at+"self_attn.q_norm", q, position, base)
		r.rotateHeads(at+"self_attn.k_norm", k, position, base)
		if r.gemma() {
			for i := range q {
				q[i] *= float32(math.Sqrt(float64(c.HeadDim) / c.Scalar))
			}
		}
		s.keys[l] = append(s.keys[l], k)
		s.values[l] = append(s.values[l], r.linear(at+"self_attn.v_proj", normed))
		first := 0
		if local || c.HasWindow && c.Window > 0 && l >= c.From {
			first = max(0, position+1-c.Window)
		}
		mixed := r.linear(at+"self_attn.o_proj", r.attend(q, s.keys[l][first:], s.values[l][first:]))
		if r.gemma() {
			x = add(x, r.norm(at+"post_attention_layernorm", mixed))
			inner := r.gated(at+"mlp.gate_proj", at+"mlp.up_proj", at+"mlp.down_proj", r.norm(at+"pre_feedforward_layernorm", x))
			x = add(x, r.norm(at+"post_feedforward_layernorm", inner))
			states[l] = x
			continue
		}
		x = add(x, mixed)
		normed = r.norm(at+"post_attention_layernorm", x)
		if router, ok := r.routerOf(at); ok {
			x = add(x, r.mixed(at, router, normed))
		} else {
			x = add(x, r.gated(at+"mlp.gate_proj", at+"mlp.up_proj", at+"mlp.down_proj", normed))
		}
		states[l] = x
	}
	return states
}

func (r *decoderReference) gemma() bool { return r.config.Kind == "gemma3_text" }

// gated is a feed-forward part.
func (r *decoderReference) gated(gate, up, down string, x []float32) []float32 {
	gated, y := r.linear(gate, x), r.linear(up, x)
	for i, g := range gated {
		if wide := float64(g); r.gemma() {
			y[i] *= float32(wide / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(wide+.044715*wide*wide*wide))))
			continue
		}
		y[i] *= float32(float64(g) / (1 + math.Exp(-float64(g))))
	}
	return r.linear(down, y)
}

// routerOf finds the router of a layer with experts.
func (r *decoderReference) routerOf(at string) (name string, ok bool) {
	for _, name := range []string{"block_sparse_moe.gate", "mlp.gate"} {
		if r.tensors[at+name+".weight"] != nil {
			return at + name, true
		}
	}
	return "", false
}

// mixed is what the experts of a token make of it: all of them are sorted by their logit.
func (r *decoderReference) mixed(at, router string, x []float32) []float32 {
	logits := r.linear(router, x)
	order, shares, all := make([]int, len(logits)), make([]float64, len(logits)), 0.0
	for e, logit := range logits {
		order[e], shares[e] = e, math.Exp(float64(logit))
		all += shares[e]
	}
	sort.SliceStable(order, func(a, b int) bool { return logits[order[a]] > logits[order[b]] })
	order = order[:r.config.Active]
	mixtral := strings.HasPrefix(router, at+"block_sparse_moe")
	if mixtral || r.config.Normalize {
		all = 0
		for _, e := range order {
			all += shares[e]
		}
	}
	y := make([]float32, len(x))
	for _, e := range order {
		own := fmt.Sprintf("%smlp.experts.%d.", at, e)
		gate, up, down := own+"gate_proj", own+"up_proj", own+"down_proj"
		if mixtral {
			own = fmt.Sprintf("%sblock_sparse_moe.experts.%d.", at, e)
			gate, up, down = own+"w1", own+"w3", own+"w2"
		}
		for i, v := range r.gated(gate, up, down, x) {
			y[i] += float32(shares[e] / all * float64(v))
		}
	}
	return y
}

// read reads a text and returns the states of its last token.
func (r *decoderReference) read(ids []int32) [][]float32 {
	var s decoderState
	var states [][]float32
	for _, id := range ids {
		states = r.next(&s, id)
	}
	return states
}

// logits are those of a state.
func (r *decoderReference) logits(state []float32) []float32 {
	state = r.norm("model.norm", state)
	if r.tensors["lm_head.weight"] != nil {
		return r.linear("lm_head", state)
	}
	return r.linear("model.embed_tokens", state)
}

// attend is what one token takes from those up to itself.
func (r *decoderReference) attend(q []float32, keys, values [][]float32) []float32 {
	c := &r.config
	mixed, width, group := make([]float32, len(q)), c.HeadDim, c.Heads/c.KVHeads
	for head := range c.Heads {
		at, own := head*width, head/group*width
		weights, total, largest := make([]float64, len(keys)), 0.0, math.Inf(-1)
		for i, k := range keys {
			weights[i] = float64(dot(q[at:at+width], k[own:own+width])) / math.Sqrt(float64(width))
			largest = max(largest, weights[i])
		}
		for i := range weights {
			weights[i] = math.Exp(weights[i] - largest)
			total += weights[i]
		}
		for i, v := range values {
			for j := range width {
				mixed[at+j] += float32(weights[i] / total * float64(v[own+j]))
			}
		}
	}
	return mixed
}

// rotateHeads normalises each head, if there is such a norm, and turns it.
func (r *decoderReference) rotateHeads(norm string, x []float32, position int, base float64) {
	width := r.config.HeadDim
	for at := 0; at < len(x); at += width {
		head := x[at : at+width]
		if r.tensors[norm+".weight"] != nil {
			copy(head, r.norm(norm, head))
		}
		for i := range width / 2 {
			angle := float64(position) * r.frequency(i, base)
			a, b := float64(head[i]), float64(head[i+width/2])
			head[i] = float32(a*math.Cos(angle) - b*math.Sin(angle))
			head[i+width/2] = float32(b*math.Cos(angle) + a*math.Sin(angle))
		}
	}
}

// frequency is that of a pair of values, with the scaling of Llama 3.
func (r *decoderReference) frequency(i int, base float64) float64 {
	f, p := math.Pow(base, -2*float64(i)/float64(r.config.HeadDim)), r.config.Rope
	if p.Kind != "llama3" {
		return f
	}
	wavelength := 2 * math.Pi / f
	switch {
	case wavelength < p.Original/p.High:
		return f
	case wavelength > p.Original/p.Low:
		return f / p.Factor
	}
	smooth := (p.Original/wavelength - p.Low) / (p.High - p.Low)
	return (1-smooth)*f/p.Factor + smooth*f
}

func (r *decoderReference) linear(name string, x []float32) []float32 {
	weights := r.tensors[name+".weight"]
	y := make([]float32, len(weights)/len(x))
	copy(y, r.tensors[name+".bias"])
	for i := range y {
		y[i] += dot(weights[i*len(x):(i+1)*len(x)], x)
	}
	return y
}

func (r *decoderReference) norm(name string, x []float32) []float32 {
	square := 0.0
	for _, v := range x {
		square += float64(v) * float64(v)
	}
	scale := 1 / math.Sqrt(square/float64(len(x))+r.config.Epsilon)
	y := make([]float32, len(x))
	for i, v := range x {
		weight := r.tensors[name+".weight"][i]
		if r.gemma() {
			weight++
		}
		y[i] = float32(float64(v)*scale) * weight
	}
	return y
}
