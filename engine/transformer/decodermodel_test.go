package transformer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/pack"
)

// decoderModel describes a small decoder with random weights.
type decoderModel struct {
	architecture                         string // of config.json
	layers, hidden, heads, kvHeads, head int
	intermediate, vocabulary, window     int
	tied                                 bool
	seed                                 uint64
}

// decoders are small models of every kind; their vocabulary is that of
// byteTokenizer.
func decoders() map[string]decoderModel {
	return map[string]decoderModel{
		"Llama":        {architecture: "LlamaForCausalLM", layers: 3, hidden: 48, heads: 6, kvHeads: 2, head: 8, intermediate: 72, seed: 5},
		"Qwen2":        {architecture: "Qwen2ForCausalLM", layers: 3, hidden: 32, heads: 4, kvHeads: 2, head: 8, intermediate: 40, tied: true, seed: 6},
		"Qwen3":        {architecture: "Qwen3ForCausalLM", layers: 3, hidden: 32, heads: 3, kvHeads: 1, head: 16, intermediate: 56, tied: true, seed: 7},
		"with windows": {architecture: "Qwen2ForCausalLM", layers: 3, hidden: 32, heads: 2, kvHeads: 2, head: 16, intermediate: 40, tied: true, window: 7, seed: 8},
	}
}

// eachDecoder runs a subtest for each of decoders with the Hugging Face folder
// of the model, and with random numbers that are the same ones for all.
func eachDecoder(t *testing.T, seed uint64, run func(t *testing.T, rng *rand.Rand, folder string)) {
	t.Helper()
	t.Logf("seed %d", seed)
	for name, model := range decoders() {
		t.Run(name, func(t *testing.T) {
			run(t, rand.New(rand.NewPCG(seed, 0)), model.folder(t))
		})
	}
}

// files are those of its Hugging Face folder.
func (m decoderModel) files() (map[string][]byte, error) {
	tokenizer, vocabulary, err := byteTokenizer()
	if err != nil {
		return nil, err
	}
	if m.vocabulary == 0 {
		m.vocabulary = vocabulary
	}
	config, err := json.Marshal(map[string]any{
		"architectures": []string{m.architecture}, "hidden_act": "silu", "num_hidden_layers": m.layers, "hidden_size": m.hidden,
		"num_attention_heads": m.heads, "num_key_value_heads": m.kvHeads, "head_dim": m.head, "intermediate_size": m.intermediate,
		"vocab_size": m.vocabulary, "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
		"tie_word_embeddings": m.tied, "use_sliding_window": m.window > 0, "sliding_window": m.window, "max_window_layers": 1,
		"layer_types": nil,
	})
	if err != nil {
		return nil, err
	}
	weights, err := modeltest.Safetensors(m.tensors())
	return map[string][]byte{"config.json": config, "tokenizer.json": tokenizer, "model.safetensors": weights}, err
}

// tensors draws the weights, large enough for what comes out to differ.
func (m decoderModel) tensors() map[string]modeltest.Tensor {
	rng, all := rand.New(rand.NewPCG(m.seed, 3)), map[string]modeltest.Tensor{}
	add := func(name string, mean, spread float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		t := modeltest.Tensor{Shape: shape, Values: make([]float32, n)}
		for i := range t.Values {
			t.Values[i] = float32(mean + spread*rng.NormFloat64())
		}
		all[name] = t
	}
	add("model.embed_tokens.weight", 0, 0.5, m.vocabulary, m.hidden)
	for i := range m.layers {
		at := fmt.Sprintf("model.layers.%d.", i)
		add(at+"input_layernorm.weight", 1, 0.1, m.hidden)
		add(at+"post_attention_layernorm.weight", 1, 0.1, m.hidden)
		for name, heads := range map[string]int{"q": m.heads, "k": m.kvHeads, "v": m.kvHeads} {
			rng = rand.New(rand.NewPCG(m.seed, uint64(100*i)+uint64(name[0]))) // maps have no order
			add(at+"self_attn."+name+"_proj.weight", 0, 0.25, heads*m.head, m.hidden)
			if m.architecture == "Qwen2ForCausalLM" {
				add(at+"self_attn."+name+"_proj.bias", 0, 0.2, heads*m.head)
			}
			if m.architecture == "Qwen3ForCausalLM" && name != "v" {
				add(at+"self_attn."+name+"_norm.weight", 1, 0.1, m.head)
			}
		}
		rng = rand.New(rand.NewPCG(m.seed, uint64(100*i)))
		add(at+"self_attn.o_proj.weight", 0, 0.2, m.hidden, m.heads*m.head)
		add(at+"mlp.gate_proj.weight", 0, 0.2, m.intermediate, m.hidden)
		add(at+"mlp.up_proj.weight", 0, 0.2, m.intermediate, m.hidden)
		add(at+"mlp.down_proj.weight", 0, 0.2, m.hidden, m.intermediate)
	}
	rng = rand.New(rand.NewPCG(m.seed, 4))
	add("model.norm.weight", 1, 0.1, m.hidden)
	if !m.tied {
		add("lm_head.weight", 0, 0.3, m.vocabulary, m.hidden)
	}
	return all
}

// folder writes the model's files into a folder of the test.
func (m decoderModel) folder(t testing.TB) string {
	t.Helper()
	files, err := m.files()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// importFolder makes a pack of a Hugging Face folder.
func importFolder(t testing.TB, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), folder, path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// byteTokenizer returns a byte-level tokenizer.json whose words are the bytes,
// the answers that rerankers give, and the special tokens of their prompts; and
// the number of its words.
func byteTokenizer() (text []byte, size int, err error) {
	words := map[string]int{}
	add := func(word string) { words[word] = len(words) }
	next := rune(256)
	for b := range rune(256) { // as GPT-2 writes bytes
		if b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad {
			add(string(b))
		} else {
			add(string(next))
			next++
		}
	}
	for _, word := range []string{"no", "ye", "yes"} {
		add(word)
	}
	var added []map[string]any
	for i, token := range []string{"<|im_start|>", "<|im_end|>", "<think>", "</think>"} {
		added = append(added, map[string]any{"id": len(words) + i, "content": token, "special": true})
	}
	text, err = json.Marshal(map[string]any{
		"added_tokens":  added,
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
		"decoder":       map[string]any{"type": "ByteLevel"},
		"model":         map[string]any{"type": "BPE", "vocab": words, "merges": []string{"n o", "y e", "ye s"}},
	})
	if len(words) != 259 {
		err = errors.Join(err, fmt.Errorf("%d words", len(words)))
	}
	return text, len(words) + len(added), err
}
