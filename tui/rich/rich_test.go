package rich

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

func sources(text string) []Source {
	var out []Source
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, Source{Text: line})
	}
	return out
}

func text(lines []Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return strings.Join(out, "\n")
}

// looks writes the stretches of a look.
func looks(lines []Line, look Look) (out []string) {
	for _, l := range lines {
		for _, s := range l.Spans {
			if s.Look&look != 0 {
				out = append(out, l.Text[s.Start:s.End])
			}
		}
	}
	return out
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"## What *it* looked like ##", "What it looked like"},
		{"a **bold _and_ odd** word, ~~gone~~, `x**y**`", "a bold and odd word, gone, x**y**"},
		{"2 * 3 * 4, snake_case_name, __init__ of a*b", "2 * 3 * 4, snake_case_name, init of a*b"},
		{"**never closed, `nor this", "**never closed, `nor this"},
		{"see [the *page*](https://example.org/a) and ![a cat](cat.png)", "see the page (https://example.org/a) and a cat (cat.png)"},
		{"see [[Notes/dns|the outage]] and [[bread]]", "see the outage and bread"},
		{`5 \* 3 <https://example.org> a<br>b <i>c</i> 1 < 2 > 0`, "5 * 3 https://example.org ab c 1 < 2 > 0"},
		{"- one\n  - [x] two\n3. three\n+ [ ] four", "• one\n  ☑ two\n3. three\n☐ four"},
		{"> > said\n> again", "│ │ said\n│ again"},
		{"a\n---\nb", "a\n────────────\nb"},
		{"```go\nx := \"**\" // _c_\n```\n*after*", "go\nx := \"**\" // _c_\n\nafter"},
		{"| a | long name |\n|---|:-:|\n| **bb** | c |\nafter", "a  │ long name\n───┼──────────\nbb │ c\nafter"},
		{"---\ntags: [a_b_c]\n---\n# T", "---\ntags: [a_b_c]\n---\nT"},
	} {
		if got := text(Markdown(sources(c.in), true, false)); got != c.want {
			t.Errorf("%q is\n%q, want\n%q", c.in, got, c.want)
		}
	}
	plain := text(Markdown(sources("# A\n```\ncode\n```\n---\n| a | b |\n|--|--|\n| c | [d](e) |"), false, true))
	if want := "A\n\ncode\n\n\na · b\n\nc · d"; plain != want {
		t.Errorf("plain: %q, want %q", plain, want)
	}
	if got := text(Markdown(sources("| c | `d|` |\n|--|--|\n| e |"), false, true)[2:]); got != "e" {
		t.Errorf("a row: %q", got)
	}
	tail := Markdown(sources("x_y_z **a**\n```\n**b**"), false, false)
	if got := text(tail); got != "x_y_z **a**\n\nb" {
		t.Errorf("text that begins within code: %q", got)
	}
}

func TestLooks(t *testing.T) {
	lines := Markdown(sources("# Head\n***both*** `code` [l](u)"), false, false)
	for look, want := range map[Look]string{Heading: "Head", Strong: "both", Emphasis: "both", Code: "code", Link: "l"} {
		if got := looks(lines, look); !slices.Equal(got, []string{want}) {
			t.Errorf("of look %d are %q, want %q", look, got, want)
		}
	}
	code, ok := CodeLines("go", sources("func f() { return 12 } // say \"no\"\nx := `a\nfunc` + \"b\\\"c\" /* d\ne */ var"))
	if !ok {
		t.Fatal("go is not known")
	}
	for look, want := range map[Look][]string{
		Keyword: {"func", "return", "var"}, Number: {"12"}, Comment: {`// say "no"`, "/* d", "e */"}, String: {"`a", "func`", `"b\"c"`},
	} {
		if got := looks(code, look); !slices.Equal(got, want) {
			t.Errorf("of look %d are %q, want %q", look, got, want)
		}
	}
	if _, ok := CodeLines("nothing", nil); ok {
		t.Error("a language of this name is known")
	}
}

// TestMatchedWordsMove keeps the matched words on their letters.
func TestMatchedWordsMove(t *testing.T) {
	const line = "- a **bold** [link](to) bold"
	var hits []engine.Range
	for _, at := range []int{6, 14, strings.LastIndex(line, "bold")} {
		hits = append(hits, engine.Range{Start: at, End: at + 4})
	}
	out := Markdown([]Source{{Text: line, Hits: hits}}, false, true)[0]
	var got []string
	for _, h := range out.Hits {
		got = append(got, out.Text[h.Start:h.End])
	}
	if want := []string{"bold", "link", "bold"}; out.Text != "• a bold link bold" || !slices.Equal(got, want) {
		t.Errorf("%q with %q, want %q", out.Text, got, want)
	}
}

// TestAnyText: whatever is read, ranges stay ascending and within the text, as
// many lines come out, and it ends soon.
func TestAnyText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = "*_`~[]()!<>|\\#- \n\"'/x漢."
	pieces := strings.Split(letters, "")
	for range 3000 {
		var b strings.Builder
		for range random.IntN(120) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		in := sources(b.String())
		for i := range in {
			if n := len(in[i].Text); n > 2 {
				in[i].Hits = []engine.Range{{Start: 0, End: n / 2}, {Start: n/2 + 1, End: n}}
			}
		}
		code, _ := CodeLines([]string{"go", "py", "html"}[random.IntN(3)], in)
		for _, lines := range [][]Line{Markdown(in, true, false), Markdown(in, false, true), Headings(in), code} {
			if len(lines) != len(in) {
				t.Fatalf("%d lines of %d of %q", len(lines), len(in), b.String())
			}
			for _, l := range lines {
				checkRanges(t, l, b.String())
			}
		}
	}
	for _, slow := range []string{strings.Repeat("*a ", 600), strings.Repeat("[", 2000), strings.Repeat("**a", 600), strings.Repeat("`", 2000), strings.Repeat("<!--", 500), strings.Repeat("> ", 1000)} {
		Markdown(slices.Repeat([]Source{{Text: slow}}, 50), true, false)
	}
}

func checkRanges(t *testing.T, l Line, from string) {
	t.Helper()
	at := 0
	for _, s := range l.Spans {
		if s.Start < at || s.End <= s.Start || s.End > len(l.Text) {
			t.Fatalf("%q: spans %v of %q", from, l.Spans, l.Text)
		}
		at = s.End
	}
	at = 0
	for _, h := range l.Hits {
		if h.Start < at || h.End <= h.Start || h.End > len(l.Text) {
			t.Fatalf("%q: hits %v of %q", from, l.Hits, l.Text)
		}
		at = h.End
	}
}

// TestMarks: what a caller has marked moves along, and is not read as a link.
func TestMarks(t *testing.T) {
	const src = "- **Flush** it [2](?) with `resolvectl` [10]"
	mark := func(text string, id int) Mark {
		at := strings.Index(src, text)
		return Mark{at, at + len(text), id}
	}
	line := Markdown([]Source{{Text: src, Marks: []Mark{mark("[2]", 1), mark("(?)", 2), mark("[10]", 3)}}}, true, false)[0]
	if want := "• Flush it [2](?) with resolvectl [10]"; line.Text != want {
		t.Errorf("%q, want %q", line.Text, want)
	}
	var got []string
	for _, m := range line.Marks {
		got = append(got, line.Text[m.Start:m.End])
	}
	if want := []string{"[2]", "(?)", "[10]"}; !slices.Equal(got, want) {
		t.Errorf("the marks are %q, want %q", got, want)
	}
	table := Markdown([]Source{{Text: "| a | b |"}, {Text: "|---|---|"}, {Text: "| one | [3] |", Marks: []Mark{{8, 11, 7}}}}, true, false)[2]
	if m := table.Marks; len(m) != 1 || table.Text[m[0].Start:m[0].End] != "[3]" {
		t.Errorf("in a table: %q, %v", table.Text, m)
	}
}

// TestOpenFence: a text that begins is not in code because of a fence that was not closed yet.
func TestOpenFence(t *testing.T) {
	lines := Markdown(sources("Run *this*:\n```\nls"), true, false)
	if text(lines) != "Run this:\n\nls" || !slices.Equal(looks(lines, Code), []string{"ls"}) {
		t.Errorf("%q, code %q", text(lines), looks(lines, Code))
	}
}
