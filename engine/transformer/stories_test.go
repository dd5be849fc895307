package transformer_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/modeltest"
)

// stories260K is a trained Llama of 260,000 weights that tells children's
// stories, in the format of llama2.c: small enough for a test, and English.
var stories260K = filepath.Join("..", "..", "..", "shared", "data", "models", "stories260K")

// storiesHeader starts the file of weights.
type storiesHeader struct {
	Hidden, Intermediate, Layers, Heads, KVHeads, Vocabulary, Positions int32
}

// storiesFolder turns the model into a Hugging Face folder, or skips the test.
func storiesFolder(t *testing.T) string {
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
	tensors, err := h.tensors(r)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := modeltest.Safetensors(tensors)
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{
		"architectures": []string{"LlamaForCausalLM"}, "hidden_act": "silu", "num_hidden_layers": h.Layers, "hidden_size": h.Hidden,
		"num_attention_heads": h.Heads, "num_key_value_heads": h.KVHeads, "intermediate_size": h.Intermediate, "vocab_size": h.Vocabulary,
		"max_position_embeddings": h.Positions, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	files := map[string][]byte{"config.json": config, "tokenizer.json": []byte(tinyTokenizer), "model.safetensors": weights}
	if err := modeltest.Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// tensors reads the weights, which lie tensor by tensor, each for all layers.
func (h *storiesHeader) tensors(r io.Reader) (map[string]modeltest.Tensor, error) {
	d, f, width := int(h.Hidden), int(h.Intermediate), int(h.Hidden/h.Heads)
	keys := int(h.KVHeads) * width
	all := map[string]modeltest.Tensor{}
	read := func(name string, shape ...int) error {
		n := 1
		for _, size := range shape {
			n *= size
		}
		values := make([]float32, n)
		all[name] = modeltest.Tensor{Shape: shape, Values: values}
		return binary.Read(r, binary.LittleEndian, values)
	}
	if err := read("model.embed_tokens.weight", int(h.Vocabulary), d); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name  string
		shape []int
	}{
		{"input_layernorm", []int{d}}, {"self_attn.q_proj", []int{d, d}}, {"self_attn.k_proj", []int{keys, d}},
		{"self_attn.v_proj", []int{keys, d}}, {"self_attn.o_proj", []int{d, d}}, {"post_attention_layernorm", []int{d}},
		{"mlp.gate_proj", []int{f, d}}, {"mlp.down_proj", []int{d, f}}, {"mlp.up_proj", []int{f, d}},
	} {
		for l := range h.Layers {
			name := fmt.Sprintf("model.layers.%d.%s.weight", l, part.name)
			if err := read(name, part.shape...); err != nil {
				return nil, err
			}
			if part.name == "self_attn.q_proj" || part.name == "self_attn.k_proj" {
				splitHalves(all[name].Values, width, d)
			}
		}
	}
	return all, read("model.norm.weight", d)
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

// storiesWords reads the pieces that the model's tokens stand for.
func storiesWords(t *testing.T, vocabulary int) []string {
	t.Helper()
	r := bytes.NewReader(read(t, filepath.Join(stories260K, "tok512.bin")))
	var longest int32
	if err := binary.Read(r, binary.LittleEndian, &longest); err != nil {
		t.Fatal(err)
	}
	words := make([]string, vocabulary)
	for i := range words {
		var piece struct {
			Score  float32
			Length int32
		}
		if err := binary.Read(r, binary.LittleEndian, &piece); err != nil {
			t.Fatal(err)
		}
		text := make([]byte, piece.Length)
		if _, err := io.ReadFull(r, text); err != nil {
			t.Fatal(err)
		}
		words[i] = string(text)
		if digits, ok := strings.CutPrefix(words[i], "<0x"); ok {
			if b, err := strconv.ParseUint(strings.TrimSuffix(digits, ">"), 16, 8); err == nil {
				words[i] = string([]byte{byte(b)})
			}
		}
	}
	return words
}

// likeliest is the place of the largest logit.
func likeliest(logits []float32) int32 { return int32(slices.Index(logits, slices.Max(logits))) }

// The reference tells the story that the trained model tells in float32, which
// is token for token that of transformers (testdata/stories.py); the executor follows it nearly word for word, and tells one of its own.
func TestDecoderTellsAStory(t *testing.T) {
	const tokens, start = 180, 1
	folder := storiesFolder(t)
	r, d := openDecoderReference(t, folder), openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2})
	words := storiesWords(t, d.Vocabulary())
	var s decoderState
	story, loss := []int32{start}, 0.0
	for range tokens {
		states := r.next(&s, story[len(story)-1])
		story = append(story, likeliest(r.logits(states[len(states)-1])))
	}
	var golden []int32
	if err := json.Unmarshal(read(t, filepath.Join("testdata", "stories.json")), &golden); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(story, golden) {
		t.Errorf("in float32 the story is %v, the reference implementation's is %v", story, golden)
	}
	c := d.NewContext()
	defer freeContext(t, c)
	logits := appendAll(t, d, c, story[:tokens], tokens)
	same := 0
	for i := range tokens {
		row := logits[i*d.Vocabulary() : (i+1)*d.Vocabulary()]
		if likeliest(row) == story[i+1] {
			same++
		}
		loss += surprise(row, story[i+1]) / tokens
	}
	own := continuation(t, d, start, tokens)
	text, ownText := spell(words, story), spell(words, own)
	t.Logf("float32: %s", text)
	t.Logf("executor: %s", ownText)
	t.Logf("given the reference's story, %d of %d next tokens are the same, %.3f nats a token", same, tokens, loss)
	if same*100 < tokens*93 || loss > 0.8 {
		t.Errorf("%d of %d tokens are the reference's (want 93%%), %.3f nats a token (want at most 0.8)", same, tokens, loss)
	}
	for _, story := range []string{text, ownText} {
		if !strings.HasPrefix(story, "Once upon a time, there was a") {
			t.Errorf("this is no story: %s", story)
		}
	}
}

// continuation is what a decoder says after a token, one by one.
func continuation(t *testing.T, d *transformer.Decoder, start int32, tokens int) []int32 {
	t.Helper()
	c := d.NewContext()
	defer freeContext(t, c)
	logits, text := make([]float32, d.Vocabulary()), []int32{start}
	for range tokens {
		if err := d.Append(t.Context(), c, text[len(text)-1:], logits); err != nil {
			t.Fatal(err)
		}
		text = append(text, likeliest(logits))
	}
	return text
}

// surprise is the negative logarithm of the probability of a token.
func surprise(logits []float32, id int32) float64 {
	largest, total := slices.Max(logits), 0.0
	for _, v := range logits {
		total += math.Exp(float64(v - largest))
	}
	return math.Log(total) - float64(logits[id]-largest)
}

// spell joins the pieces of tokens, without the one that starts a text.
func spell(words []string, ids []int32) string {
	var text strings.Builder
	for _, id := range ids[1:] {
		text.WriteString(words[id])
	}
	return strings.TrimSpace(text.String())
}
