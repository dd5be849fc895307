package lexical_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dowse/engine/lexical"
)

func TestAnalyzer(t *testing.T) {
	a := lexical.NewAnalyzer()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"The quick brown foxes are jumping", "quick brown fox jump"},
		{"a b c 12 7", "12"},
		{"DNS, dns; Dns!", "dns dns dns"},
		{"don't", "don"},
		{"café CAFÉ cafe\u0301", "cafe cafe cafe"},
		{"naïve Straße ﬁle", "naiv strass file"},
		{"Wałęsa Đorđe Ærø Łódź ılık", "walesa dord aero lodz ilik"},
		{"Was\u00adser\u200bpumpe \ufeffhead", "wasserpump head"},
		{"get\u200bHTTP\u00adServer", "gethttpserv get http server"},
		{"e-mail, E‑Mail", "mail email mail email"},
		{"AX-4410 AX4410", "ax 4410 ax4410 ax4410"},
		{"re-order a-b x", "re order reorder ab"},
		{"on-line, log-in-box, log-in-name", "line onlin log box loginbox log name"},
		{"2026-11-27 a--bc de - fg three-part-names-no-more", "2026 11 27 bc de fg three part name more"},
		{"get_file_name", "get_file_nam get file name"},
		{"_private __init__", "_privat privat __init__ init"},
		{"HTTPServer maxConns", "httpserver http server maxconn max conn"},
		{"x86_64", "x86_64 x86 64"},
		{"v1.2.3 file.go", "v1 file go"},
		{"東京都", "東京 京都"},
		{"東", "東"},
		{"ラーメンを食べる", "ラー ーメ メン ンを を食 食べ べる"},
		{"Go言語 go", "go 言語 go"},
		{"안녕 하세요", "안녕 하세 세요"},
		{norm.NFD.String("안녕 하세요 ガラス Tiếng"), "안녕 하세 세요 ガラ ラス tieng"},
		{"привет мир", "привет мир"},
		{"हिन्दी", "हिन्दी"},
		{"نص عربي", "نص عربي"},
		{"ÅNGSTRÖM", "angstrom"},
		{"\xff\xfebroken\xff", "broken"},
		{"commit 9F86D081884c7d659a2feaa0c55ad015a3bf4f1b", "commit 9f86d08"},
		{"9f86d08", "9f86d08"},
		{"9f86d0818", "9f86d08"},
		{"12345ed 1234567e", "12345ed 1234567e"}, // no word to be stemmed
		{"https://example.com/watch?v=dQw4w9WgXcQ", "https exampl com watch dqw4w9wgxcq"},
		{"h1:uUj7K0sN5cP2dLq8vXw3bTz6Rm4YhGfE1aJiOoQ9kZc=", "h1 uuj7k0sn5cp2"},
		{"2023011514304500 20230115 0123456789", "2023011514304500 20230115 0123456789"},
	} {
		if got := strings.Join(a.Append(nil, test.text), " "); got != test.want {
			t.Errorf("%q:\n got %q\nwant %q", test.text, got, test.want)
		}
	}
}

func TestTokenPlaces(t *testing.T) {
	text := "See maxConns in 東京都, café."
	var places []string
	for _, token := range lexical.NewAnalyzer().Tokens(text) {
		places = append(places, text[token.Start:token.End])
	}
	want := []string{"See", "maxConns", "max", "Conns", "東京", "京都", "café"}
	if !slices.Equal(places, want) {
		t.Errorf("got %q, want %q", places, want)
	}
}

func TestQueryCountsRepetitions(t *testing.T) {
	got := lexical.NewAnalyzer().Query("run to the hills, run; Running")
	want := lexical.Query{{Term: "run", Weight: 3}, {Term: "hill", Weight: 1}}
	same := func(a, b lexical.QueryTerm) bool {
		return a.Term == b.Term && a.Weight == b.Weight && len(a.Also)+len(a.Exact) == 0
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("got %v, want %v", got, want)
	}
	if terms := got.Terms(); !slices.Equal(terms, []string{"run", "hill"}) {
		t.Errorf("terms %v", terms)
	}
}

// TestAnalyzerCache holds that memory changes nothing, even when it overflows.
func TestAnalyzerCache(t *testing.T) {
	a := lexical.NewAnalyzer()
	var b strings.Builder
	for i := range 70_000 {
		b.WriteString("w")
		b.WriteString(strings.Repeat(string(rune('a'+i%26)), 1+i%3))
		b.WriteString(string(rune('0' + i%10)))
		b.WriteByte(' ')
	}
	if !slices.Equal(a.Append(nil, b.String()), a.Append(nil, b.String())) {
		t.Error("the second analysis differs from the first")
	}
}

func FuzzAnalyzer(f *testing.F) {
	for _, seed := range []string{"", "plain words", "snake_case HTTPServer", "東京都ラーメン", "e\u0301\u0301", "\xff_\x80", "ǅ İ ß", "ก็ สวัสดี", strings.Repeat("x", 600)} {
		f.Add(seed)
	}
	a := lexical.NewAnalyzer()
	f.Fuzz(func(t *testing.T, text string) {
		tokens := a.Tokens(text)
		var terms []string
		last := 0
		for _, token := range tokens {
			if token.Start < 0 || token.End > len(text) || token.Start >= token.End {
				t.Fatalf("%q: token %+v lies outside", text, token)
			}
			if token.End < last-lengthOfWord {
				t.Fatalf("%q: token %+v goes back", text, token)
			}
			last = token.End
			if token.Term == "" || len(token.Term) > lengthOfWord {
				t.Fatalf("%q: term %q", text, token.Term)
			}
			if utf8.ValidString(text) && !utf8.ValidString(token.Term) {
				t.Fatalf("%q: term %q is broken", text, token.Term)
			}
			terms = append(terms, token.Term)
		}
		if again := lexical.NewAnalyzer().Append(nil, text); !slices.Equal(again, terms) {
			t.Fatalf("%q: %q then %q", text, terms, again)
		}
	})
}

// lengthOfWord is more than any word that is looked at can have.
const lengthOfWord = 1024

func BenchmarkAnalyze(b *testing.B) {
	set := loadSet(b, "cranfield")
	analyzer, terms := lexical.NewAnalyzer(), []string(nil)
	for i := 0; b.Loop(); i++ {
		text := set.texts[i%len(set.texts)]
		terms = analyzer.Append(terms[:0], text)
		b.SetBytes(int64(len(text)))
	}
}
