package modeltest

import (
	"encoding/json"
	"fmt"
	"math"
)

// Decoder describes a model that continues a text. The zero value of a size is
// that of Decoders.
type Decoder struct {
	Architecture string // as config.json names it
	Seed         uint64 // of the weights
	Tied         bool   // the output's rows are those of the embeddings
	Bias         bool   // of attention's and, in a Llama, of the feed-forward projections; Qwen2 has its own regardless
	Rotary       string // rope_theta, and rope_scaling if there is any, in JSON
	Window       int    // of keys, from layer WindowFrom on; 0 for all
	WindowFrom   int

	Layers, Hidden, Heads, KVHeads, HeadDim, Intermediate, Positions, Vocabulary int

	Mixture
}

// Decoders returns small models by name: together they have all that a pack of a
// decoder can hold.
func Decoders() map[string]Decoder {
	return map[string]Decoder{
		"llama": {
			Architecture: "LlamaForCausalLM", Seed: 11, Positions: 16384,
			Rotary: `"rope_theta": 500000.0, "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
"high_freq_factor": 4.0, "original_max_position_embeddings": 8192}`,
		},
		"llama-linear": {
			Architecture: "LlamaForCausalLM", Seed: 12, Tied: true, Bias: true, KVHeads: 1,
			Rotary: `"rope_theta": 10000.0, "rope_scaling": {"type": "linear", "factor": 4.0}`,
		},
		"qwen2": {
			Architecture: "Qwen2ForCausalLM", Seed: 13, Tied: true, Window: 4, WindowFrom: 1,
			Rotary: `"rope_theta": 1000000.0`,
		},
		"qwen3": {
			Architecture: "Qwen3ForCausalLM", Seed: 14, Tied: true, HeadDim: 16, Intermediate: 64,
			Rotary: `"rope_theta": 1000000.0, "rope_scaling": null`,
		},
	}
}

// sized fills in the sizes that are 0.
func (d Decoder) sized() Decoder {
	for _, f := range []struct {
		field *int
		usual int
	}{
		{&d.Layers, 2}, {&d.Hidden, 32}, {&d.Heads, 4}, {&d.KVHeads, 2}, {&d.HeadDim, 8}, {&d.Intermediate, 32},
		{&d.Positions, 64}, {&d.Vocabulary, 128},
	} {
		if *f.field == 0 {
			*f.field = f.usual
		}
	}
	return d
}

// Tensors returns the model's weights by name. All are multiples of 1/512 below
// 4 in magnitude, which half precision holds exactly.
func (d Decoder) Tensors() map[string]Tensor {
	d = d.sized()
	g := newGenerator(d.Seed, "")
	g.add("model.embed_tokens.weight", 0, 0.5, d.Vocabulary, d.Hidden)
	if !d.Tied {
		g.add("lm_head.weight", 0, 0.2, d.Vocabulary, d.Hidden)
	}
	g.add("model.norm.weight", 1, 0.1, d.Hidden)
	for i := range d.Layers {
		d.layer(g, i)
	}
	for _, t := range g.all {
		for i, v := range t.Values {
			t.Values[i] = max(-4, min(4, float32(math.RoundToEven(512*float64(v))/512)))
		}
	}
	return g.all
}

// layer draws one layer.
func (d Decoder) layer(g *generator, i int) {
	at := fmt.Sprintf("model.layers.%d.", i)
	qkvBias := d.Bias || d.Architecture == "Qwen2ForCausalLM"
	linear := func(name string, in, out int, bias bool) {
		g.add(at+name+".weight", 0, 0.2, out, in)
		if bias {
			g.add(at+name+".bias", 0, 0.1, out)
		}
	}
	heads, keys := d.Heads*d.HeadDim, d.KVHeads*d.HeadDim
	g.add(at+"input_layernorm.weight", 1, 0.1, d.Hidden)
	linear("self_attn.q_proj", d.Hidden, heads, qkvBias)
	linear("self_attn.k_proj", d.Hidden, keys, qkvBias)
	linear("self_attn.v_proj", d.Hidden, keys, qkvBias)
	linear("self_attn.o_proj", heads, d.Hidden, d.Bias)
	if d.Architecture == "Qwen3ForCausalLM" || d.Architecture == qwen3MoE {
		g.add(at+"self_attn.q_norm.weight", 1, 0.1, d.HeadDim)
		g.add(at+"self_attn.k_norm.weight", 1, 0.1, d.HeadDim)
	}
	g.add(at+"post_attention_layernorm.weight", 1, 0.1, d.Hidden)
	if d.in(i) {
		d.experts(g, at)
		return
	}
	mlpBias := d.Bias && d.Architecture == "LlamaForCausalLM"
	linear("mlp.gate_proj", d.Hidden, d.Intermediate, mlpBias)
	linear("mlp.up_proj", d.Hidden, d.Intermediate, mlpBias)
	linear("mlp.down_proj", d.Intermediate, d.Hidden, mlpBias)
}

// Files returns the folder's files by slash-separated name.
func (d Decoder) Files() (map[string][]byte, error) {
	tokenizer, err := byteLevelJSON()
	if err != nil {
		return nil, err
	}
	weights, err := Safetensors(d.Tensors())
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"config.json": []byte(d.configJSON()), "tokenizer.json": tokenizer, "model.safetensors": weights,
		"generation_config.json": []byte(`{"bos_token_id": 0, "eos_token_id": [1, 2]}`),
		"tokenizer_config.json":  []byte(`{"chat_template": "{{ messages[0].content }}<|end|>"}`),
	}, nil
}

func (d Decoder) configJSON() string {
	s := d.sized()
	bias := ""
	if s.Bias {
		bias = `"attention_bias": true, "mlp_bias": true,`
	}
	return fmt.Sprintf(`{"architectures": [%q], "model_type": %q, "hidden_act": "silu", %s%s
"num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d, "num_key_value_heads": %d, "head_dim": %d,
"intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d, "rms_norm_eps": 1e-05, %s,
"use_sliding_window": %t, "sliding_window": %d, "max_window_layers": %d, "tie_word_embeddings": %t,
"bos_token_id": 0, "eos_token_id": 1, "torch_dtype": "float32"}`,
		s.Architecture, modelTypes[s.Architecture], bias, s.mixtureJSON(), s.Layers, s.Hidden, s.Heads, s.KVHeads, s.HeadDim,
		s.Intermediate, s.Vocabulary, s.Positions, s.Rotary, s.Window > 0, max(s.Window, 1), s.WindowFrom, s.Tied)
}

var modelTypes = map[string]string{
	"LlamaForCausalLM": "llama", "Qwen2ForCausalLM": "qwen2", "Qwen3ForCausalLM": "qwen3", mixtral: "mixtral", qwen3MoE: "qwen3_moe",
}

// byteLevelTokens are control tokens, printable ASCII, space, end of line, and
// what is merged.
func byteLevelTokens() (tokens, merges []string) {
	tokens = []string{"<|begin|>", "<|end|>", "<|over|>"}
	for c := '!'; c <= '~'; c++ {
		tokens = append(tokens, string(c))
	}
	tokens = append(tokens, "Ġ", "Ċ")
	merges = []string{"t h", "th e", "i n", "a n", "Ġ t", "Ġ a", "Ġ the", "e r", "o n", "in g"}
	for _, m := range merges {
		var left, right string
		if n, err := fmt.Sscan(m, &left, &right); n == 2 && err == nil {
			tokens = append(tokens, left+right)
		}
	}
	return tokens, merges
}

// byteLevelJSON returns a tokenizer.json of a byte-level BPE model.
func byteLevelJSON() ([]byte, error) {
	tokens, merges := byteLevelTokens()
	vocabulary := map[string]int{}
	var added []map[string]any
	for id, token := range tokens {
		vocabulary[token] = id
		if id < 3 {
			added = append(added, map[string]any{"id": id, "content": token, "special": true})
		}
	}
	return json.Marshal(map[string]any{
		"added_tokens":  added,
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
		"decoder":       map[string]any{"type": "ByteLevel"},
		"model":         map[string]any{"type": "BPE", "vocab": vocabulary, "merges": merges},
	})
}
