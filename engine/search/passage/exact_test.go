package passage

import (
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/lexical"
)

// exactOf is the one exact term of a query line.
func exactOf(t *testing.T, line string) Exact {
	t.Helper()
	q, err := engine.Parse(line, testNow)
	if err != nil || len(q.Exact) != 1 {
		t.Fatalf("%s: %+v, %v", line, q, err)
	}
	return NewExact(q.Exact[0])
}

func TestExactFind(t *testing.T) {
	for _, test := range []struct {
		line, text string
		want       []string
	}{
		{"=README", "readme README READMEs README.md", []string{"README", "README"}},
		{"=foo()", "foo foo() xfoo()", []string{"foo()"}},
		{`="Name  server"`, "Name server, Name  server", []string{"Name  server"}},
		{"=café", "cafe\u0301 café cafe", []string{"cafe\u0301", "café"}},
		{"grep:/colou?r/", "color, colours, Colour", []string{"color", "colour"}},
		{"grep:/colou?r/i", "Colour", []string{"Colour"}},
		{"grep:/^b.*$/", "abc\nbcd\n", []string{"bcd"}},
		{"grep:/x*/", "abc", nil},
	} {
		var got []string
		for _, r := range exactOf(t, test.line).Find(test.text) {
			got = append(got, test.text[r.Start:r.End])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s in %q: %q, want %q", test.line, test.text, got, test.want)
		}
	}
}

func TestExactSureTerms(t *testing.T) {
	for line, want := range map[string][]string{
		"=Running": {"run"}, "=fixDNS()": {"fixdn"}, "=C++": {"\x03c++"},
		"grep:/a.c/": nil, "grep:/connection/": nil, "grep:/connection refused by/": {"refus"},
		`grep:/\bconnection (refused) by$/i`: {"connect", "refus", "\x03by"},
		"grep:/^error: .* gone away/":        {"error", "gone"}, "grep:/(dns|name) server x/": {"server"}, "grep:/e-mail me/": {"mail"},
		"grep:/one (two )?three four/": nil, "grep:/one [a-z]+ four/": nil,
	} {
		if got := slices.Concat(exactOf(t, line).SureTerms(lexical.NewAnalyzer(), lexical.OnlyEnglish)...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
