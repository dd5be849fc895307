package pack

import (
	"path/filepath"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// decoderEmbedder is a decoder's folder as sentence-transformers publishes an embedder.
func decoderEmbedder(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := modeltest.Decoders()["llama"].Files()
	if err != nil {
		t.Fatal(err)
	}
	files["modules.json"] = []byte(`[{"path": "", "type": "m.Transformer"}, {"path": "1_Pooling", "type": "m.Pooling"}, {"path": "2_Normalize", "type": "m.Normalize"}]`)
	files["1_Pooling/config.json"] = []byte(`{"pooling_mode_lasttoken": true}`)
	files[PromptsFile] = []byte(`{"prompts": {"query": "Instruct: find\nQuery:", "document": ""}, "truncate_dim": 8}`)
	return files
}

// A decoder with the files of sentence-transformers makes vectors, with or without "model."
// before the names of its tensors; the rows of its output are not kept.
func TestDecoderEmbedder(t *testing.T) {
	files := decoderEmbedder(t)
	p := openPack(t, importFiles(t, files))
	c := p.Config()
	if c.Dim() != 8 || c.Pooling != LastToken || !c.Normalize || c.QueryPrompt != "Instruct: find\nQuery:" || c.PassagePrompt != "" || !c.TiedOutput {
		t.Errorf("%+v", c)
	}
	if len(p.Output().Norm) != c.Hidden || p.Stop() != nil || p.ChatTemplate() != "" {
		t.Errorf("output %d, stop %v", len(p.Output().Norm), p.Stop())
	}
	if _, err := NewRowLayout(c, 1, 8); err == nil {
		t.Error("an embedder has rows")
	}
	bare := map[string]modeltest.Tensor{}
	for name, tensor := range modeltest.Decoders()["llama"].Tensors() {
		if name != "lm_head.weight" {
			bare[strings.TrimPrefix(name, "model.")] = tensor
		}
	}
	files["model.safetensors"] = encodeTensors(t, bare)
	files["config.json"] = []byte(strings.Replace(string(files["config.json"]), "LlamaForCausalLM", "LlamaModel", 1))
	other := openPack(t, importFiles(t, files))
	if got, want := other.DecoderLayer(1), p.DecoderLayer(1); string(int8Bytes(got.Down.Weights)) != string(int8Bytes(want.Down.Weights)) {
		t.Error("other weights without the prefix")
	}
}

func int8Bytes(x []int8) []byte {
	b := make([]byte, len(x))
	for i, v := range x {
		b[i] = byte(v)
	}
	return b
}

func TestDecoderEmbedderRefusals(t *testing.T) {
	replace := func(file, old, new string) func(map[string][]byte) {
		return func(f map[string][]byte) {
			changed := strings.Replace(string(f[file]), old, new, 1)
			if changed == string(f[file]) {
				t.Fatalf("%s has no %s", file, old)
			}
			f[file] = []byte(changed)
		}
	}
	for want, change := range map[string]func(map[string][]byte){
		"names no module Pooling":            replace("modules.json", `{"path": "1_Pooling", "type": "m.Pooling"}, `, ""),
		"truncate_dim 4096: the model makes": replace(PromptsFile, `"truncate_dim": 8`, `"truncate_dim": 4096`),
		"attend to those behind them":        replace("config.json", "{", `{"is_causal": false, `),
		"tensor \"model.more\" is of no use": func(f map[string][]byte) { f["model.safetensors"] = withTensor(t, "model.more") },
		"module Dense is not supported behind": func(f map[string][]byte) {
			replace("modules.json", "2_Normalize\", \"type\": \"m.Normalize", "2_Dense\", \"type\": \"m.Dense")(f)
			f["2_Dense/config.json"] = []byte(`{"in_features": 32, "out_features": 24, "activation_function": "torch.nn.Identity"}`)
		},
		"how the states of a LlamaModel become a vector": func(f map[string][]byte) {
			replace("config.json", "LlamaForCausalLM", "LlamaModel")(f)
			delete(f, "modules.json")
		},
	} {
		files := decoderEmbedder(t)
		change(files)
		err := Import(t.Context(), writeFolder(t, files), filepath.Join(t.TempDir(), "model.pack"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// withTensor is the weights of a decoder with one more.
func withTensor(t *testing.T, name string) []byte {
	t.Helper()
	all := modeltest.Decoders()["llama"].Tensors()
	all[name] = modeltest.Tensor{Shape: []int{1}, Values: []float32{1}}
	return encodeTensors(t, all)
}
