package fold

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// pairs are texts that mean the same to people, each with its folded form.
var pairs = [][3]string{
	{"Bücher", "bu\u0308cher", "bucher"},
	{"한국어", norm.NFD.String("한국어"), "한국어"},
	{"ガラス", norm.NFD.String("ガラス"), "ガラス"},
	{"Tiếng Việt", norm.NFD.String("tiếng việt"), "tieng viet"},
	{"Wałęsa", "walesa", "walesa"},
	{"STRASSE", "Straße", "strasse"},
	{"STRAẞE", "strasse", "strasse"},
	{"Đorđe", "DORDE", "dorde"},
	{"Ærø", "aero", "aero"},
	{"Þór", "thor", "thor"},
	{"œuvre", "OEUVRE", "oeuvre"},
	{"ILIK", "ılık", "ilik"},
	{"İzmir", "izmir", "izmir"},
	{"Ħaż-Żebbuġ", "Haz‑Zebbug", "haz-zebbug"},
	{"Wasser\u00adpumpe", "wasser\u200bpumpe", "wasserpumpe"},
	{"\ufeffhead", "he\u2060ad", "head"},
	{"می\u200cخواهم", "میخواهم", "میخواهم"},
	{"ﬁnd", "find", "find"},
	{"don’t", "don't", "don't"},
	{"מִלָּה", "מלה", "מלה"},
	{"مُحَمَّد", "محـمد", "محمد"},
	{"Οδός", "οδοσ", "οδοσ"},
	{"葛\U000E0100", "葛", "葛"},
	{"ᄒ\u200bᅡᆫ", "한", "한"},
}

func TestString(t *testing.T) {
	for _, p := range pairs {
		for _, s := range p[:2] {
			if got := String(s); got != p[2] {
				t.Errorf("%q folds to %q, want %q", s, got, p[2])
			}
		}
	}
}

func TestWhatIsKept(t *testing.T) {
	for s, want := range map[string]string{
		"naïve Wasser\u00adpumpe": "naïve wasserpumpe",
		norm.NFD.String("Größe"):  "größe",
		"ﬁne":                     "fine",
	} {
		if got := Lower(s); got != want {
			t.Errorf("Lower(%q) is %q, want %q", s, got, want)
		}
	}
	for _, s := range []string{"", "plain", "e\u0301", "हिन्दी", "हि", "ア゙"} {
		if got := Visible(s); got != s {
			t.Errorf("Visible(%q) is %q", s, got)
		}
	}
}

func TestRange(t *testing.T) {
	text := "Die Wasser\u00adpumpe der Straße, cafe\u0301!"
	of := Of(text)
	for word, want := range map[string]string{"wasserpumpe": "Wasser\u00adpumpe", "strasse": "Straße", "cafe": "cafe\u0301", "die": "Die"} {
		at := strings.Index(of.Folded, word)
		if from, to, ok := of.Range(at, at+len(word)); !ok || text[from:to] != want {
			t.Errorf("%q stands at %d to %d, %v, want %q", word, from, to, ok, want)
		}
	}
	at := strings.Index(of.Folded, "stras")
	if _, _, ok := of.Range(at, at+len("stras")); ok {
		t.Error("half a letter is a range")
	}
}

// TestEveryCharacter folds each character between others, by units and at once.
func TestEveryCharacter(t *testing.T) {
	for r := rune(1); r < 0x20000; r++ {
		if r > 0x2200 {
			r += 12 // letters of one kind stand together
		}
		if utf8.ValidRune(r) {
			checkTwins(t, "a"+string(r)+"\u0301"+string(r)+"\u1161b")
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, p := range pairs {
		f.Add(p[0])
		f.Add(p[1] + " " + p[2])
	}
	f.Add("\xff\u00ad\xc3a\u0300\u200b\u0301")
	f.Fuzz(func(t *testing.T, s string) { checkTwins(t, strings.ToValidUTF8(s, "?")) })
}

// checkTwins holds Of, which folds unit by unit, against String, which folds all at once.
func checkTwins(t *testing.T, s string) {
	t.Helper()
	of, want := Of(s), String(s)
	if of.Folded != want {
		t.Fatalf("%q folds to %q by units, to %q at once", s, of.Folded, want)
	}
	if again := String(want); again != want {
		t.Fatalf("%q folds to %q, and that to %q", s, want, again)
	}
	last := 0
	for i := range len(want) + 1 {
		from, _, ok := of.Range(i, len(want))
		if ok && (from < last || from > len(s)) {
			t.Fatalf("byte %d of %q comes from %d, the one before from %d", i, want, from, last)
		} else if ok {
			last = from
		}
	}
}
