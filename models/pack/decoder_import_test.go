package pack

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// Newer versions of transformers write the rotary settings into an object of
// their own, templates into a file, and the kinds of layers by name.
func TestNewerFiles(t *testing.T) {
	files := decoderFiles(t, "qwen2")
	replaceIn(t, files, "config.json", `"rope_theta": 1000000.0`,
		`"rope_parameters": {"rope_theta": 1000000.0, "rope_type": "linear", "factor": 2.0}, "layer_types": ["full_attention", "sliding_attention"]`)
	replaceIn(t, files, "config.json", `"max_window_layers": 1`, `"max_window_layers": 9`)
	files["chat_template.jinja"] = []byte("{{ newer }}")
	delete(files, "generation_config.json")
	p := openPack(t, importFiles(t, files))
	c := p.Config()
	if c.RotaryBase != 1000000 || c.RotaryScaling != (RotaryScaling{Kind: "linear", Factor: 2}) || c.SlidingWindow != 4 || c.SlidingFrom != 1 {
		t.Errorf("config %+v", c)
	}
	if p.ChatTemplate() != "{{ newer }}" || !slices.Equal(p.Stop(), []int32{1}) {
		t.Errorf("template %q, stop %v", p.ChatTemplate(), p.Stop())
	}
}

// What config.json leaves out has the default of the architecture.
func TestDecoderDefaults(t *testing.T) {
	files := decoderFiles(t, "llama")
	for _, key := range []string{`"rms_norm_eps": 1e-05, `, `"head_dim": 8,`, `"tie_word_embeddings": false,`} {
		replaceIn(t, files, "config.json", key, "")
	}
	files["tokenizer_config.json"] = []byte(`{"chat_template": [{"name": "tool_use", "template": "a"}, {"name": "default", "template": "b"}]}`)
	p := openPack(t, importFiles(t, files))
	if c := p.Config(); c.Epsilon != 1e-6 || c.HeadDim != 8 || c.TiedOutput {
		t.Errorf("config %+v", c)
	}
	if p.ChatTemplate() != "b" {
		t.Errorf("template %q", p.ChatTemplate())
	}
}

// What a model was distilled for stays with it, in a pack and in a row pack; other models
// say nothing of it, and what cannot be is refused.
func TestDistilledFor(t *testing.T) {
	files := decoderFiles(t, "llama")
	plain := openPack(t, importFiles(t, files)).Config()
	replaceIn(t, files, "config.json", `"head_dim": 8,`, `"head_dim": 8, "distilled_for_sparsity": 0.55,`)
	p := openPack(t, importFiles(t, files))
	rows := filepath.Join(t.TempDir(), "model.rows")
	if err := WriteRows(t.Context(), p, rows, RowOptions{GroupLayers: 1, Bits: 8}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // it was only read
	if plain.Distilled != 0 || p.Config().Distilled != .55 || r.Config().Distilled != .55 {
		t.Errorf("%g; distilled %g, its row pack %g", plain.Distilled, p.Config().Distilled, r.Config().Distilled)
	}
	bad := p.Config()
	if bad.Distilled = 1; bad.check() == nil {
		t.Error("a model that was distilled to do without everything passes")
	}
}

func replaceIn(t *testing.T, files map[string][]byte, file, old, new string) {
	t.Helper()
	changed := strings.Replace(string(files[file]), old, new, 1)
	if changed == string(files[file]) {
		t.Fatalf("%s has no %s", file, old)
	}
	files[file] = []byte(changed)
}

func TestDecoderRefusals(t *testing.T) {
	config := func(model, old, new, want string) [4]string { return [4]string{model, old, new, want} }
	for _, c := range [][4]string{
		config("llama", "LlamaForCausalLM", "MistralForCausalLM", "architecture [MistralForCausalLM] is not supported yet; supported: BertModel"),
		config("llama", `"silu"`, `"gelu"`, "activation gelu is not supported yet; supported: silu"),
		config("llama", `"llama3"`, `"yarn"`, `rotary scaling "yarn" is not supported; supported: linear, llama3`),
		config("llama", `"factor": 8.0`, `"factor": 0.5`, "factor must be at least 1"),
		config("llama", `"low_freq_factor": 1.0`, `"low_freq_factor": 5.0`, "frequency factors 5 and 4"),
		config("llama-linear", `"factor": 4.0`, `"factor": 4.0, "partial_rotary_factor": 0.5`, "partial_rotary_factor 0.5"),
		config("llama", `"num_key_value_heads": 2`, `"num_key_value_heads": 3`, "4 heads cannot share 3"),
		config("llama", `"head_dim": 8`, `"head_dim": 7`, "the width must be even"),
		config("llama", `"rope_theta": 500000.0`, `"rope_theta": 1.0`, "rotary base 1 is not above 1"),
		config("llama", `"vocab_size": 128`, `"vocab_size": 99`, "tokens, the model embeds 99"),
		config("llama", `"num_hidden_layers": 2`, `"num_hidden_layers": 1`, `"model.layers.1.input_layernorm.weight" is of no use to a LlamaForCausalLM`),
		config("llama", `"num_hidden_layers": 2`, `"num_hidden_layers": 3`, `no tensor "model.layers.2.input_layernorm.weight"`),
		config("llama", `"hidden_act"`, `"attention_bias": true, "hidden_act"`, `no tensor "model.layers.0.self_attn.q_proj.bias"`),
		config("llama", `"hidden_act"`, `"mlp_bias": true, "hidden_act"`, `no tensor "model.layers.0.mlp.gate_proj.bias"`),
		config("qwen3", "Qwen3For", "LlamaFor", `_norm.weight" is of no use to a LlamaForCausalLM`),
		config("llama", "LlamaFor", "Qwen3For", `no tensor "model.layers.0.self_attn.q_norm.weight"`),
		config("llama", "LlamaFor", "Qwen2For", `no tensor "model.layers.0.self_attn.q_proj.bias"`),
		config("qwen2", `"max_window_layers"`, `"layer_types": ["sliding_attention", "full_attention"], "max_window_layers"`, "full_attention in layer 1 after a sliding window"),
		config("qwen2", `"max_window_layers"`, `"layer_types": ["sliding_attention"], "max_window_layers"`, "names 1 of 2 layers"),
	} {
		files := decoderFiles(t, c[0])
		replaceIn(t, files, "config.json", c[1], c[2])
		requireRefusal(t, writeFolder(t, files), c[3])
	}
	files := decoderFiles(t, "llama")
	files["generation_config.json"] = []byte(`{"eos_token_id": "end"}`)
	requireRefusal(t, writeFolder(t, files), "eos_token_id")
	files["generation_config.json"] = []byte(`{"eos_token_id": 128}`)
	requireRefusal(t, writeFolder(t, files), "token 128 that ends an answer is not one of 128")
}

// requireRefusal verifies that an import fails for a reason and leaves nothing.
func requireRefusal(t *testing.T, path, want string) {
	t.Helper()
	dst := filepath.Join(t.TempDir(), "model.pack")
	err := Import(t.Context(), path, dst, nil)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
	requireOnly(t, filepath.Dir(dst))
}

// smolLM2Variable names the path of SmolLM2-135M-Instruct.Q4_1.gguf.
const smolLM2Variable = "DOWSE_TEST_GGUF"

func TestImportSmolLM2(t *testing.T) {
	path := os.Getenv(smolLM2Variable)
	if path == "" {
		t.Skip(smolLM2Variable + " does not name SmolLM2-135M-Instruct.Q4_1.gguf")
	}
	dst := filepath.Join(t.TempDir(), "model.pack")
	if err := Import(t.Context(), path, dst, nil); err != nil {
		t.Fatal(err)
	}
	p := openPack(t, dst)
	want := Config{
		Architecture: "LlamaForCausalLM", Layers: 30, Hidden: 576, Heads: 9, Intermediate: 1536, Vocabulary: 49152,
		Positions: 8192, MaxTokens: 8192, Epsilon: 1e-5, Decoder: true, KVHeads: 3, HeadDim: 64, RotaryBase: 100000, TiedOutput: true,
	}
	if p.Config() != want {
		t.Errorf(" got %+v\nwant %+v", p.Config(), want)
	}
	tok, err := p.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	ids := tok.Encode("The capital of France is the city of")
	if !slices.Equal(ids, []int32{504, 3575, 282, 4649, 314, 260, 2240, 282}) || !slices.Equal(p.Stop(), []int32{2}) {
		t.Errorf("ids %v, stop %v", ids, p.Stop())
	}
	d := plainDecoder{p, p.Config()}
	logits := d.logits(ids)
	best := 0
	for word, v := range logits[len(ids)-1] {
		if v > logits[len(ids)-1][best] {
			best = word
		}
	}
	if got := tok.Decode([]int32{int32(best)}); got != " Paris" {
		t.Errorf("the text goes on with %q", got)
	}
}

// recorder is a checkpoint that remembers the longest read.
type recorder struct {
	checkpoint
	longest int
}

type recordedRows struct {
	rows
	to *recorder
}

func (r *recorder) lookup(name string) (tensor, bool) {
	t, ok := r.checkpoint.lookup(name)
	t.rows = recordedRows{t.rows, r}
	return t, ok
}

func (r recordedRows) ReadRows(dst []float32, first int) error {
	r.to.longest = max(r.to.longest, len(dst))
	return r.rows.ReadRows(dst, first)
}

// An import holds a part of a tensor at a time, however large it is.
func TestImportReadsInParts(t *testing.T) {
	d := modeltest.Decoders()["llama"]
	d.Vocabulary, d.Intermediate = 10_000, 10_000
	files, err := d.Files()
	if err != nil {
		t.Fatal(err)
	}
	s, err := openSource(writeFolder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{checkpoint: s.weights}
	s.weights = r
	dst := filepath.Join(t.TempDir(), "model.pack")
	if err := Write(dst, func(f *os.File) error {
		w := &writer{blockFile: blockFile{f: f}, source: s}
		return w.write(t.Context())
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.weights.Close(); err != nil {
		t.Error(err)
	}
	if r.longest > chunkValues || r.longest < chunkValues/2 {
		t.Errorf("the longest read is of %d numbers, want up to %d", r.longest, chunkValues)
	}
	if err := openPack(t, dst).Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func BenchmarkImportSmolLM2(b *testing.B) {
	path := os.Getenv(smolLM2Variable)
	if path == "" {
		b.Skip(smolLM2Variable + " does not name SmolLM2-135M-Instruct.Q4_1.gguf")
	}
	dst := filepath.Join(b.TempDir(), "model.pack")
	for b.Loop() {
		if err := Import(b.Context(), path, dst, nil); err != nil {
			b.Fatal(err)
		}
	}
}
