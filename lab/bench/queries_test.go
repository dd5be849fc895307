package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"# How to rename a branch\n\nUse git.":              "How to rename a branch",
		"The herons came  back\nin May. Then they left.":    "The herons came back in May.",
		"- version 1.2 of the tool is out! See it.":         "version 1.2 of the tool is out!",
		"Too short. But this one is long enough.":           "",
		"func (d *decoder) value() any {":                   "",
		"| a | table | has | bars |":                        "",
		"":                                                  "",
		"--- \n":                                            "",
		"Wort für Wort wie gesagt":                          "Wort für Wort wie gesagt",
		strings.Repeat("a very long sentence ", 10) + "end": "",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzFirstSentence(f *testing.F) {
	f.Add("# One two three four.\n\nFive")
	f.Add("\xff. \xff")
	f.Fuzz(func(t *testing.T, text string) {
		s := firstSentence(text)
		if n := len(strings.Fields(s)); s != "" && (n < minQueryWords || len(s) >= maxQueryBytes) {
			t.Errorf("%d words in %d bytes", n, len(s))
		}
	})
}

func TestQueries(t *testing.T) {
	var questions, bodies []string
	for i := range 50 {
		questions = append(questions, fmt.Sprintf("why is number %d so odd", i))
		bodies = append(bodies, fmt.Sprintf("It is known that number %d is odd. More.", i), "code {", "It is known that number 1 is odd. Again.")
	}
	count := func(queries []string) (asked, taken int) {
		for _, q := range queries {
			if strings.HasPrefix(q, "why") {
				asked++
			} else {
				taken++
			}
		}
		return asked, taken
	}
	for _, c := range []struct {
		questions, bodies []string
		n, asked, taken   int
	}{
		{questions, bodies, 20, 10, 10},
		{nil, bodies, 20, 0, 20},
		{questions[:3], bodies, 20, 3, 17},
		{questions, bodies[:3], 20, 18, 2},
		{questions, bodies, 1000, 50, 50},
		{nil, nil, 5, 0, 0},
	} {
		got := queriesOf(c.questions, c.bodies, c.n)
		if asked, taken := count(got); asked != c.asked || taken != c.taken {
			t.Errorf("%d of %d and %d: %d questions and %d sentences, want %d and %d",
				c.n, len(c.questions), len(c.bodies), asked, taken, c.asked, c.taken)
		}
		reversed := slices.Clone(c.bodies)
		slices.Reverse(reversed)
		if again := queriesOf(c.questions, reversed, c.n); !slices.Equal(got, again) {
			t.Error("the choice depends on the order of the texts")
		}
		slices.Sort(got)
		if len(slices.Compact(got)) != c.asked+c.taken {
			t.Error("a query stands there twice")
		}
	}
}
