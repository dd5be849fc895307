package rerankbench

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/pack"
)

// mini is a shape of a fraction of a megabyte.
var mini = Shape{Name: "mini", Layers: 3, Hidden: 32, Heads: 4, Intermediate: 48, Vocabulary: 500, Positions: 66, Limit: 60}

// written is the folder of a shape.
func written(t *testing.T, s Shape, seed uint64) string {
	t.Helper()
	folder := t.TempDir()
	if err := WriteShape(t.Context(), folder, s, seed); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestShapeBecomesAPack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), written(t, mini, 1), path, nil); err != nil {
		t.Fatal(err)
	}
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := p.Config()
	if c.Layers != mini.Layers || c.Hidden != mini.Hidden || c.Heads != mini.Heads || c.Intermediate != mini.Intermediate ||
		c.Vocabulary != mini.Vocabulary || c.Positions != mini.Positions || c.MaxTokens != mini.Limit || c.Head != pack.TanhHead || c.FirstPosition != 2 {
		t.Errorf("config %+v", c)
	}
	sum := int64(0)
	for _, tensor := range mini.tensors() {
		sum += int64(tensor.size())
	}
	if got := weights(c); got != sum {
		t.Errorf("%d weights, want %d", got, sum)
	}
	tokenizer, err := p.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	ids, _ := tokenizer.EncodePair("tea", "hot tea", 40)
	if tokenizer.Size() != mini.Vocabulary || ids[0] != 0 || ids[len(ids)-1] != 2 {
		t.Errorf("%d tokens, a pair is %v", tokenizer.Size(), ids)
	}
	spread := 0.0
	l := p.Layer(1).Up
	for i, w := range l.Weights {
		spread += math.Pow(float64(w)*float64(l.Scale[i%l.N]), 2)
	}
	if spread = math.Sqrt(spread / float64(len(l.Weights))); spread < 0.9*initialSpread || spread > 1.1*initialSpread {
		t.Errorf("weights spread by %v", spread)
	}
}

func TestShapeIsTheSameForASeed(t *testing.T) {
	read := func(seed uint64) []byte {
		data, err := os.ReadFile(filepath.Join(written(t, mini, seed), "model.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one := read(1)
	if !bytes.Equal(one, read(1)) || bytes.Equal(one, read(2)) {
		t.Error("weights do not follow from the seed")
	}
}

func TestShapeOf(t *testing.T) {
	for _, s := range shapes {
		if got, err := ShapeOf(s.Name); err != nil || got != s {
			t.Errorf("%s: %+v, %v", s.Name, got, err)
		}
	}
	if s, err := ShapeOf("Qwen3-Reranker-0.6B"); err != nil || s.Layers != 28 {
		t.Errorf("in capitals: %+v, %v", s, err)
	}
	if _, err := ShapeOf("large"); err == nil || !strings.Contains(err.Error(), `the shape "large" is unknown; choose from bge-m3, qwen`) {
		t.Errorf("an unknown one: %v", err)
	}
}

// The published sizes are 568 million weights for bge-reranker-v2-m3, and 596
// million for Qwen3-Reranker-0.6B.
func TestShapesOfPublishedModels(t *testing.T) {
	for name, want := range map[string]int{"bge-m3": 568e6, "qwen3-reranker-0.6b": 596e6} {
		shape, err := ShapeOf(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, tensor := range shape.tensors() {
			sum += tensor.size()
		}
		if sum < want-1e6 || sum > want+1e6 {
			t.Errorf("%s: %d weights", name, sum)
		}
	}
}

// miniDecoder is a decoder of a fraction of a megabyte.
var miniDecoder = Shape{
	Name: "mini-decoder", Layers: 3, Hidden: 32, Heads: 4, KVHeads: 2, HeadDim: 16, Intermediate: 48, Vocabulary: 1500, Positions: 600, Limit: 600,
}

// packed is the pack of a shape.
func packed(t *testing.T, s Shape) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.pack")
	if err := pack.Import(t.Context(), written(t, s, 1), path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDecoderShapeBecomesAPack(t *testing.T) {
	path := packed(t, miniDecoder)
	p, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	c, s := p.Config(), miniDecoder
	if !c.Decoder || c.Layers != s.Layers || c.Hidden != s.Hidden || c.Heads != s.Heads || c.KVHeads != s.KVHeads || c.HeadDim != s.HeadDim ||
		c.Intermediate != s.Intermediate || c.Vocabulary != s.Vocabulary || !c.QKNorm || !c.TiedOutput {
		t.Errorf("config %+v", c)
	}
	sum := int64(0)
	for _, tensor := range s.tensors() {
		sum += int64(tensor.size())
	}
	if got := weights(c); got != sum {
		t.Errorf("%d weights, want %d", got, sum)
	}
	tokenizer, err := p.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	if ids := tokenizer.Encode("<|im_start|>yes no</think>"); tokenizer.Size() != s.Vocabulary || len(ids) != 5 { // the space is one
		t.Errorf("%d tokens, a text is %v", tokenizer.Size(), ids)
	}
	for _, word := range []string{"yes", "no", "<|im_end|>", "<think>"} {
		if _, ok := tokenizer.ID(word); !ok {
			t.Errorf("%s is no token", word)
		}
	}
}

func TestSeededQueries(t *testing.T) {
	list := seededQueries(1, 3, 7, 50, 0, 1000)
	if len(list) != 3 {
		t.Fatalf("%d queries", len(list))
	}
	count := map[int32]int{}
	for _, q := range list {
		if len(q.pairs) != 7 || q.prior != nil {
			t.Fatalf("%d candidates, priors %v", len(q.pairs), q.prior)
		}
		for _, p := range q.pairs {
			if len(p.IDs) != 50 {
				t.Errorf("%d tokens", len(p.IDs))
			}
			for _, id := range p.IDs {
				if id < int32(len(specials)) || id >= 1000 {
					t.Errorf("token %d", id)
				}
				count[id]++
			}
		}
	}
	if first := count[int32(len(specials))]; first < 20 || len(count) < 200 {
		t.Errorf("%d different words, the first one %d times", len(count), first)
	}
}

// Candidates of a query begin alike, those of another query otherwise.
func TestSeededPrefix(t *testing.T) {
	const prefix = 20
	var first [][]int32
	for _, q := range seededQueries(1, 3, 5, 50, prefix, 1000) {
		for _, p := range q.pairs[1:] {
			if !slices.Equal(p.IDs[:prefix], q.pairs[0].IDs[:prefix]) || slices.Equal(p.IDs[prefix:], q.pairs[0].IDs[prefix:]) {
				t.Errorf("%v after %v", p.IDs, q.pairs[0].IDs)
			}
		}
		first = append(first, q.pairs[0].IDs[:prefix])
	}
	if slices.Equal(first[0], first[1]) || slices.Equal(first[1], first[2]) {
		t.Errorf("all queries begin with %v", first[0])
	}
}

func TestThresholdJSON(t *testing.T) {
	data, err := json.Marshal([]Threshold{0.25, Threshold(math.Inf(1))})
	if err != nil || string(data) != "[0.25,null]" {
		t.Errorf("%s, %v", data, err)
	}
}
