package lexical_test

import (
	"slices"
	"testing"

	"dowse/engine/lexical"
)

func TestListings(t *testing.T) {
	for text, want := range map[string]bool{
		"## Vim\n\n- [Add a line](vim/a.md)\n- [Break it](vim/b.md)\n- [Cut](vim/c.md)\n- [Dig](d.md)\n- [Eat](e.md)\n":          true,
		"* [[Compost]]\n* [[Roses|the roses]]\n* [[Tomatoes]] in pots\n* [[Slugs]]\n* [[Frost]]\n":                               true,
		"Contents\nIntroduction ........ 1\nThe boiler ..... 12\nThe pump ...... 14\nThe roof ...... 20\nIndex . . . . . . 44\n": true,
		"- [Go](https://go.dev)\n- [A](https://a.org)\n- [B](https://b.org)\n- [C](https://c.org)\n- [D](https://d.org)\n":       false,
		"- [[Ann]] came at ten and told us about the flood in the cellar\n- [[Ben]] left\n- [[Cy]] paid\n- dinner\n- a walk\n":   false,
		"We wait... and wait.... Then it rains. See [the roof](roof.md), [the pump](pump.md).\n":                                 false,
		"- [Add](a.md)\n- [Break](b.md)\n": false, "": false,
	} {
		got := slices.Contains(lexical.NewAnalyzer().Document(nil, text, ""), lexical.ListingTerm)
		if got != want {
			t.Errorf("%q: listing %v", text, got)
		}
	}
}
