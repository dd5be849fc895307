package pack

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// modernFiles are those of a small ModernBERT that scores, changed.
func modernFiles(t *testing.T, change func(config map[string]any, tensors map[string]modeltest.Tensor)) map[string][]byte {
	t.Helper()
	model := modeltest.Reranker{ModernBERT: true}
	files, err := model.Files()
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]any
	if err := json.Unmarshal(files["config.json"], &config); err != nil {
		t.Fatal(err)
	}
	tensors := model.Tensors()
	change(config, tensors)
	if files["config.json"], err = json.Marshal(config); err != nil {
		t.Fatal(err)
	}
	files["model.safetensors"] = encodeTensors(t, tensors)
	return files
}

func TestModernBERTConfig(t *testing.T) {
	p := openPack(t, importFiles(t, modernFiles(t, func(map[string]any, map[string]modeltest.Tensor) {})))
	want := Config{
		Architecture: modernScorer, Layers: modeltest.Layers, Hidden: modeltest.Hidden, Heads: modeltest.Heads, Intermediate: modeltest.Intermediate,
		Vocabulary: 76, Positions: modeltest.Positions, Epsilon: 1e-5, MaxTokens: modeltest.Positions, Head: GeluHead, HeadPooling: CLS,
		KVHeads: modeltest.Heads, HeadDim: modeltest.Hidden / modeltest.Heads, RotaryBase: 160000,
		RotaryEncoder: RotaryEncoder{GlobalEvery: 2, Window: 5, LocalBase: 10000},
	}
	if got := p.Config(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if p.RotaryLayer(0).AttentionNorm.Gamma != nil || p.RotaryLayer(1).AttentionNorm.Gamma == nil || p.Layer(0).QKV.Weights != nil {
		t.Error("the norm before attention is not that of all layers but the first")
	}
	if e := p.Embeddings(); len(e.Final.Gamma) != modeltest.Hidden || e.Positions != nil || !slices.Equal(e.Norm.Beta, make([]float32, modeltest.Hidden)) {
		t.Error("other embeddings")
	}
}

// Both spellings of which layers are global mean the same, and a rule is needed.
func TestLayerKinds(t *testing.T) {
	full, local := fullAttention, slidingAttention
	for _, c := range []struct {
		kinds []string
		want  RotaryEncoder
		err   string
	}{
		{[]string{full, full, full}, RotaryEncoder{GlobalEvery: 1}, ""},
		{[]string{full, local, local, full, local}, RotaryEncoder{GlobalEvery: 3, Window: 4, LocalBase: 9}, ""},
		{[]string{local, local, full, local, local, full}, RotaryEncoder{GlobalEvery: 3, GlobalLayer: 2, Window: 4, LocalBase: 9}, ""},
		{[]string{local, full, local}, RotaryEncoder{GlobalEvery: 3, GlobalLayer: 1, Window: 4, LocalBase: 9}, ""},
		{[]string{full, local, full, full}, RotaryEncoder{}, "layer 3 breaks the rule"},
		{[]string{local, local}, RotaryEncoder{}, "at least one full_attention"},
		{[]string{full, "chunked_attention"}, RotaryEncoder{}, "chunked_attention is not supported"},
	} {
		config := Config{Layers: len(c.kinds)}
		err := config.localLayers(c.kinds, 4, 9)
		if c.err == "" && (err != nil || config.RotaryEncoder != c.want) {
			t.Errorf("%v: %+v, %v", c.kinds, config.RotaryEncoder, err)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%v: %v, want %q", c.kinds, err, c.err)
		}
	}
}

func TestModernBERTRefusals(t *testing.T) {
	set := func(key string, value any) func(map[string]any, map[string]modeltest.Tensor) {
		return func(config map[string]any, _ map[string]modeltest.Tensor) { config[key] = value }
	}
	for want, change := range map[string]func(map[string]any, map[string]modeltest.Tensor){
		"activation silu":                    set("hidden_activation", "silu"),
		"classifier_activation relu":         set("classifier_activation", "relu"),
		"rope_scaling":                       set("rope_scaling", map[string]any{"type": "yarn"}),
		`pools by "max"`:                     set("classifier_pooling", "max"),
		"not a multiple of 5 heads":          set("num_attention_heads", 5),
		"layer_types names 1 of 2":           set("layer_types", []string{"full_attention"}),
		`"model.layers.0.attn.Wqkv.bias", w`: set("attention_bias", true),
		`"model.layers.0.mlp_norm.bias"`:     set("norm_bias", true),
		"of type yarn":                       set("rope_parameters", map[string]any{"full_attention": map[string]any{"rope_type": "yarn", "rope_theta": 1e4}}),
		`tensor "model.layers.2.mlp_norm.weight" is of no use`: func(_ map[string]any, all map[string]modeltest.Tensor) {
			all["model.layers.2.mlp_norm.weight"] = all["model.layers.1.mlp_norm.weight"]
		},
		`"classifier.weight" is for 3 labels`: func(_ map[string]any, all map[string]modeltest.Tensor) {
			all["classifier.weight"] = modeltest.Tensor{Shape: []int{3, modeltest.Hidden}, Values: make([]float32, 3*modeltest.Hidden)}
		},
		`no tensor "head.dense.weight"`: func(_ map[string]any, all map[string]modeltest.Tensor) { delete(all, "head.dense.weight") },
	} {
		files := modernFiles(t, change)
		err := Import(t.Context(), writeFolder(t, files), filepath.Join(t.TempDir(), "model.pack"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Modules Dense without an activation in between are one: their product.
func TestModulesDenseOneBehindAnother(t *testing.T) {
	files := tinyFiles(t)
	files["modules.json"] = []byte(`[{"path": "", "type": "m.Transformer"}, {"path": "1_Pooling", "type": "m.Pooling"},
{"path": "2_Dense", "type": "m.Dense"}, {"path": "3_Dense", "type": "m.Dense"}]`)
	first, second := make([]float32, 3*modeltest.Hidden), []float32{1, 2, 3, 0, -1, .5}
	for i := range first {
		first[i] = float32(i%7) / 4
	}
	dense := func(path string, in, out int, activation string, weights, bias []float32) {
		files[path+"/config.json"] = fmt.Appendf(nil, `{"in_features": %d, "out_features": %d, "activation_function": "torch.nn.%s"}`, in, out, activation)
		files[path+"/model.safetensors"] = encodeTensors(t, map[string]modeltest.Tensor{
			"linear.weight": {Shape: []int{out, in}, Values: weights}, "linear.bias": {Shape: []int{out}, Values: bias},
		})
	}
	dense("2_Dense", modeltest.Hidden, 3, "Identity", first, []float32{1, 0, 2})
	dense("3_Dense", 3, 2, "Identity", second, []float32{.5, 0})
	p := openPack(t, importFiles(t, files))
	h := p.Head()
	for j := range modeltest.Hidden {
		a, b, c := first[j], first[modeltest.Hidden+j], first[2*modeltest.Hidden+j]
		if h.Dense[j] != a+2*b+3*c || h.Dense[modeltest.Hidden+j] != -b+.5*c {
			t.Fatalf("column %d: %v and %v", j, h.Dense[j], h.Dense[modeltest.Hidden+j])
		}
	}
	if !slices.Equal(h.DenseBias, []float32{1 + 6 + .5, 1}) || p.Config().Dimensions != 2 || p.Config().Normalize {
		t.Errorf("bias %v, %+v", h.DenseBias, p.Config())
	}
	refuse := func(want string) {
		err := Import(t.Context(), writeFolder(t, files), filepath.Join(t.TempDir(), "model.pack"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	dense("2_Dense", modeltest.Hidden, 3, "Tanh", first, []float32{1, 0, 2})
	refuse("in the last of several modules Dense only")
	dense("2_Dense", modeltest.Hidden, 4, "Identity", first, []float32{1, 0, 2})
	refuse("it takes 3 numbers, and what is before it makes 4")
	files["modules.json"] = []byte(`[{"path": "1_Pooling", "type": "m.Pooling"}, {"path": "2_LayerNorm", "type": "m.LayerNorm"}]`)
	files["2_LayerNorm/config.json"] = []byte(`{"dimension": 32}`)
	refuse("LayerNorm is supported in the head of a ModernBERT")
}
