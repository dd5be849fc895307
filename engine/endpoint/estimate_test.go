package endpoint

import (
	"testing"
)

func TestTokenEstimate(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "the heron stands": 5, "in 1973.": 6, "héron": 3, "キャッシュ": 5} {
		if got := (TokenEstimate{}).CountTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestCutFits: what is cut counts as many tokens as were wanted, and one letter more would
// count more.
func TestCutFits(t *testing.T) {
	const text = "the heron stands in 1973, so says キャッシュ and naïve"
	for n := range (TokenEstimate{}).CountTokens(text) {
		cut := TokenEstimate{}.Cut(text, n)
		rest := []rune(text[len(cut):])
		if (TokenEstimate{}).CountTokens(cut) > n || (TokenEstimate{}).CountTokens(cut+string(rest[:1])) <= n {
			t.Errorf("%d: %q", n, cut)
		}
	}
	if cut := (TokenEstimate{}).Cut(text, 1000); cut != text {
		t.Errorf("%q", cut)
	}
}
