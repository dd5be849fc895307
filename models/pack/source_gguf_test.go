package pack

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// ggufParts returns what a GGUF file of a small Qwen2 says.
func ggufParts() (map[string]any, map[string]modeltest.Tensor) {
	metadata := map[string]any{
		"general.architecture": "qwen2", "qwen2.block_count": uint32(1), "qwen2.embedding_length": uint32(4),
		"qwen2.attention.head_count": uint32(2), "qwen2.feed_forward_length": uint32(2), "qwen2.context_length": uint32(16),
		"qwen2.attention.layer_norm_rms_epsilon": float32(1e-6),
		"tokenizer.ggml.model":                   "gpt2", "tokenizer.ggml.pre": "gpt-2",
		"tokenizer.ggml.tokens": []string{"a", "b", "ab"}, "tokenizer.ggml.merges": []string{"a b"}, "tokenizer.ggml.token_type": []int32{1, 1, 1},
	}
	tensors := map[string]modeltest.Tensor{}
	for name, shape := range map[string][]int{
		"token_embd.weight": {3, 4}, "output_norm.weight": {4}, "blk.0.attn_norm.weight": {4}, "blk.0.ffn_norm.weight": {4},
		"blk.0.attn_q.weight": {4, 4}, "blk.0.attn_k.weight": {4, 4}, "blk.0.attn_v.weight": {4, 4}, "blk.0.attn_output.weight": {4, 4},
		"blk.0.attn_q.bias": {4}, "blk.0.attn_k.bias": {4}, "blk.0.attn_v.bias": {4},
		"blk.0.ffn_gate.weight": {2, 4}, "blk.0.ffn_up.weight": {2, 4}, "blk.0.ffn_down.weight": {4, 2},
	} {
		n := 1
		for _, d := range shape {
			n *= d
		}
		tensors[name] = modeltest.Tensor{Shape: shape, Values: make([]float32, n)}
	}
	return metadata, tensors
}

func TestGGUFRefusals(t *testing.T) {
	set := func(key string, value any) func(map[string]any, map[string]modeltest.Tensor) {
		return func(m map[string]any, _ map[string]modeltest.Tensor) { m[key] = value }
	}
	add := func(name string, values ...float32) func(map[string]any, map[string]modeltest.Tensor) {
		return func(_ map[string]any, all map[string]modeltest.Tensor) {
			all[name] = modeltest.Tensor{Shape: []int{len(values)}, Values: values}
		}
	}
	for _, c := range []struct {
		want   string
		change func(map[string]any, map[string]modeltest.Tensor)
	}{
		{"architecture gemma of a GGUF file is not supported yet; supported: llama, qwen2, qwen3", set("general.architecture", "gemma")},
		{"architecture (none named)", func(m map[string]any, _ map[string]modeltest.Tensor) { delete(m, "general.architecture") }},
		{`"general.architecture" is of type uint32`, set("general.architecture", uint32(1))},
		{"split over 3 GGUF files", set("split.count", uint32(3))},
		{"layers of 0", set("qwen2.block_count", uint32(0))},
		{`"qwen2.block_count" is of type string`, set("qwen2.block_count", "one")},
		{"is 4294967295", set("qwen2.context_length", uint32(1<<32-1))},
		{"keys of width 2 and values of width 4", set("qwen2.attention.value_length", uint32(4))},
		{"rotating 1 values of heads of width 2", set("qwen2.rope.dimension_count", uint32(1))},
		{"architecture qwen2 of a GGUF file with experts is not supported; supported with experts: llama, qwen3moe", set("qwen2.expert_count", uint32(8))},
		{`rotary scaling "yarn"`, set("qwen2.rope.scaling.type", "yarn")},
		{`pre-tokenizer "falcon" is not supported`, set("tokenizer.ggml.pre", "falcon")},
		{`tokenizer model "bert" is not supported`, set("tokenizer.ggml.model", "bert")},
		{"4 tokens, the model embeds 3", func(m map[string]any, _ map[string]modeltest.Tensor) {
			m["tokenizer.ggml.tokens"], m["tokenizer.ggml.token_type"] = []string{"a", "b", "ab", "c"}, []int32{1, 1, 1, 1}
		}},
		{"rotary scaling that is not supported; supported: that of Llama 3.1", add(rotaryFactors, 3)},
		{"has shape [2]", add(rotaryFactors, 1, 1)},
		{`"blk.0.attn_q_norm.weight" is of no use`, add("blk.0.attn_q_norm.weight", 1, 1)},
		{`no tensor "blk.0.attn_k.bias"`, func(_ map[string]any, all map[string]modeltest.Tensor) { delete(all, "blk.0.attn_k.bias") }},
	} {
		metadata, tensors := ggufParts()
		c.change(metadata, tensors)
		data, err := modeltest.GGUF(metadata, tensors)
		if err != nil {
			t.Fatal(err)
		}
		requireRefusal(t, writeGGUF(t, data), c.want)
	}
	metadata, tensors := ggufParts()
	data, err := modeltest.GGUF(metadata, tensors)
	if err != nil {
		t.Fatal(err)
	}
	if c := openPack(t, importGGUF(t, data)).Config(); c.Vocabulary != 3 || c.KVHeads != 2 || c.HeadDim != 2 {
		t.Errorf("unchanged: config %+v", c)
	}
	requireRefusal(t, writeGGUF(t, []byte("PK and so on")), "not a valid GGUF file")
	requireRefusal(t, filepath.Join(t.TempDir(), "absent"), "no such file")
}

func TestTensorTypesAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	metadata, tensors := ggufParts()
	tensors["blk.0.ffn_down.weight"] = modeltest.Tensor{Shape: []int{4, 2}, Values: make([]float32, 8)}
	data, err := modeltest.GGUF(metadata, tensors)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(data), "blk.0.ffn_down.weight") + len("blk.0.ffn_down.weight") + 4 + 2*8
	data[at] = 26 // I32, as wide as F32
	written := false
	err = Import(t.Context(), writeGGUF(t, data), filepath.Join(t.TempDir(), "p"), func(int64, int64) { written = true })
	if err == nil || !strings.Contains(err.Error(), `tensor "blk.0.ffn_down.weight" has type I32, which is not supported`) || written {
		t.Errorf("error %v, written %t", err, written)
	}
}

func TestGGUFConfigs(t *testing.T) {
	importParts := func(change map[string]any) Config {
		metadata, tensors := ggufParts()
		for key, value := range change {
			metadata[key] = value
		}
		data, err := modeltest.GGUF(metadata, tensors)
		if err != nil {
			t.Fatal(err)
		}
		return openPack(t, importGGUF(t, data)).Config()
	}
	base := importParts(nil)
	if base.RotaryBase != 10000 || base.RotaryScaling != (RotaryScaling{}) || base.SlidingWindow != 0 || !base.TiedOutput {
		t.Errorf("defaults: %+v", base)
	}
	linear := importParts(map[string]any{
		"qwen2.rope.scaling.type": "linear", "qwen2.rope.scaling.factor": float32(4), "qwen2.rope.freq_base": float32(5000),
		"qwen2.attention.head_count_kv": uint32(2), "qwen2.attention.sliding_window": uint32(8),
	})
	want := base
	want.RotaryBase, want.RotaryScaling, want.SlidingWindow = 5000, RotaryScaling{Kind: "linear", Factor: 4}, 8
	if linear != want {
		t.Errorf(" got %+v\nwant %+v", linear, want)
	}
	if c := importParts(map[string]any{"qwen2.attention.sliding_window": uint32(16)}); c != base {
		t.Errorf("a window as long as the context: %+v", c)
	}
}

// A file of the SentencePiece kind that says little more than the pieces starts
// documents with BOS and texts with a space.
func TestGGUFSentencePieceDefaults(t *testing.T) {
	metadata, tensors := ggufParts()
	for key := range metadata {
		if strings.HasPrefix(key, "tokenizer.") {
			delete(metadata, key)
		}
	}
	metadata["tokenizer.ggml.model"] = "llama"
	metadata["tokenizer.ggml.tokens"] = []string{"<unk>", "<s>", "</s>", "▁", "a", "▁a"}
	metadata["tokenizer.ggml.scores"] = []float32{0, 0, 0, -1, -2, -3}
	metadata["tokenizer.ggml.token_type"] = []int32{2, 3, 3, 1, 1, 1}
	metadata["tokenizer.ggml.eos_token_id"] = uint32(2)
	tensors["token_embd.weight"] = modeltest.Tensor{Shape: []int{6, 4}, Values: make([]float32, 24)}
	data, err := modeltest.GGUF(metadata, tensors)
	if err != nil {
		t.Fatal(err)
	}
	p := openPack(t, importGGUF(t, data))
	tok, err := p.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	if ids := tok.EncodeDocument("a a", 0); !slices.Equal(ids, []int32{1, 5, 5}) || !slices.Equal(p.Stop(), []int32{2}) {
		t.Errorf("ids %v, stop %v", ids, p.Stop())
	}
}

// numberedRows are rows that hold their own numbers.
type numberedRows struct{ width int }

func (numberedRows) CheckType() error { return nil }

func (r numberedRows) ReadRows(dst []float32, first int) error {
	for i := range dst {
		dst[i] = float32(first*r.width + i)
	}
	return nil
}

// In a Llama's GGUF file, row 2i+j of a head is what was row j*half+i.
func TestHalfSplitRows(t *testing.T) {
	want := []float32{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}
	vector := halfSplitRows{tensor{numberedRows{12}, "bias", []int{12}}, 6}
	got := make([]float32, 12)
	if err := vector.ReadRows(got, 0); err != nil || !slices.Equal(got, want) {
		t.Errorf("vector: %v, %v, want %v", got, err, want)
	}
	matrix := halfSplitRows{tensor{numberedRows{2}, "weight", []int{12, 2}}, 6}
	rows := make([]float32, 4*2)
	if err := matrix.ReadRows(rows, 5); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if row := want[5+i]; rows[2*i] != 2*row || rows[2*i+1] != 2*row+1 {
			t.Errorf("row %d: %v, want row %v of the file", 5+i, rows[2*i:2*i+2], row)
		}
	}
}

// The factors of every scaling that is known lead back to it and to no other.
func TestFactorsLeadToTheirScaling(t *testing.T) {
	const base, half = 500000.0, 32
	for _, scaling := range llama3Scalings {
		factors := make([]float32, half)
		for i := range factors {
			wavelength := 2 * math.Pi * math.Pow(base, float64(i)/half)
			long := float64(scaling.OriginalPositions) / scaling.LowFrequency
			short := float64(scaling.OriginalPositions) / scaling.HighFrequency
			switch smooth := (float64(scaling.OriginalPositions)/wavelength - scaling.LowFrequency) / (scaling.HighFrequency - scaling.LowFrequency); {
			case wavelength < short:
				factors[i] = 1
			case wavelength > long:
				factors[i] = float32(scaling.Factor)
			default:
				factors[i] = float32(1 / ((1-smooth)/scaling.Factor + smooth))
			}
		}
		for _, other := range llama3Scalings {
			if other.gives(factors, base) != (other == scaling) {
				t.Errorf("the factors of %+v and %+v", scaling, other)
			}
		}
	}
}
