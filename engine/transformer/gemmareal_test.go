package transformer_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/pack"
)

// A real decoder says what the reference says of the same file's weights in float32: its
// likeliest tokens where the reference's choice is clear, and its loss.
func TestARealDecoderAgreesWithTheReference(t *testing.T) {
	file, reference := os.Getenv("DOWSE_TEST_GGUF"), os.Getenv("DOWSE_TEST_GGUF_REFERENCE")
	if file == "" || reference == "" {
		t.Skip("set DOWSE_TEST_GGUF to a decoder and DOWSE_TEST_GGUF_REFERENCE to its texts: ids, best and margin of each token, loss")
	}
	var want struct {
		Texts []struct {
			IDs    []int32
			Best   []int
			Margin []float32 // of the likeliest logit before the next
			Loss   float64
		}
	}
	decode(t, read(t, reference), &want)
	path := t.TempDir() + "/model.pack"
	if err := pack.Import(t.Context(), file, path, nil); err != nil {
		t.Fatal(err)
	}
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2, MaxTokens: 4096})
	same, clear, sameClear, all := 0, 0, 0, 0
	var loss, wantLoss float64
	for _, text := range want.Texts {
		s, v := d.NewSequence(), d.Vocabulary()
		var own float64
		for from := 0; from < len(text.IDs); from += 64 { // logits of so many at a time
			ids := text.IDs[from:min(len(text.IDs), from+64)]
			logits := make([]float32, len(ids)*v)
			if err := d.Append(t.Context(), s, ids, logits); err != nil {
				t.Fatal(err)
			}
			for i := range ids {
				row := logits[i*v : (i+1)*v]
				hit := slices.Index(row, slices.Max(row)) == text.Best[from+i]
				all++
				if hit {
					same++
				}
				if text.Margin[from+i] > .5 {
					clear++
					if hit {
						sameClear++
					}
				}
				if next := from + i + 1; next < len(text.IDs) {
					own -= logProbability(row, int(text.IDs[next]))
				}
			}
		}
		if n := len(text.IDs) - 1; n > 0 {
			loss += own
			wantLoss += text.Loss * float64(n)
		}
		if err := s.Free(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d texts: %d of %d likeliest tokens are the same, %d of %d clear ones; loss %.4f, want %.4f", len(want.Texts), same, all, sameClear, clear,
		loss/float64(all-len(want.Texts)), wantLoss/float64(all-len(want.Texts)))
	if sameClear*100 < clear*95 || same*100 < all*85 || loss > wantLoss*1.02 || loss < wantLoss*.98 {
		t.Errorf("want 95%% of the clear ones, 85%% of all, loss within 2%%")
	}
}

// logProbability is that of a token by the logits of all.
func logProbability(logits []float32, token int) float64 {
	largest, sum := float64(slices.Max(logits)), 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v) - largest)
	}
	return float64(logits[token]) - largest - math.Log(sum)
}
