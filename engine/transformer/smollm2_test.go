package transformer_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/transformer"
)

// The plain float32 forward agrees with the reference implementation to 1e-3 over
// the weights of SmolLM2-135M-Instruct, 30 layers deep. DOWSE_TEST_SMOLLM2 is the
// folder that testdata/smollm2.py was given.
func TestSmolLM2ReferenceAgreesWithTransformers(t *testing.T) {
	folder := os.Getenv("DOWSE_TEST_SMOLLM2")
	if folder == "" {
		t.Skip("set DOWSE_TEST_SMOLLM2 to the Hugging Face folder of SmolLM2-135M-Instruct in float32")
	}
	var want struct {
		IDs, Best     []int32
		Largest, Last []float32
		Stride        int
	}
	if err := json.Unmarshal(read(t, filepath.Join("testdata", "smollm2.json")), &want); err != nil {
		t.Fatal(err)
	}
	r, worst := openDecoderReference(t, folder), 0.0
	compare := func(what string, got, want float32) {
		diff := math.Abs(float64(got - want))
		worst = max(worst, diff)
		if !(diff < 1e-3) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	var s decoderState
	for i, id := range want.IDs {
		states := r.next(&s, id)
		logits := r.logits(states[len(states)-1])
		compare("largest logit", logits[want.Best[i]], want.Largest[i])
		if i == len(want.IDs)-1 {
			for j, logit := range want.Last {
				compare("logit of the last token", logits[j*want.Stride], logit)
			}
		}
	}
	t.Logf("%d tokens, %d logits of the last: largest difference %.2g", len(want.IDs), len(want.Last), worst)
}

// The integers of the executor, of weights, activations, keys and values, cost 0.56%
// of perplexity over 50,000 tokens of notes, measured when this was written, and
// are not to cost more than 1%. DOWSE_TEST_DECODER is the pack of the model, DOWSE_TEST_PERPLEXITY
// a text with what float32 makes of it, as testdata/smollm2.py writes it.
func TestPerplexityIsThatOfFloat32(t *testing.T) {
	path := os.Getenv("DOWSE_TEST_PERPLEXITY")
	if path == "" {
		t.Skip("set DOWSE_TEST_PERPLEXITY to a file that testdata/smollm2.py wrote")
	}
	d := openDecoder(t, decoderPack(t), transformer.DecoderOptions{Threads: 2})
	var text struct {
		Window int
		IDs    []int32
		Losses []float64 // nats a token of each window, its first one aside
	}
	if err := json.Unmarshal(read(t, path), &text); err != nil {
		t.Fatal(err)
	}
	if len(text.Losses) == 0 || len(text.Losses)*text.Window != len(text.IDs) {
		t.Fatalf("%d tokens in %d windows of %d", len(text.IDs), len(text.Losses), text.Window)
	}
	own, float := 0.0, 0.0
	for i, loss := range text.Losses {
		own += windowLoss(t, d, text.IDs[i*text.Window:(i+1)*text.Window]) / float64(len(text.Losses))
		float += loss / float64(len(text.Losses))
	}
	ratio := math.Exp(own - float)
	t.Logf("%d tokens: perplexity %.4f, in float32 %.4f: %+.2f%%", len(text.IDs), math.Exp(own), math.Exp(float), 100*(ratio-1))
	if ratio > 1.01 || ratio < 0.99 {
		t.Errorf("perplexity is %.4f times that of float32, want at most 1.01", ratio)
	}
}

// windowLoss is the mean surprise of each token of a text but the first.
func windowLoss(t *testing.T, d *transformer.Decoder, ids []int32) float64 {
	t.Helper()
	c, v, total := d.NewSequence(), d.Vocabulary(), 0.0
	defer freeSequence(t, c)
	logits := make([]float32, 64*v)
	for at := 0; at < len(ids)-1; at += 64 {
		n := min(64, len(ids)-1-at)
		if err := d.Append(t.Context(), c, ids[at:at+n], logits[:n*v]); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			total += surprise(logits[i*v:(i+1)*v], ids[at+i+1])
		}
	}
	return total / float64(len(ids)-1)
}
