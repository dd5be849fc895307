package transformer_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/gguf"
	"dowse/models/pack"
)

// The integers of the executor cost less than 0.5% of the perplexity of a model whose weights
// keep the blocks of their file. DOWSE_TEST_GGUF is the file of a Qwen2, DOWSE_TEST_DECODER its
// pack, DOWSE_TEST_TEXT a text, whose first DOWSE_TEST_TOKENS tokens, 64 unless told, are read.
func TestPerplexityOfBlocksIsThatOfFloat32(t *testing.T) {
	file, text := os.Getenv("DOWSE_TEST_GGUF"), os.Getenv("DOWSE_TEST_TEXT")
	if file == "" || text == "" {
		t.Skip("set DOWSE_TEST_GGUF to a GGUF file of a Qwen2 and DOWSE_TEST_TEXT to a text")
	}
	d := openDecoder(t, decoderPack(t), transformer.DecoderOptions{Threads: 2, MaxTokens: 2048})
	most, err := strconv.Atoi(os.Getenv("DOWSE_TEST_TOKENS"))
	if err != nil {
		most = 64
	}
	ids := d.Tokenizer().Encode(string(read(t, text)))
	ids = ids[:min(most, len(ids))]
	own, float := windowLoss(t, d, ids), 0.0
	c, s := d.NewSequence(), decoderState{}
	defer freeSequence(t, c)
	r, logits, least := openFileReference(t, file, d.Config()), make([]float32, d.Vocabulary()), 1.0
	for i, id := range ids[:len(ids)-1] {
		states := r.next(&s, id)
		want := r.logits(states[len(states)-1])
		if err := d.Append(t.Context(), c, ids[i:i+1], logits); err != nil {
			t.Fatal(err)
		}
		least = min(least, cosineOf(logits, want))
		float += surprise(want, ids[i+1]) / float64(len(ids)-1)
	}
	ratio := math.Exp(own - float)
	t.Logf("%d tokens: perplexity %.4f, in float32 %.4f: %+.2f%%; least cosine of logits %.6f", len(ids), math.Exp(own), math.Exp(float), 100*(ratio-1), least)
	if ratio > 1.005 || ratio < 0.995 {
		t.Errorf("perplexity is %.4f times that of float32, want at most 1.005", ratio)
	}
}

func cosineOf(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, v := range a {
		ab += float64(v) * float64(b[i])
		aa += float64(v) * float64(v)
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// openFileReference reads a model from a GGUF file.
func openFileReference(t *testing.T, path string, of pack.Config) *decoderReference {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gguf.NewReader(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	r := &decoderReference{tensors: map[string][]float32{}}
	names := strings.NewReplacer("token_embd", "model.embed_tokens", "output_norm", "model.norm", "attn_norm", "input_layernorm",
		"ffn_norm", "post_attention_layernorm", "attn_q", "self_attn.q_proj", "attn_k", "self_attn.k_proj", "attn_v", "self_attn.v_proj",
		"attn_output", "self_attn.o_proj", "ffn_gate", "mlp.gate_proj", "ffn_up", "mlp.up_proj", "ffn_down", "mlp.down_proj", "blk.", "model.layers.")
	for _, tensor := range reader.Tensors() {
		name := names.Replace(tensor.Name)
		if name == "output.weight" {
			name = "lm_head.weight"
		}
		r.tensors[name] = make([]float32, tensor.Rows()*tensor.Row())
		if err := tensor.ReadRows(r.tensors[name], 0); err != nil {
			t.Fatal(err)
		}
	}
	c := &r.config
	c.Layers, c.Heads, c.KVHeads, c.HeadDim = of.Layers, of.Heads, of.KVHeads, of.HeadDim
	c.Hidden, c.Base, c.Epsilon = of.Hidden, of.RotaryBase, float64(of.Epsilon)
	return r
}
