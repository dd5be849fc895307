package pack

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

func TestRerankerConfig(t *testing.T) {
	base := Config{
		Layers: modeltest.Layers, Hidden: modeltest.Hidden, Heads: modeltest.Heads, Intermediate: modeltest.Intermediate,
		Vocabulary: 76, Positions: modeltest.Positions, Epsilon: 1e-12, Types: 2, MaxTokens: modeltest.Positions,
	}
	for _, c := range []struct {
		name   string
		model  modeltest.Reranker
		change func(*Config)
	}{
		{"BERT", modeltest.Reranker{}, func(c *Config) { c.Architecture, c.Head = "BertForSequenceClassification", TanhHead }},
		{"BERT with layer heads", modeltest.Reranker{LayerHeads: true}, func(c *Config) { c.Architecture, c.Head = "BertForSequenceClassification", LayerHeads }},
		{"XLM-RoBERTa", modeltest.Reranker{XLMRoberta: true}, func(c *Config) {
			c.Architecture, c.Head, c.Types = "XLMRobertaForSequenceClassification", TanhHead, 1
			c.FirstPosition, c.MaxTokens = 2, modeltest.Positions-2
		}},
	} {
		for _, bare := range []bool{false, true} {
			c.model.Bare = bare
			want := base
			c.change(&want)
			p := openPack(t, rerankerPath(t, c.model))
			if p.Config() != want {
				t.Errorf("%s: got  %+v\nwant %+v", c.name, p.Config(), want)
			}
			if err := p.Verify(context.Background()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestHeadsHoldTheSource(t *testing.T) {
	for _, c := range []struct {
		model                          modeltest.Reranker
		dense, denseBias, weight, bias string
	}{
		{modeltest.Reranker{}, "bert.pooler.dense.weight", "bert.pooler.dense.bias", "classifier.weight", "classifier.bias"},
		{modeltest.Reranker{Bare: true}, "pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias"},
		{modeltest.Reranker{XLMRoberta: true}, "classifier.dense.weight", "classifier.dense.bias", "classifier.out_proj.weight", "classifier.out_proj.bias"},
		{modeltest.Reranker{LayerHeads: true}, "", "", "heads.weight", "heads.bias"},
	} {
		h, tensors := openPack(t, rerankerPath(t, c.model)).Head(), c.model.Tensors()
		if !slices.Equal(h.Dense, tensors[c.dense].Values) || !slices.Equal(h.DenseBias, tensors[c.denseBias].Values) ||
			!slices.Equal(h.Weights, tensors[c.weight].Values) || !slices.Equal(h.Bias, tensors[c.bias].Values) {
			t.Errorf("%+v: the head differs", c.model)
		}
		requireBody(t, c.model)
	}
	if h := openPack(t, importFiles(t, tinyFiles(t))).Head(); h.Weights != nil {
		t.Errorf("a model of vectors has a head: %+v", h)
	}
}

// requireBody verifies that the prefix of the names makes no difference.
func requireBody(t *testing.T, model modeltest.Reranker) {
	t.Helper()
	layer := openPack(t, rerankerPath(t, model)).Layer(1)
	model.Bare = true
	if want := model.Tensors()["encoder.layer.1.output.LayerNorm.weight"].Values; !slices.Equal(layer.OutputNorm.Gamma, want) {
		t.Errorf("%+v: gamma %v, want %v", model, layer.OutputNorm.Gamma, want)
	}
}

// Packs of vector models do not change because there are models with heads:
// indexes name the fingerprint that their vectors come from.
func TestPacksOfVectorModelsStay(t *testing.T) {
	p := openPack(t, importFiles(t, tinyFiles(t)))
	const want = "0fb8f570146d118c9ec1a389a394517d67a3c7d382524ecf70d0260d3f929420"
	if sum := p.header.Fingerprint; sum != want {
		t.Errorf("fingerprint %s, want %s", sum, want)
	}
	if text, err := p.header.encode(0); err != nil || strings.Contains(string(text), `"head":`) || strings.Contains(string(text), "first_position") {
		t.Errorf("the header holds fields of other models: %s (%v)", text, err)
	}
}

func TestRerankerRefusals(t *testing.T) {
	change := func(f func(map[string]modeltest.Tensor)) func(*testing.T, map[string][]byte) {
		return func(t *testing.T, files map[string][]byte) {
			all := modeltest.Reranker{}.Tensors()
			f(all)
			files["model.safetensors"] = encodeTensors(t, all)
		}
	}
	replace := func(old, new string) func(*testing.T, map[string][]byte) {
		return func(_ *testing.T, files map[string][]byte) {
			files["config.json"] = []byte(strings.Replace(string(files["config.json"]), old, new, 1))
		}
	}
	for _, c := range []struct {
		want   string
		change func(*testing.T, map[string][]byte)
	}{
		{`tensor "classifier.weight" is for 3 labels`, change(func(all map[string]modeltest.Tensor) {
			all["classifier.weight"] = modeltest.Tensor{Shape: []int{3, modeltest.Hidden}, Values: make([]float32, 3*modeltest.Hidden)}
		})},
		{`no tensor "bert.pooler.dense.weight"`, change(func(all map[string]modeltest.Tensor) { delete(all, "bert.pooler.dense.weight") })},
		{`tensor "lora.weight" is of no use`, change(func(all map[string]modeltest.Tensor) {
			all["lora.weight"] = modeltest.Tensor{Shape: []int{1}, Values: []float32{1}}
		})},
		{`tensor "classifier.bias" is of no use to a BertForSequenceClassification with the head "layers"`, change(func(all map[string]modeltest.Tensor) {
			all["heads.weight"] = modeltest.Tensor{Shape: []int{modeltest.Layers, modeltest.Hidden}, Values: make([]float32, modeltest.Layers*modeltest.Hidden)}
		})},
		{`tensor "heads.weight" has shape [1 32], the configuration asks for [2 32]`, change(func(all map[string]modeltest.Tensor) {
			delete(all, "classifier.weight")
			delete(all, "classifier.bias")
			all["heads.weight"] = modeltest.Tensor{Shape: []int{1, modeltest.Hidden}, Values: make([]float32, modeltest.Hidden)}
		})},
		{"is_decoder is not supported", replace(`"type_vocab_size"`, `"is_decoder": true, "type_vocab_size"`)},
		{"architecture [DebertaV2ForSequenceClassification] is not supported", replace("BertFor", "DebertaV2For")},
	} {
		files, err := modeltest.Reranker{}.Files()
		if err != nil {
			t.Fatal(err)
		}
		c.change(t, files)
		err = Import(t.Context(), writeFolder(t, files), filepath.Join(t.TempDir(), "model.pack"), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
