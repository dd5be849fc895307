package pack

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// tinyFiles returns the files of a small model.
func tinyFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := modeltest.Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// writeFolder writes files into a new folder.
func writeFolder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// importFiles imports a folder of the files and returns the pack's path.
func importFiles(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dst := filepath.Join(t.TempDir(), "models", "tiny", "model.pack")
	if err := Import(context.Background(), writeFolder(t, files), dst, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

func openPack(t testing.TB, path string) *Pack {
	t.Helper()
	p, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestImportedConfig(t *testing.T) {
	p := openPack(t, importFiles(t, tinyFiles(t)))
	want := Config{
		Architecture: "BertModel", Layers: modeltest.Layers, Hidden: modeltest.Hidden, Heads: modeltest.Heads,
		Intermediate: modeltest.Intermediate, Vocabulary: 76, Positions: modeltest.Positions, Types: 2,
		Epsilon: 1e-12, MaxTokens: modeltest.MaxTokens, Pooling: Mean, Normalize: true,
	}
	if p.Config() != want {
		t.Errorf("got  %+v\nwant %+v", p.Config(), want)
	}
	if err := p.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	tok, err := p.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	if ids := tok.EncodeDocument("Ab", 0); len(ids) != 4 || ids[0] != 2 || ids[3] != 3 {
		t.Errorf("EncodeDocument = %v", ids)
	}
}

// requireLinear compares columns [first, first+n) of l with the source: each
// weight within half a quantisation step, the largest one exact.
func requireLinear(t *testing.T, l Linear, first int, name string) {
	t.Helper()
	weights, bias := modeltest.Tensors()[name+".weight"], modeltest.Tensors()[name+".bias"]
	for r := range weights.Shape[0] {
		n := first + r
		row := weights.Values[r*l.K : (r+1)*l.K]
		sum, largest := int32(0), int8(0)
		for k, w := range row {
			q := l.Weights[k*l.N+n]
			sum += int32(q)
			largest = max(largest, q, -q)
			if diff := math.Abs(float64(q)*float64(l.Scale[n]) - float64(w)); diff > 0.5001*float64(l.Scale[n]) {
				t.Fatalf("%s [%d,%d] is off by %v steps", name, r, k, diff/float64(l.Scale[n]))
			}
		}
		if sum != l.ColSum[n] || l.Bias[n] != bias.Values[r] || largest != 127 {
			t.Fatalf("%s channel %d: sum %d (%d), bias %v (%v), largest %d",
				name, r, l.ColSum[n], sum, l.Bias[n], bias.Values[r], largest)
		}
	}
}

func TestLayersHoldTheSource(t *testing.T) {
	p := openPack(t, importFiles(t, tinyFiles(t)))
	for i, prefix := range []string{"encoder.layer.0.", "encoder.layer.1."} {
		l := p.Layer(i)
		requireLinear(t, l.QKV, 0, prefix+"attention.self.query")
		requireLinear(t, l.QKV, modeltest.Hidden, prefix+"attention.self.key")
		requireLinear(t, l.QKV, 2*modeltest.Hidden, prefix+"attention.self.value")
		requireLinear(t, l.Output, 0, prefix+"attention.output.dense")
		requireLinear(t, l.Up, 0, prefix+"intermediate.dense")
		requireLinear(t, l.Down, 0, prefix+"output.dense")
		tensors := modeltest.Tensors()
		if !slices.Equal(l.AttentionNorm.Gamma, tensors[prefix+"attention.output.LayerNorm.weight"].Values) ||
			!slices.Equal(l.OutputNorm.Beta, tensors[prefix+"output.LayerNorm.bias"].Values) {
			t.Errorf("the norms of layer %d differ", i)
		}
	}
}

func TestEmbeddingsHoldTheSource(t *testing.T) {
	p := openPack(t, importFiles(t, tinyFiles(t)))
	e, tensors := p.Embeddings(), modeltest.Tensors()
	words := tensors["embeddings.word_embeddings.weight"].Values
	for i, w := range words {
		scale := e.WordScale[i/modeltest.Hidden]
		if diff := math.Abs(float64(e.Words[i])*float64(scale) - float64(w)); diff > 0.5001*float64(scale) {
			t.Fatalf("word value %d is off by %v", i, diff)
		}
	}
	if !slices.Equal(e.Positions, tensors["embeddings.position_embeddings.weight"].Values) ||
		!slices.Equal(e.Types, tensors["embeddings.token_type_embeddings.weight"].Values) ||
		!slices.Equal(e.Norm.Gamma, tensors["embeddings.LayerNorm.weight"].Values) {
		t.Error("the tables differ")
	}
}

func TestImportIsDeterministic(t *testing.T) {
	first, err1 := os.ReadFile(importFiles(t, tinyFiles(t)))
	second, err2 := os.ReadFile(importFiles(t, tinyFiles(t)))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the same source gives two packs")
	}
}

func TestFingerprintFollowsTheSource(t *testing.T) {
	seen := map[[32]byte]string{}
	for name, change := range map[string]func(map[string][]byte){
		"nothing":   func(map[string][]byte) {},
		"weights":   func(f map[string][]byte) { f["model.safetensors"][len(f["model.safetensors"])-2] ^= 1 },
		"tokenizer": func(f map[string][]byte) { f["tokenizer.json"] = append(f["tokenizer.json"], ' ') },
		"pooling":   func(f map[string][]byte) { f["1_Pooling/config.json"] = []byte(`{"pooling_mode_cls_token": true}`) },
		"length":    func(f map[string][]byte) { delete(f, "sentence_bert_config.json") },
	} {
		files := tinyFiles(t)
		change(files)
		sum := openPack(t, importFiles(t, files)).Fingerprint()
		if other, ok := seen[sum]; ok {
			t.Errorf("a change of %s and one of %s have the same fingerprint", name, other)
		}
		seen[sum] = name
	}
}

func TestDamage(t *testing.T) {
	whole, err := os.ReadFile(importFiles(t, tinyFiles(t)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "broken.pack")
	open := func(data []byte) error {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Open(path)
		if err != nil {
			return err
		}
		return errors.Join(p.Verify(context.Background()), p.Close())
	}
	flip := func(at int) []byte {
		b := bytes.Clone(whole)
		b[at] ^= 0x10
		return b
	}
	newer := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(newer[8:], formatVersion+1)
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"whole", whole, nil},
		{"empty", nil, errForeign},
		{"another file", []byte("PK\x03\x04 and so on, long enough to hold a header"), errForeign},
		{"only packKind.magic", whole[:20], ErrTruncated},
		{"in the header", whole[:100], ErrTruncated},
		{"last byte missing", whole[:len(whole)-1], ErrTruncated},
		{"too long", append(bytes.Clone(whole), 0), ErrCorrupt},
		{"newer", newer, errVersion},
		{"header flipped", flip(fixedHeader + 9), ErrCorrupt},
		{"tokenizer flipped", flip(4096 + 100), ErrCorrupt},
		{"last layer flipped", flip(len(whole) - 4096), ErrCorrupt},
	} {
		if err := open(c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	whole, err := os.ReadFile(importFiles(f, tinyFiles(f)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:4096])
	reranker, err := os.ReadFile(rerankerPath(f, modeltest.Reranker{XLMRoberta: true}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(reranker)
	for name := range modeltest.Decoders() {
		decoder, err := os.ReadFile(importFiles(f, decoderFiles(f, name)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(decoder[:8192])
		f.Add(decoder)
	}
	f.Add([]byte(packKind.magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := decodeHeader(data, int64(len(data)), packKind)
		if err != nil {
			return
		}
		p := &Pack{data: data, header: h}
		p.Embeddings()
		for i := range h.Config.Layers {
			p.Layer(i)
			p.DecoderLayer(i)
		}
		p.Head()
		p.Output()
		if tok, err := p.Tokenizer(); err == nil {
			tok.Encode(strings.Repeat("a b", 3))
		}
	})
}
