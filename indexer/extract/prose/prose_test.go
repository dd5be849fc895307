package prose_test

import (
	"math"
	"testing"

	"dowse/indexer/extract/prose"
)

func TestShare(t *testing.T) {
	for text, want := range map[string]float64{
		"":                                   0,
		"Ask Ann about the roof, she knows.": 1,
		"Ask her (the one) about it.":        1,
		"“Ask her,” said Ann’s well-known boy": 30.0 / 31,
		"Ask Ann first":                   0, // three words
		"ask\nAnn\nabout\nit":             1,
		"ask  Ann  about  it":             0, // columns
		"if(a){return b.c(d,e)}":          0,
		"ein Reiher steht im Röhricht":    1,
		"кто стоит в воде":                1,
		"鷺が立つ":                            1,
		"ab.cd.ef.gh.ij":                  0,
		"xxxxxxxxxxxx=one two three four": 15.0 / 28,
	} {
		if got := prose.Share(text); math.Abs(got-want) > 0.001 {
			t.Errorf("%q: %.3f, want %.3f", text, got, want)
		}
	}
}
