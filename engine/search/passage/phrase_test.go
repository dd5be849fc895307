package passage

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	unicodenorm "golang.org/x/text/unicode/norm"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/internal/fold"
)

func TestPhraseFind(t *testing.T) {
	tests := []struct {
		phrase, text string
		want         []string // what is found, in order
	}{
		{"name server", "The Name\n\t SERVER, name servers, a nickname server", []string{"Name\n\t SERVER"}},
		{"resolver.", "the resolver. resolver.x resolver", []string{"resolver.", "resolver."}},
		{"(a.*b)", "x(a.*b) (axxb)", []string{"(a.*b)"}},
		{"->", "a->b", []string{"->"}},
		{"aa aa", "aa aa aa aa aa", []string{"aa aa", "aa aa"}},
		{"dns", "fixDNS DNS_ dns2 dns² DNS", []string{"DNS"}},
		{"cafe", "cafe\u0301 Café cafés", []string{"cafe\u0301", "Café"}},
		{"café au lait", "cafe\u0301 au lait", []string{"cafe\u0301 au lait"}},
		{"wasserpumpe", "Die Was\u00adser\u200bpumpe", []string{"Was\u00adser\u200bpumpe"}},
		{"한국 여행", unicodenorm.NFD.String("한국 여행"), []string{unicodenorm.NFD.String("한국 여행")}},
		{"straße", "STRASSE, Strasse, Strassen", []string{"STRASSE", "Strasse"}},
		{"stras", "Straße", nil},
		{"e-mail address", "e\u2011mail address, email address, mail address", []string{"e\u2011mail address", "email address"}},
		{"email", "E-Mail, an email, e mail, free-mail", []string{"E-Mail", "email"}},
		{"mail", "e-mail", []string{"mail"}},
		{"well-known fact", "the wellknown fact", []string{"wellknown fact"}},
		{"don't panic", "don’t panic", []string{"don’t panic"}},
		{"ZÜRICH", "in zürich.", []string{"zürich"}},
		{"the bold word", "the **bold** word, the _bold_ word, the `bold` word", []string{"the **bold** word", "the _bold_ word", "the `bold` word"}},
		{"see the roof, then", "see [[house/roof|the roof]], then; see [the roof](http://x/y), then", []string{"see [[house/roof|the roof]], then", "see [the roof](http://x/y), then"}},
		{"two lines quoted", "> two lines\n> quoted", []string{"two lines\n> quoted"}},
		{"he said hello to me", "he said “hello” to me, he said 'hello' to me", []string{"he said “hello” to me", "he said 'hello' to me"}},
		{"wait - what", "wait—what, wait -- what, wait – what", []string{"wait—what", "wait -- what", "wait – what"}},
		{"wait… what", "wait ... what, wait what", []string{"wait ... what", "wait what"}},
		{"don´t panic", "don't panic, dont panic", []string{"don't panic"}},
		{"--force", "force --force", []string{"--force"}},
		{"k", "273 \u212a", []string{"\u212a"}}, // the Kelvin sign
		{"東京", "大東京都", []string{"東京"}},
		{"ไทย", "ภาษาไทยดี", []string{"ไทย"}},
		{"ท", "ที", nil}, // the vowel sign belongs to it
		{"end", "the end", []string{"end"}},
		{"", "x", nil},
		{" \t", "x", nil},
		{"x", "", nil},
		{"\xff", "x", nil},
	}
	for _, tt := range tests {
		ranges := NewPhrase(tt.phrase).Find(tt.text)
		var got []string
		for _, r := range ranges {
			got = append(got, tt.text[r.Start:r.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q in %q: found %q, want %q", tt.phrase, tt.text, got, tt.want)
		}
		if naive := naiveFind(tt.phrase, tt.text); !reflect.DeepEqual(ranges, naive) {
			t.Errorf("%q in %q: found %v, twin %v", tt.phrase, tt.text, ranges, naive)
		}
	}
}

// naiveFind is phrase.find in the obvious way: every stretch of the text is folded and
// compared, with the white space in it made one blank; then so again without the hyphens of
// compounds.
func naiveFind(phrase, text string) []engine.Range {
	folded, of := fold.String(phrase), fold.Of(text)
	found := naiveStretches(strings.Join(strings.Fields(folded), " "), text)
	bare, places := []byte(nil), []int(nil) // text without hyphens, and where its bytes are
	hyphens := lexical.Hyphens(of.Folded)
	for at := range len(text) {
		if !slices.ContainsFunc(hyphens, func(h int) bool { from, to, _ := of.Range(h, h+1); return from <= at && at < to }) {
			bare, places = append(bare, text[at]), append(places, at)
		}
	}
	joined := []byte(nil)
	for at := range len(folded) {
		if !slices.Contains(lexical.Hyphens(folded), at) {
			joined = append(joined, folded[at])
		}
	}
	places = append(places, len(text))
	for _, r := range naiveStretches(strings.Join(strings.Fields(string(joined)), " "), string(bare)) {
		found = append(found, engine.Range{Start: places[r.Start], End: places[r.End]})
	}
	soft := soften(of.Folded)
	for _, r := range naiveStretches(strings.Join(strings.Fields(soften(folded).text), " "), soft.text) {
		if from, to, ok := of.Range(soft.place(r.Start, r.End)); ok {
			found = append(found, engine.Range{Start: from, End: to})
		}
	}
	if len(found) == 0 {
		return nil
	}
	return mergeRanges(found)
}

func naiveStretches(want, text string) (found []engine.Range) {
	if want == "" {
		return nil
	}
	for start := 0; start < len(text); start++ {
		for end := start + 1; end <= len(text); end++ {
			part := text[start:end]
			if !utf8.ValidString(part) || part != strings.TrimSpace(part) || !naiveEdge(text, start) || !naiveEdge(text, end) {
				continue
			}
			if first, _ := utf8.DecodeRuneInString(part); fold.String(string(first)) == "" {
				continue
			}
			if strings.Join(strings.Fields(fold.String(part)), " ") == want {
				found = append(found, engine.Range{Start: start, End: end})
				start = end - 1
				break
			}
		}
	}
	return found
}

// naiveEdge is wordEdge over whole strings. A mark, and what nobody sees, goes with what
// stands before it, whatever that is.
func naiveEdge(text string, at int) bool {
	before, after := []rune(text[:at]), []rune(text[at:])
	if len(after) == 0 {
		return true
	}
	a := after[0]
	if fold.Ignorable(a) || !unicodenorm.NFKC.PropertiesString(string(a)).BoundaryBefore() && len(before) > 0 {
		return false
	}
	for len(before) > 0 && (fold.Ignorable(before[len(before)-1]) || lexical.IsMark(before[len(before)-1])) {
		before = before[:len(before)-1]
	}
	if len(before) == 0 {
		return true
	}
	b := before[len(before)-1]
	inside := func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.Mn, unicode.Mc) || r == '_' }
	switch {
	case !inside(b) || !inside(a):
		return true
	case unicode.In(a, unicode.Mn, unicode.Mc):
		return false
	}
	return lexical.IsDense(a) || lexical.IsDense(b)
}

// pieces make texts in which phrases of the same pieces turn up often.
var pieces = []string{
	"a", "b", "ab", "A", "_", " ", "  ", "\n", ".", "-", "é", "É", "e\u0301", "fixDNS", "FIXdns", "fix_dns", "fix_dNS",
	"京", "東", "東京", "ท", "ที", "ー", "ｶﾞ", "한국", "²", "Σ", "ς", "1", "\u00a0", "\u0301", "ǅ", "İ",
	"**", "“", "'", "—", "--", "[[", "|", "]]", "[", "](", ")", "> ", "…", "`",
	"\u00ad", "\u200d", "ß", "ss", "ł", "\u2011", "-", unicodenorm.NFD.String("한"),
}

func randomPieces(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range rng.IntN(n) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

func TestPhraseFindEqualsTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 2))
	hits := 0
	for range 5000 {
		phrase, text := randomPieces(rng, 4), randomPieces(rng, 16)
		checkPhrase(t, phrase, text)
		hits += len(NewPhrase(phrase).Find(text))
	}
	if hits < 200 {
		t.Errorf("only %d hits with seed %d: the test tests little", hits, seed)
	}
}

// checkPhrase compares find with its twin, and checks that the terms by which
// candidates are chosen are terms of every text that the phrase stands in.
func checkPhrase(t *testing.T, phrase, text string) {
	t.Helper()
	got := NewPhrase(phrase).Find(text)
	if want := naiveFind(phrase, text); !reflect.DeepEqual(got, want) {
		t.Errorf("%+q in %+q: found %v, want %v", phrase, text, got, want)
	}
	if len(got) == 0 {
		return
	}
	analyzer := lexical.NewAnalyzer()
	words, _ := SureTerms(analyzer, phrase, allLanguages)
	has := analyzer.Document(nil, text, "")
	for _, terms := range words {
		if !slices.ContainsFunc(terms, func(term string) bool { return slices.Contains(has, term) }) {
			t.Errorf("%+q stands in %+q, whose terms %+q lack %+q", phrase, text, has, terms)
		}
	}
}

// allLanguages are those that a text of any language may be indexed in.
const allLanguages = lexical.Languages(1<<(lexical.Vietnamese+1) - 1)

func FuzzPhraseFind(f *testing.F) {
	f.Add("name server", "Name\n server")
	f.Add("東京", "大東京都")
	f.Add("fixdns", "fixDNS()")
	f.Add("\xff", "�")
	f.Add("0", "\u06e70")
	f.Add("0", "_0_")
	f.Add("_0_", "0")
	f.Add("_to_", "to")
	f.Add("[run](home)", "run")
	f.Fuzz(func(t *testing.T, phrase, text string) {
		if len(phrase) > 40 || len(text) > 120 || !utf8.ValidString(text) || !utf8.ValidString(phrase) {
			return
		}
		checkPhrase(t, phrase, text)
	})
}

func TestSureTerms(t *testing.T) {
	tests := []struct {
		text   string
		want   []string
		single bool
	}{
		{"", nil, false},
		{"router", []string{"router"}, true},
		{" Router ", []string{"router"}, true},
		{"running", []string{"run"}, true},
		{"fixDNS", []string{"fixdn"}, true},
		{"fix_dNS", []string{"fix_dn"}, true}, // not dns, which fix_dNS lacks
		{"dns.", []string{"dns"}, false},
		{"don't", []string{"don", "\x03t", "\x03t++", "\x03t#"}, false},
		{"AX-4410", []string{"ax", "ax4410", "4410", "ax4410"}, false},
		{"e-mail", []string{"mail", "email"}, false},
		{"name server", []string{"name", "server"}, false},
		{"the", []string{"\x03the"}, false},
		{"東京", []string{"東京"}, true},
		{"東京都", []string{"東京", "京都"}, false},
		{"京", nil, false},
	}
	for _, tt := range tests {
		words, single := SureTerms(lexical.NewAnalyzer(), tt.text, lexical.OnlyEnglish)
		if single != tt.single || !slices.Equal(slices.Concat(words...), tt.want) {
			t.Errorf("sureTerms(%q) = %q, %v", tt.text, words, single)
		}
	}
}

// TestDenseScripts holds lexical.IsDense against the analyzer: both must mean the
// same scripts, or phrases would be looked for in the wrong chunks.
func TestDenseScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	analyzer := lexical.NewAnalyzer()
	for r := rune(0); r <= 0x323AF; r++ {
		if !lexical.IsWord(r) || lexical.IsMark(r) || r == '_' {
			continue
		}
		terms := analyzer.Append(nil, strings.Repeat(string(r), 3))
		if pairs := len(terms) == 2; pairs != lexical.IsDense(r) {
			t.Errorf("U+%04X: pairs %v, dense %v", r, pairs, lexical.IsDense(r))
		}
	}
}
