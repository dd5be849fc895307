package lexical_test

import (
	"slices"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

// annotationsOf are the annotations of a text, without their marks.
func annotationsOf(text string) (names []string) {
	a := lexical.NewAnalyzer()
	for _, term := range a.Document(nil, text, "") {
		if term[0] < ' ' {
			names = append(names, term[1:])
		}
	}
	return names
}

func TestMinorWords(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"pointers and structs", "and"},
		{"C, C, C++17 and c#", "c|c++|and|c#"},
		{"R&D, R & D; AT&T", "r|d|r d|at|t|at t"},
		{"the U.S. economy", "the|u|s|u s"},
		{"to be,\nor not to be", "to|be|or|not"},
		{"to be. Or not", "to|be|or|not"},
		{"i = i + 1", "i|1"},
		{"_ = x_y", ""},
		{"_the_ cat, _x_, _a cat_", "the|x|a"},
		{"don't", "t"},
		{"T\u00adhe end", "the"},
		{"Wir haben die Heizung entlüftet, weil sie nicht mehr warm wurde, in C", "de|entlüft|c"},
	} {
		got := annotationsOf(test.text)
		if want := strings.Split(test.want, "|"); test.want == "" && len(got) > 0 || test.want != "" && !sameNames(got, want) {
			t.Errorf("%q: %q, want %q", test.text, got, want)
		}
	}
}

func sameNames(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// TestNamedLetters: a letter counts beside other words where it is a name.
func TestNamedLetters(t *testing.T) {
	a := lexical.NewAnalyzer()
	for _, test := range []struct{ query, want string }{
		{"plan B", "plan|\x03b"},
		{"what I did in a week", "what|did|week"},
		{"Ann's dog doesn't bark", "ann|dog|doesn|bark"},
		{"C++ templates", "templat|\x03c++"},
		{"AT&T bill", "bill|\x03at t"},
		{"money for R&D", "money|\x03r d"},
		{"x-ray of a hand", "ray|hand"},
		{"to be or not to be", ""},
		{"C", ""},
	} {
		if got := strings.Join(a.Query(test.query).Terms(), "|"); got != test.want {
			t.Errorf("%q: %q, want %q", test.query, got, test.want)
		}
	}
}

// TestMinorQuery: where all words are minor they are looked for.
func TestMinorQuery(t *testing.T) {
	a := lexical.NewAnalyzer()
	if got, want := strings.Join(a.MinorQuery("to be or", lexical.OnlyEnglish).Terms(), "|"), "\x03to|\x03be|\x03or"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	german, _ := language(t, "de")
	c, store := indexOf(t, "Wir haben die Heizung entlüftet, was sie nicht mehr warm hielt und an der Wand.", "They sat at an old table, and the cat too.")
	for _, test := range []struct {
		query string
		want  []uint32
	}{{"an", []uint32{0, 1}}, {"the", []uint32{1}}} {
		if _, err := c.Languages(t.Context(), store); err != nil {
			t.Fatal(err)
		}
		r, err := c.Search(t.Context(), store, a.MinorQuery(test.query, lexical.OnlyEnglish.With(german)), 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		var found []uint32
		for _, h := range r.Hits {
			found = append(found, h.Chunk)
		}
		slices.Sort(found)
		if !slices.Equal(found, test.want) {
			t.Errorf("%q: %v, want %v", test.query, found, test.want)
		}
	}
}

// language is that of a code.
func language(t *testing.T, code string) (lexical.Language, bool) {
	t.Helper()
	for l := lexical.English; l <= lexical.Vietnamese; l++ {
		if l.Code() == code {
			return l, true
		}
	}
	t.Fatalf("no language %s", code)
	return 0, false
}
