package transformer_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/modeltest"
)

// scoredText is a text with the reference implementation's logits; see
// testdata/decoders.py.
type scoredText struct {
	IDs     []int32
	Layers  [][]float32 // of the last token, after each layer
	Best    []int       // word of each token's largest logit
	Largest []float32
}

// The plain float32 forward of this package's tests agrees with the reference
// implementation to 1e-4, for every architecture, after every layer.
func TestDecoderReferenceAgreesWithTransformers(t *testing.T) {
	for _, folder := range referenceFolders(t, "decoders") {
		r, worst := openDecoderReference(t, folder), 0.0
		compare := func(what string, got, want float32) {
			diff := math.Abs(float64(got - want))
			worst = max(worst, diff)
			if !(diff < 1e-4) {
				t.Errorf("%s: %s: %v, want %v", folder, what, got, want)
			}
		}
		for _, text := range referenceOf[[]scoredText](t, folder, "logits.json") {
			var s decoderState
			for i, id := range text.IDs {
				states := r.next(&s, id)
				logits := r.logits(states[len(states)-1])
				compare("largest logit", logits[text.Best[i]], text.Largest[i])
				if i < len(text.IDs)-1 {
					continue
				}
				for l, state := range states {
					for word, logit := range r.logits(state) {
						compare("last token", logit, text.Layers[l][word])
					}
				}
			}
		}
		t.Logf("%s: largest difference %.2g", folder, worst)
	}
}

// decoderPackOf imports a folder of testdata, which has no tokenizer of its
// own.
func decoderPackOf(t testing.TB, folder string) string {
	t.Helper()
	copied := t.TempDir()
	err := errors.Join(os.CopyFS(copied, os.DirFS(folder)), modeltest.Write(copied, map[string][]byte{"tokenizer.json": []byte(tinyTokenizer)}))
	if err != nil {
		t.Fatal(err)
	}
	return importFolder(t, copied)
}

// tinyTokenizer has three words; the models of testdata have few more.
const tinyTokenizer = `{"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}}`

// The executor's integers keep the reference's logits: models of 16 channels are
// the hard case, since few errors of rounding average out.
func TestQuantizedLogitsAgreeWithTransformers(t *testing.T) {
	for _, folder := range referenceFolders(t, "decoders") {
		d := openDecoder(t, decoderPackOf(t, folder), transformer.DecoderOptions{Threads: 2})
		same, all, worst := 0, 0, 1.0
		for _, text := range referenceOf[[]scoredText](t, folder, "logits.json") {
			c := d.NewSequence()
			logits := make([]float32, len(text.IDs)*d.Vocabulary())
			if err := d.Append(t.Context(), c, text.IDs, logits); err != nil {
				t.Fatal(err)
			}
			for i, best := range text.Best {
				row := logits[i*d.Vocabulary() : (i+1)*d.Vocabulary()]
				if slices.Index(row, slices.Max(row)) == best {
					same++
				}
				all++
			}
			last := logits[(len(text.IDs)-1)*d.Vocabulary():]
			worst = min(worst, correlation(last, text.Layers[len(text.Layers)-1]))
			if err := c.Free(); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %d of %d likeliest words are the same, smallest correlation of logits %.5f", folder, same, all, worst)
		if same*100 < all*85 || worst < 0.98 {
			t.Errorf("%s: %d of %d likeliest words are the same (want 85%%), smallest correlation %.5f (want 0.98)", folder, same, all, worst)
		}
	}
}
