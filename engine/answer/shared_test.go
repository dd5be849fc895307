package answer

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"
)

func TestSharedWords(t *testing.T) {
	for _, c := range []struct {
		question, text string
		share, brief   float64
	}{
		{"When did the crisis begin?", "The crisis began in 1973.", 1.0 / 2, 1.0 / 2},
		{"which batteries for the scouting cam", "Batteries lithium, Scouts' cam too", 1, 1.0 / 3},
		{"is 7 a number", "7 is", 1.0 / 2, 1.0 / 2},
		{"why is it so", "anything", 0, 1},
		{"", "", 0, 1},
	} {
		if share, brief := sharedWords(c.question, c.text); share != c.share || brief != c.brief {
			t.Errorf("%q in %q: %g of 1/%g, want %g of 1/%g", c.question, c.text, share, 1/brief, c.share, 1/c.brief)
		}
	}
}

// The list is written in Python too, for those who train: both must be one list.
func TestFunctionWordsAreThoseOfTraining(t *testing.T) {
	source, err := os.ReadFile("../../train/data.py")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)FUNCTION_WORDS = frozenset\(\[(.*?)\]\)`).FindSubmatch(source)
	if list == nil {
		t.Fatal("train/data.py has no FUNCTION_WORDS")
	}
	trained := map[string]bool{}
	for _, w := range regexp.MustCompile(`"([a-z]+)"`).FindAllSubmatch(list[1], -1) {
		trained[string(w[1])] = true
	}
	if !maps.Equal(trained, functionWords) {
		t.Errorf("%q are not %q", slices.Sorted(maps.Keys(functionWords)), slices.Sorted(maps.Keys(trained)))
	}
}
