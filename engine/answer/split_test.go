package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplitSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"One. Two! Three? Four", "One.|Two!|Three?|Four"},
		{"Dr. Meyer met Mr. J. R. Smith Jr. in Washington, D.C. on Monday. He left.", "Dr. Meyer met Mr. J. R. Smith Jr. in Washington, D.C. on Monday.|He left."},
		{"It costs approx. $3.50, i.e. nothing. See no. 5 of vol. 2.", "It costs approx. $3.50, i.e. nothing.|See no. 5 of vol. 2."},
		{"The answer is no. Then we left.", "The answer is no.|Then we left."},
		{"He said \"Stop.\" She did (at once.) Then he went.", "He said \"Stop.\"|She did (at once.)|Then he went."},
		{"Run `git stash. Then` twice. Open main.go. Wait... what?", "Run `git stash. Then` twice.|Open main.go.|Wait... what?"},
		{"He lived in the U.S. The war ended.", "He lived in the U.S.|The war ended."},
		{"It was built in 1066.[3] The tower came later.", "It was built in 1066.[3]|The tower came later."},
		{"一つ目。二つ目！終わり", "一つ目。|二つ目！|終わり"},
		{"wrapped\nover lines. Next\none.", "wrapped\nover lines.|Next\none."},
		{"", ""},
		{" \n\t ", ""},
		{"An open ` backtick. Next one.", "An open ` backtick.|Next one."},
	} {
		var got []string
		for _, p := range Split(c.text) {
			got = append(got, c.text[p.Start:p.End])
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, s, c.want)
		}
	}
}

func TestSplitRows(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // rows; "" where the text is none
	}{
		{"Set; Size; Stored\nSet: winter; Size: 205/55 R16; Stored: cellar, left\nSet: summer; Size: 205/55 R16", "Set; Size; Stored|Set: winter; Size: 205/55 R16; Stored: cellar, left|Set: summer; Size: 205/55 R16"},
		{"From: Dr. Petra Sommer <p@example.org>; To: Kim; Date: Thu 11 Jun 2026 11:30\n\nDear Kim.", "From: Dr. Petra Sommer <p@example.org>; To: Kim; Date: Thu 11 Jun 2026 11:30"},
		{"Todo: milk; bread; cheese\nand call Ann.", ""},
		{"He said: no; she said yes. Result: they left; nobody knows: why.", ""},
		{"27: mildew; 28: rain, again; it stopped\nthe lawn is wet\nthe shed is not", ""},
	} {
		var rows []string
		for _, p := range Split(c.text) {
			if p.Kind == Row {
				rows = append(rows, c.text[p.Start:p.End])
			}
		}
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestSplitMarkdown(t *testing.T) {
	var b strings.Builder
	names := []string{"prose", "item", "heading", "code", "row"}
	for _, file := range []string{"dns.md", "backup.md"} {
		p := note(t, 1, file)
		for _, piece := range Split(p.Text) {
			fmt.Fprintf(&b, "%2d %-7s %q\n", piece.Block, names[piece.Kind], p.Text[piece.Start:piece.End])
		}
	}
	golden(t, "split.golden", b.String())
}

func TestPlain(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a [link](https://x.y/z) and ![a picture](p.png), **bold** and *this one*", "a link and a picture, bold and this one"},
		{"> quoted\n> twice", "quoted twice"},
		{"2 * 3 * 4 and *.go and snake_case_name and __init__", "2 * 3 * 4 and *.go and snake_case_name and init"},
		{"\x1b[31mred\x1b[0m\x00 \u202eevil\u2066 \x9b2J", "[31mred[0m evil 2J"},
	} {
		checkPlain(t, Prose, c.text, c.want)
	}
	checkPlain(t, Code, "\tif x {\r\n\t}\x07\n", "\tif x {\n\t}")
}

func checkPlain(t *testing.T, kind Kind, text, want string) {
	t.Helper()
	if got := plain(text, kind); got != want {
		t.Errorf("%q: got %q, want %q", text, got, want)
	}
}

func FuzzSentences(f *testing.F) {
	for _, name := range []string{"dns.md", "backup.md"} {
		f.Add(note(f, 1, name).Text)
	}
	for _, s := range []string{"```\na", "- ", "# ", "#", "|-|", "a\n=", "1. x. Y.", "...", "。。", "`a. B`", "\xff. A", "    x\n\n    y", "~~~\n```\n~~~\nx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, block := 0, 0
		for _, p := range Split(text) {
			if p.Start < at || p.Start >= p.End || p.End > len(text) || p.Block < block {
				t.Fatalf("%q: piece %v after byte %d", text, p, at)
			}
			at, block = p.End, p.Block
			piece := text[p.Start:p.End]
			if strings.TrimSpace(piece) == "" {
				t.Fatalf("%q: empty piece %v", text, p)
			}
			if utf8.ValidString(text) && !utf8.ValidString(piece) {
				t.Fatalf("%q: piece %q cuts a character", text, piece)
			}
			last := p.Start
			for _, tok := range tokenize(text, p.Range) {
				if tok.Start < last || tok.End <= tok.Start || tok.End > p.End {
					t.Fatalf("%q: token %v after byte %d", text, tok, last)
				}
				if strings.TrimSpace(text[last:tok.Start]) != "" {
					t.Fatalf("%q: nothing stands for %q", text, text[last:tok.Start])
				}
				last = tok.End
			}
		}
	})
}

func TestTokenize(t *testing.T) {
	text := "Anna's U.S. flight cost $1,500.50, 3.5% of it; in 1932–1940 (the mid-1990s) at 10:30, see main.go!"
	var got []string
	for _, tok := range tokenize(text, Range{Start: 0, End: len(text)}) {
		got = append(got, text[tok.Start:tok.End])
	}
	want := strings.Split("Anna|'|s|U.S.|flight|cost|$1,500.50|,|3.5%|of|it|;|in|1932–1940|(|the|mid-1990s|)|at|10:30|,|see|main.go|!", "|")
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
