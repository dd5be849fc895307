package app

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
)

// stories260K is a trained Llama of 260,000 weights that tells children's
// stories, in the format of llama2.c.
var stories260K = filepath.Join("..", "..", "..", "shared", "data", "models", "stories260K")

// storiesHeader starts the file of weights.
type storiesHeader struct {
	Hidden, Intermediate, Layers, Heads, KVHeads, Vocabulary, Positions int32
}

// storyTurns is a template after which a story goes on.
const storyTurns = `{"chat_template": "{% for m in messages %}{{ m.content }}\n{% endfor %}Once upon a time"}`

// storiesFiles are the model as a Hugging Face folder, or the test is skipped.
func storiesFiles(t *testing.T) map[string][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(stories260K, "stories260K.bin"))
	if os.IsNotExist(err) {
		t.Skipf("the shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(data)
	var h storiesHeader
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		t.Fatal(err)
	}
	weights, err := modeltest.Safetensors(h.tensors(t, r))
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{
		"architectures": []string{"LlamaForCausalLM"}, "hidden_act": "silu", "num_hidden_layers": h.Layers, "hidden_size": h.Hidden,
		"num_attention_heads": h.Heads, "num_key_value_heads": h.KVHeads, "intermediate_size": h.Intermediate, "vocab_size": h.Vocabulary,
		"max_position_embeddings": h.Positions, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"config.json": config, "model.safetensors": weights,
		"tokenizer.json": storiesTokenizer(t, int(h.Vocabulary)), "tokenizer_config.json": []byte(storyTurns),
	}
}

// tensors reads the weights, which lie tensor by tensor, each for all layers.
func (h *storiesHeader) tensors(t *testing.T, r io.Reader) map[string]modeltest.Tensor {
	t.Helper()
	width := int(h.Hidden / h.Heads)
	tensors := map[string]modeltest.Tensor{}
	read := func(name string, shape ...int) {
		n := 1
		for _, size := range shape {
			n *= size
		}
		values := make([]float32, n)
		if err := binary.Read(r, binary.LittleEndian, values); err != nil {
			t.Fatal(err)
		}
		tensors[name] = modeltest.Tensor{Shape: shape, Values: values}
	}
	d, f, keys := int(h.Hidden), int(h.Intermediate), int(h.KVHeads)*width
	read("model.embed_tokens.weight", int(h.Vocabulary), d)
	for _, part := range []struct {
		name  string
		shape []int
	}{
		{"input_layernorm", []int{d}}, {"self_attn.q_proj", []int{d, d}}, {"self_attn.k_proj", []int{keys, d}},
		{"self_attn.v_proj", []int{keys, d}}, {"self_attn.o_proj", []int{d, d}}, {"post_attention_layernorm", []int{d}},
		{"mlp.gate_proj", []int{f, d}}, {"mlp.down_proj", []int{d, f}}, {"mlp.up_proj", []int{f, d}},
	} {
		for l := range h.Layers {
			read(fmt.Sprintf("model.layers.%d.%s.weight", l, part.name), part.shape...)
		}
	}
	read("model.norm.weight", d)
	for name, tensor := range tensors {
		if strings.Contains(name, "q_proj") || strings.Contains(name, "k_proj") {
			splitHalves(tensor.Values, width, d)
		}
	}
	return tensors
}

// splitHalves brings the rows of each head into the order of Hugging Face: rows
// 2i and 2i+1, which are rotated together, become i and i+width/2.
func splitHalves(rows []float32, width, columns int) {
	for head := range slices.Chunk(rows, width*columns) {
		old := slices.Clone(head)
		for i := range width {
			to := i/2 + i%2*width/2
			copy(head[to*columns:(to+1)*columns], old[i*columns:(i+1)*columns])
		}
	}
}

// storiesTokenizer is the model's vocabulary as tokenizer.json: pieces in the
// order in which they are merged.
func storiesTokenizer(t *testing.T, size int) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(stories260K, "tok512.bin"))
	if err != nil {
		t.Fatal(err)
	}
	vocabulary := map[string]int{}
	pieces := make([]string, 0, size)
	for at := 4; at < len(data); { // after the length of the longest
		n := int(binary.LittleEndian.Uint32(data[at+4:])) // after its score
		piece := strings.ReplaceAll(string(data[at+8:at+8+n]), " ", "▁")
		at += 8 + n
		if len(pieces) < 3 {
			piece = []string{"<unk>", "<s>", "</s>"}[len(pieces)]
		}
		vocabulary[piece] = len(pieces)
		pieces = append(pieces, piece)
	}
	var merges []string
	for _, piece := range pieces {
		for i := range piece {
			_, left := vocabulary[piece[:i]]
			_, right := vocabulary[piece[i:]]
			if left && right {
				merges = append(merges, piece[:i]+" "+piece[i:])
			}
		}
	}
	special := func(id int) map[string]any {
		return map[string]any{"id": id, "content": pieces[id], "special": true}
	}
	space := map[string]any{"type": "Replace", "pattern": map[string]any{"String": " "}, "content": "▁"}
	text := map[string]any{"type": "Replace", "pattern": map[string]any{"String": "▁"}, "content": " "}
	encoded, err := json.Marshal(map[string]any{
		"version": "1.0", "added_tokens": []any{special(0), special(1), special(2)}, "pre_tokenizer": nil, "post_processor": nil,
		"normalizer": space,
		"decoder":    map[string]any{"type": "Sequence", "decoders": []any{text, map[string]any{"type": "ByteFallback"}, map[string]any{"type": "Fuse"}}},
		"model":      map[string]any{"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "vocab": vocabulary, "merges": merges},
	})
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// TestAnswerOfATrainedModel: asked whatever, the model tells its kind of story,
// word by word, within its window of 512 tokens.
func TestAnswerOfATrainedModel(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, storiesFiles(t)))
	said, err := a.Answer(t.Context(), grepJob())
	if err != nil || said.Problem != "" {
		t.Fatalf("%+v, %v", said, err)
	}
	g := said.Generation
	t.Logf("%d tokens in %d steps, %d of %d drafted accepted: %s", g.Tokens, g.Steps, g.Accepted, g.Drafted, said.Text)
	if !strings.Contains(said.Text, " was ") || !strings.Contains(said.Text, " the ") || strings.ContainsAny(said.Text, "▁\uFFFD") {
		t.Errorf("this is no story: %q", said.Text)
	}
	if g.Tokens < 20 || len(said.Sentences) == 0 || len(said.Sentences[0].Unsupported) == 0 {
		t.Errorf("a story that no passage tells passes for an answer: %+v", said)
	}
}
