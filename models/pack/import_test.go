package pack

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

func encodeTensors(t *testing.T, all map[string]modeltest.Tensor) []byte {
	t.Helper()
	data, err := modeltest.Safetensors(all)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRefusals(t *testing.T) {
	replace := func(file, old, new string) func(*testing.T, map[string][]byte) {
		return func(t *testing.T, f map[string][]byte) {
			changed := strings.Replace(string(f[file]), old, new, 1)
			if changed == string(f[file]) {
				t.Fatalf("%s has no %s", file, old)
			}
			f[file] = []byte(changed)
		}
	}
	tensors := func(change func(map[string]modeltest.Tensor)) func(*testing.T, map[string][]byte) {
		return func(t *testing.T, f map[string][]byte) {
			all := modeltest.Tensors()
			change(all)
			f["model.safetensors"] = encodeTensors(t, all)
		}
	}
	for _, c := range []struct {
		want   string
		change func(*testing.T, map[string][]byte)
	}{
		{"architecture [DebertaV2Model] is not supported yet; supported: BertModel, XLMRobertaModel, RobertaModel, MPNetModel, BertForSequenceClassification",
			replace("config.json", "BertModel", "DebertaV2Model")},
		{"architecture (none named)", replace("config.json", `"BertModel"`, "")},
		{"activation gelu_new", replace("config.json", `"gelu"`, `"gelu_new"`)},
		{"position embeddings of type relative_key", replace("config.json", "absolute", "relative_key")},
		{"not a multiple of 5 heads", replace("config.json", `"num_attention_heads": 4`, `"num_attention_heads": 5`)},
		{"layers of 0", replace("config.json", `"num_hidden_layers": 2`, `"num_hidden_layers": 0`)},
		{"tokens, the model embeds 7", replace("config.json", `"vocab_size": 76`, `"vocab_size": 7`)},
		{"pools by [max_tokens mean_tokens]", replace("1_Pooling/config.json", "pooling_mode_cls_token\": false", "pooling_mode_max_tokens\": true")},
		{"pools by [attention]; one of these ways is supported: mean, cls, max", replace("1_Pooling/config.json", `"pooling_mode_mean_tokens": true`, `"pooling_mode": "attention"`)},
		{"include_prompt", replace("1_Pooling/config.json", "pooling_mode_cls_token", "include_prompt")},
		{"models.LSTM is not supported; supported: Transformer, Pooling, Dense, Normalize", replace("modules.json", "models.Normalize", "models.LSTM")},
		{"module sentence_transformers.models.Dense", replace("modules.json", "models.Normalize", "models.Dense")},
		{"leaves the folder", replace("modules.json", `"1_Pooling"`, `"../1_Pooling"`)},
		{"model Unigram is not supported", replace("tokenizer.json", "WordPiece", "Unigram")},
		{`no tensor "encoder.layer.1.output.dense.bias"`,
			tensors(func(all map[string]modeltest.Tensor) { delete(all, "encoder.layer.1.output.dense.bias") })},
		{`"encoder.layer.0.output.dense.weight" has shape [64 32]`,
			tensors(func(all map[string]modeltest.Tensor) {
				w := all["encoder.layer.0.output.dense.weight"]
				w.Shape = []int{64, 32}
				all["encoder.layer.0.output.dense.weight"] = w
			})},
		{`tensor "embeddings.LayerNorm.bias" holds NaN at 3`,
			tensors(func(all map[string]modeltest.Tensor) {
				all["embeddings.LayerNorm.bias"].Values[3] = float32(math.NaN())
			})},
		{"cut short", func(_ *testing.T, f map[string][]byte) {
			f["model.safetensors"] = f["model.safetensors"][:len(f["model.safetensors"])-4]
		}},
		{"tokenizer.json", func(_ *testing.T, f map[string][]byte) { delete(f, "tokenizer.json") }},
	} {
		files := tinyFiles(t)
		c.change(t, files)
		dst := filepath.Join(t.TempDir(), "model.pack")
		err := Import(context.Background(), writeFolder(t, files), dst, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
		requireOnly(t, filepath.Dir(dst))
	}
}

// requireOnly verifies that a folder holds these files and no others.
func requireOnly(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

func TestOlderNamesOfTensors(t *testing.T) {
	files := tinyFiles(t)
	older := map[string]modeltest.Tensor{}
	for name, tensor := range modeltest.Tensors() {
		if strings.Contains(name, "LayerNorm") {
			name = strings.Replace(strings.Replace(name, ".weight", ".gamma", 1), ".bias", ".beta", 1)
		}
		older["bert."+name] = tensor
	}
	files["model.safetensors"] = encodeTensors(t, older)
	p := openPack(t, importFiles(t, files))
	if got, want := p.Layer(1).OutputNorm.Gamma[0], modeltest.Tensors()["encoder.layer.1.output.LayerNorm.weight"].Values[0]; got != want {
		t.Errorf("gamma %v, want %v", got, want)
	}
}

// Without the files of sentence-transformers the usual way of use is assumed.
func TestPlainFolder(t *testing.T) {
	files := tinyFiles(t)
	for _, name := range []string{"modules.json", "sentence_bert_config.json", "1_Pooling/config.json"} {
		delete(files, name)
	}
	c := openPack(t, importFiles(t, files)).Config()
	if c.Pooling != Mean || !c.Normalize || c.MaxTokens != modeltest.Positions {
		t.Errorf("%+v", c)
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	dst := filepath.Join(t.TempDir(), "model.pack")
	folder := writeFolder(t, tinyFiles(t))
	err := Import(ctx, folder, dst, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	requireOnly(t, filepath.Dir(dst))
	var last, total int64
	if err := Import(context.Background(), folder, dst, func(done, all int64) { last, total = done, all }); err != nil {
		t.Fatal(err)
	}
	requireOnly(t, filepath.Dir(dst), "model.pack")
	if info, err := os.Stat(dst); err != nil || last != total || info.Size() != total {
		t.Errorf("progress ended at %d of %d, the file has %d bytes (%v)", last, total, info.Size(), err)
	}
}

func TestQuantizeRow(t *testing.T) {
	dst := make([]int8, 8)
	if scale := quantizeRow(dst, []float32{1.27, -1.27, 0.005, 0.015}); math.Abs(float64(scale)-0.01) > 1e-7 {
		t.Errorf("scale %v", scale)
	}
	if dst[0] != 127 || dst[1] != -127 || dst[2] != 0 {
		t.Errorf("%v", dst)
	}
	dst[0] = 9
	if scale := quantizeRow(dst, []float32{0, 0}); scale != 0 || dst[0] != 0 {
		t.Errorf("a row of zeros: scale %v, %v", scale, dst)
	}
}

func TestTranspose(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {3, 5}, {64, 64}, {65, 130}, {200, 7}} {
		rows, columns := shape[0], shape[1]
		const first, more = 2, 3 // columns of dst before and after
		stride := first + rows + more
		src, dst := make([]int8, rows*columns), make([]int8, columns*stride)
		for i := range src {
			src[i] = int8(i%255 - 127)
		}
		transpose(dst[first:], stride, src, columns)
		for c := range columns {
			for at, got := range dst[c*stride : (c+1)*stride] {
				want := int8(0)
				if r := at - first; r >= 0 && r < rows {
					want = src[r*columns+c]
				}
				if got != want {
					t.Fatalf("%v: row %d of dst has %d at %d, want %d", shape, c, got, at, want)
				}
			}
		}
	}
}

func BenchmarkImport(b *testing.B) {
	folder := os.Getenv("DOWSE_TEST_MODEL")
	if folder == "" {
		b.Skip("set DOWSE_TEST_MODEL to a Hugging Face folder of a BERT")
	}
	dst := filepath.Join(b.TempDir(), "model.pack")
	for b.Loop() {
		if err := Import(context.Background(), folder, dst, nil); err != nil {
			b.Fatal(err)
		}
	}
}
