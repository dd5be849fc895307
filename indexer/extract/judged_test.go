package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestJudgedAgrees: what is remembered is what would be found, and data is never
// remembered as text.
func TestJudgedAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	words := strings.Fields("the heron stood in reeds of a pond watching for fish and waited until it flew off towards other water while rain fell")
	var said strings.Builder
	for said.Len() < 4*dataBytes {
		for range 8 + rng.IntN(9) {
			said.WriteString(words[rng.IntN(len(words))] + " ")
		}
		said.WriteString("yesterday.\n")
	}
	prose := said.String()
	data := strings.Repeat("a", 4*dataBytes)
	j := &Judged{}
	for range 2 {
		for _, text := range []string{prose, data, "short"} {
			if got, want := j.dataLike(text), dataLike(text); got != want {
				t.Errorf("%.20q: %q, want %q", text, got, want)
			}
		}
	}
	if len(j.texts) != 1 {
		t.Fatalf("%d texts are remembered", len(j.texts))
	}
	if dataLike(data) == "" {
		t.Error("one letter again and again is text")
	}
	for i := range judgedTexts + 5 {
		j.texts[uint64(i)] = struct{}{}
		if len(j.texts) >= judgedTexts {
			break
		}
	}
	if j.dataLike(prose + "More."); len(j.texts) > judgedTexts {
		t.Errorf("%d texts are remembered, %d at most", len(j.texts), judgedTexts)
	}
}
