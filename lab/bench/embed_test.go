package bench

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// lengths is an embedder that counts the bytes of texts as tokens.
type lengths struct{ texts *int }

func (l lengths) EmbedCounted(_ context.Context, texts []string) ([]float32, int, error) {
	if texts[0] == "broken" {
		return nil, 0, errors.New("out of memory")
	}
	tokens := 0
	for _, text := range texts {
		*l.texts++
		tokens += len(text)
	}
	return nil, tokens, nil
}

func (l lengths) Operations() float64 { return 4 }

func TestEmbed(t *testing.T) {
	one, two := 0, 0
	texts := make([]string, embedSlice+10)
	for i := range texts {
		texts[i] = strings.Repeat("x", 1+i%3)
	}
	r, err := Embed(t.Context(), texts, []Kernels{{"purego", lengths{&one}, 0}, {"avx2", lengths{&two}, 1e15}}, silent)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(texts) + warmTexts; one != want || two != want {
		t.Errorf("%d and %d texts are embedded, want %d", one, two, want)
	}
	tokens := r.MeanTokens * float64(len(texts))
	for i, run := range r.Runs {
		if run.Kernels != []string{"purego", "avx2"}[i] || run.Rate <= 0 || run.TokenRate < run.Rate || run.Ratio <= 0 {
			t.Errorf("%+v", run)
		}
		if want := []float64{0, run.TokenRate * 4 / 1e15}[i]; run.Share != want {
			t.Errorf("%s: a share of %g, want %g", run.Kernels, run.Share, want)
		}
	}
	if r.Passages != len(texts) || r.Runs[0].Ratio != 1 || tokens < 530 || tokens > 533 {
		t.Errorf("%+v: %g tokens", r, tokens)
	}
	if _, err := Embed(t.Context(), []string{"broken"}, []Kernels{{"purego", lengths{&one}, 0}}, silent); err == nil || err.Error() != "purego: out of memory" {
		t.Errorf("error %v", err)
	}
}
