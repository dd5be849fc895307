package conversation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

func TestCleanName(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"  trip to Porto ", "trip to Porto"},
		{"../../etc/passwd", "../../etc/passwd"}, // text, and no path
		{"/", "/"},
		{".", "."},
		{"C:\\x", "C:\\x"},
		{"a\u00a0b", "a b"},
		{"cafe\u0301", "café"},
		{"می\u200cخواهم", "می\u200cخواهم"},
		{"👩\u200d🌾", "👩\u200d🌾"},
		{strings.Repeat("ß", 100), strings.Repeat("ß", 100)},
	} {
		if got, err := CleanName(c.typed); err != nil || got != c.want {
			t.Errorf("CleanName(%q) = %q, %v; want %q", c.typed, got, err, c.want)
		}
	}
	for typed, why := range map[string]string{
		"":                       "empty",
		"\u00a0":                 "empty",
		"\u200d":                 "empty",
		"a\x1b[31m":              "U+001B",
		"a\nb":                   "U+000A",
		"a\tb":                   "U+0009",
		"a\x00b":                 "U+0000",
		"\u202egnp":              "U+202E",
		"a\u2067b":               "U+2067",
		"a\u200bb":               "U+200B",
		"a\u2028b":               "U+2028",
		"a\u0085b":               "U+0085",
		"a\xff":                  "not UTF-8",
		strings.Repeat("ß", 101): "more than 100 characters",
	} {
		if got, err := CleanName(typed); !errors.Is(err, engine.ErrConversationName) || !strings.Contains(err.Error(), why) {
			t.Errorf("CleanName(%q) = %q, %v; want an error with %q", typed, got, err, why)
		}
	}
}

func TestNearestNamesAreSuggested(t *testing.T) {
	var known []engine.Conversation
	for _, name := range []string{"trip to Porto", "Porto", "taxes 2025", "taxes 2024", "heron"} {
		known = append(known, engine.Conversation{Name: name})
	}
	for wanted, want := range map[string][]string{
		"porto":      {"Porto", "trip to Porto"},
		"trip to Pt": {"trip to Porto"},
		"taxes":      {"taxes 2025", "taxes 2024"},
		"hreon":      nil, // two letters of five
		"heronn":     {"heron"},
		"quantum":    nil,
		"":           nil,
	} {
		if got := nearest(wanted, known); !slices.Equal(got, want) {
			t.Errorf("nearest to %q: %q, want %q", wanted, got, want)
		}
	}
	if err := unknown("porto", known); err.Error() != `there is no conversation "porto"; the nearest: "Porto", "trip to Porto"` {
		t.Error(err)
	}
	if err := unknown("x\x1b", nil); !errors.Is(err, engine.ErrNoConversation) || err.Error() != `there is no conversation "x\x1b": none is kept yet` {
		t.Error(err)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"äö", "ao", 2}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance of %q and %q is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
