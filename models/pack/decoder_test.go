package pack

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/pack/directio"
)

// decoderFiles returns the files of a small decoder.
func decoderFiles(t testing.TB, name string) map[string][]byte {
	t.Helper()
	files, err := modeltest.Decoders()[name].Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ggufPack imports the reference GGUF file of a small decoder.
func ggufPack(t testing.TB, name string) *Pack {
	t.Helper()
	data, err := modeltest.ReferenceGGUF(name)
	if err != nil {
		t.Fatal(err)
	}
	return openPack(t, importGGUF(t, data))
}

// importGGUF imports a GGUF file and returns the pack's path.
func importGGUF(t testing.TB, data []byte) string {
	t.Helper()
	path := writeGGUF(t, data)
	dst := filepath.Join(t.TempDir(), "model.pack")
	if err := Import(t.Context(), path, dst, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

func writeGGUF(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.gguf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDecoderConfigs(t *testing.T) {
	base := Config{
		Layers: 2, Hidden: 32, Heads: 4, Intermediate: 32, Vocabulary: 128, Positions: 64, Epsilon: 1e-5, MaxTokens: 64,
		Decoder: true, KVHeads: 2, HeadDim: 8, TiedOutput: true,
	}
	llama, linear, qwen2, qwen3 := base, base, base, base
	llama.Architecture, llama.RotaryBase, llama.TiedOutput = "LlamaForCausalLM", 500000, false
	llama.RotaryScaling = RotaryScaling{Kind: "llama3", Factor: 8, LowFrequency: 1, HighFrequency: 4, OriginalPositions: 8192}
	llama.Positions, llama.MaxTokens = 16384, 16384
	linear.Architecture, linear.RotaryBase, linear.KVHeads = "LlamaForCausalLM", 10000, 1
	linear.RotaryScaling = RotaryScaling{Kind: "linear", Factor: 4}
	qwen2.Architecture, qwen2.RotaryBase, qwen2.SlidingWindow, qwen2.SlidingFrom = "Qwen2ForCausalLM", 1000000, 4, 1
	qwen3.Architecture, qwen3.RotaryBase, qwen3.HeadDim, qwen3.Intermediate, qwen3.QKNorm = "Qwen3ForCausalLM", 1000000, 16, 64, true
	for name, want := range map[string]Config{"llama": llama, "llama-linear": linear, "qwen2": qwen2, "qwen3": qwen3} {
		p := openPack(t, importFiles(t, decoderFiles(t, name)))
		if p.Config() != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, p.Config(), want)
		}
		if err := p.Verify(t.Context()); err != nil {
			t.Error(err)
		}
		if !slices.Equal(p.Stop(), []int32{1, 2}) || !strings.HasSuffix(p.ChatTemplate(), "<|end|>") {
			t.Errorf("%s: stop %v, template %q", name, p.Stop(), p.ChatTemplate())
		}
	}
	c := qwen2
	if c.Window(0) != 0 || c.Window(1) != 4 || base.Window(1) != 0 {
		t.Errorf("windows %d, %d and %d", c.Window(0), c.Window(1), base.Window(1))
	}
}

// The file of the reference writer and the folder give the same weights: exactly
// where the file is F16, which holds them exactly. So query and key rows of the
// Llama are back in order.
func TestGGUFAndFolderGiveTheSamePack(t *testing.T) {
	for name, tolerance := range map[string]float64{"llama": 0, "qwen2": 0, "qwen3": 0.02} {
		folder, file := openPack(t, importFiles(t, decoderFiles(t, name))), ggufPack(t, name)
		want := folder.Config()
		want.SlidingWindow, want.SlidingFrom = 0, 0                       // which GGUF files of Qwen2 do not name
		want.Forms = map[string]string{"qwen3": "hhhhhhhhhhhhhh--"}[name] // whose file is Q8_0
		if file.Config() != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, file.Config(), want)
		}
		a, b := weightsOf(folder), weightsOf(file)
		if len(a) != len(b) {
			t.Fatalf("%s: %d and %d numbers", name, len(a), len(b))
		}
		for i := range a {
			if d := math.Abs(float64(a[i] - b[i])); !(d <= tolerance) {
				t.Fatalf("%s: number %d is %v from the folder and %v from the file", name, i, a[i], b[i])
			}
		}
		if folder.Fingerprint() == file.Fingerprint() {
			t.Errorf("%s: different sources have the same fingerprint", name)
		}
		requireSamePrompting(t, folder, file)
	}
}

// requireSamePrompting compares tokenizer, stops and template.
func requireSamePrompting(t *testing.T, a, b *Pack) {
	t.Helper()
	one, err1 := a.Tokenizer()
	two, err2 := b.Tokenizer()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	const text = "<|begin|>The thing in another\ntheatre 42"
	if got, want := two.Encode(text), one.Encode(text); !slices.Equal(got, want) || len(got) < 10 {
		t.Errorf("ids %v, want %v", got, want)
	}
	if !slices.Equal(a.Stop(), b.Stop()) || a.ChatTemplate() != b.ChatTemplate() {
		t.Errorf("stop %v and %v, templates %q and %q", a.Stop(), b.Stop(), a.ChatTemplate(), b.ChatTemplate())
	}
}

// weightsOf lists all numbers of a decoder's pack, dequantised.
func weightsOf(p *Pack) []float32 {
	var all []float32
	rows := func(words []int8, scale []float32) {
		for i, w := range words {
			all = append(all, float32(w)*scale[i*len(scale)/len(words)])
		}
	}
	linear := func(l Linear) {
		l = l.inBytes()
		for i, w := range l.Weights {
			all = append(all, float32(w)*l.Scale[i%l.N])
		}
		all = append(all, l.Bias...)
	}
	e, o := p.Embeddings(), p.Output()
	rows(e.Words, e.WordScale)
	rows(o.Words, o.WordScale)
	all = append(all, o.Norm...)
	for i := range p.Config().Layers {
		l := p.DecoderLayer(i)
		for _, m := range []Linear{l.QKV, l.Output, l.GateUp, l.Down} {
			linear(m)
		}
		all = slices.Concat(all, l.AttentionNorm, l.QueryNorm, l.KeyNorm, l.MLPNorm)
	}
	return all
}

func TestShardsGiveTheSamePack(t *testing.T) {
	files := decoderFiles(t, "llama")
	whole := openPack(t, importFiles(t, files))
	shards := [2]map[string]modeltest.Tensor{{}, {}}
	index := []string{}
	for name, tensor := range modeltest.Decoders()["llama"].Tensors() {
		i := len(name) % 2
		shards[i][name] = tensor
		index = append(index, `"`+name+`": "`+[]string{"a", "b"}[i]+`.safetensors"`)
	}
	delete(files, "model.safetensors")
	files["a.safetensors"], files["b.safetensors"] = encodeTensors(t, shards[0]), encodeTensors(t, shards[1])
	files["model.safetensors.index.json"] = []byte(`{"weight_map": {` + strings.Join(index, ", ") + `}}`)
	split := openPack(t, importFiles(t, files))
	if !slices.Equal(weightsOf(whole), weightsOf(split)) || whole.Config() != split.Config() {
		t.Error("the shards give another pack")
	}
}

func TestDecoderStream(t *testing.T) {
	for _, name := range []string{"llama", "qwen3"} {
		path := importFiles(t, decoderFiles(t, name))
		p := openPack(t, path)
		s, err := OpenStream(path)
		if err != nil {
			t.Fatal(err)
		}
		c := s.Config()
		for i := range c.Layers {
			got, err := s.ReadDecoderLayer(i, directio.AlignedBytes(c.LayerBuffer()))
			want := p.DecoderLayer(i)
			if err != nil || !slices.Equal(got.GateUp.Weights, want.GateUp.Weights) || !slices.Equal(got.KeyNorm, want.KeyNorm) || !slices.Equal(got.Down.ColSum, want.Down.ColSum) {
				t.Errorf("%s: layer %d differs (%v)", name, i, err)
			}
		}
		o, err := s.ReadOutput(directio.AlignedBytes(c.OutputBuffer()))
		if want := p.Output(); err != nil || !slices.Equal(o.Norm, want.Norm) || !c.TiedOutput && !slices.Equal(o.Words, want.Words) || c.TiedOutput && o.Words != nil {
			t.Errorf("%s: the output differs (%v)", name, err)
		}
		tables, err := s.ReadTables(directio.AlignedBytes(c.TablesBuffer()))
		if err != nil || !slices.Equal(tables.WordScale, p.Embeddings().WordScale) {
			t.Errorf("%s: the scales of the words differ (%v)", name, err)
		}
		_, layer := s.ReadLayer(0, directio.AlignedBytes(c.LayerBuffer()))
		_, head := s.ReadHead(directio.AlignedBytes(c.OutputBuffer()))
		if layer == nil || head == nil {
			t.Errorf("%s: an encoder's layer (%v) or head (%v) can be read", name, layer, head)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if l := p.Layer(0); l.QKV.Weights != nil || p.Head().Weights != nil {
			t.Errorf("%s has parts of an encoder", name)
		}
	}
}

func TestEncodersHaveNoPartsOfDecoders(t *testing.T) {
	path := importFiles(t, tinyFiles(t))
	p := openPack(t, path)
	if l, o := p.DecoderLayer(0), p.Output(); l.QKV.Weights != nil || o.Norm != nil || p.Stop() != nil || p.ChatTemplate() != "" {
		t.Errorf("layer %+v, output %+v", l, o)
	}
	s, err := OpenStream(path)
	if err != nil {
		t.Fatal(err)
	}
	_, layer := s.ReadDecoderLayer(0, nil)
	_, output := s.ReadOutput(nil)
	if err := errors.Join(s.Close()); err != nil || layer == nil || output == nil {
		t.Errorf("a layer (%v) or output (%v) of a decoder can be read; %v", layer, output, err)
	}
}
