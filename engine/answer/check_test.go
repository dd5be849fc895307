package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/engine"
	"dowse/engine/lexical"
)

func newChecker(tb testing.TB, question string) *Checker {
	tb.Helper()
	return NewChecker(question, []Passage{note(tb, 1, "dns.md"), note(tb, 2, "backup.md")}, lexical.NewAnalyzer())
}

// issues writes the issues of an answer for comparison.
func issues(a Answer) string {
	var list []string
	for _, s := range a.Sentences {
		for _, i := range s.Unsupported {
			list = append(list, fmt.Sprintf("%s %q %d", i.Kind, a.Text[i.Start:i.End], i.Elsewhere))
		}
	}
	return strings.Join(list, "; ")
}

func TestCheckIssues(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"right", "Anna Keller wrote the script in 2019 [2]. It keeps seven daily snapshots [2].", ""},
		{"wrong year", "Anna Keller wrote it in 2021 [2].", `number "2021" 1`},
		{"wrong name", "Peter Keller wrote the script [2].", `name "Peter Keller" 0`},
		{"a capital at the beginning alone is no name", "Peter wrote the script [2].", ""},
		{"wrong name within", "The script is by Peter Jansen [2].", `name "Peter Jansen" 0`},
		{"name of another passage", "The disk is named Meyer [2].", `name "Meyer" 1`},
		{"unknown passage", "It runs restic [7].", `uncited "It runs restic [7]." 0; citation "[7]" 0`},
		{"partly unknown", "It runs restic [2, 7].", ""},
		{"uncited", "It runs restic.", `uncited "It runs restic." 0`},
		{"after the point", "It runs restic. [2] The disk holds 4 TB. [2]", ""},
		{"on its own line", "It runs restic.\n\n[2]", ""},
		{"quotation", `He said that "rebooting is useless" [1], and "never reboot" [1].`, `quotation "never reboot" 0`},
		{"curly quotation over a line end", `Use the “second level” [1].`, ""},
		{"code", "Run `resolvectl flush-caches` [1] and `resolvectl reset` [1].", `quotation "resolvectl reset" 0`},
		{"block of code", "Run [2]:\n```sh\nrestic restore latest --target /tmp/back\nrm -rf /\n```\n[2]", `quotation "rm -rf /" 0`},
		{"grouped and plain numbers", "It has 149.112.112.112 and costs $89.90 and $1,200 [1][2].", `number "$1,200" 0`},
		{"words of the question", "The Zaphod timer runs at 03:15 [2].", ""},
		{"an index is no citation", "Use `argv[1]` for it.", `uncited "Use ` + "`argv[1]`" + ` for it." 0; quotation "argv[1]" 0`},
	} {
		got := issues(newChecker(t, "When does the Zaphod timer run?").Check(c.text, true))
		if got != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

// TestCheckConfidence: a complete answer is as sure as what was found of it; one
// that grows does not know yet.
func TestCheckConfidence(t *testing.T) {
	c := newChecker(t, "When does the Zaphod timer run?")
	for text, want := range map[string]Confidence{
		"Anna Keller wrote the script in 2019 [2].": Sure,
		"Anna Keller wrote it in 2021 [2].":         Perhaps,
		"It runs restic.":                           Perhaps,
		Denial:                                      None,
		"The passages do not mention a timer.":      None,
	} {
		a, growing := c.Check(text, true), c.Check(text, false)
		if a.Confidence != want || a.Declined != (want == None) || growing.Confidence != "" {
			t.Errorf("%q: %q, declined %v, and while it grows %q", text, a.Confidence, a.Declined, growing.Confidence)
		}
	}
}

func TestCheckCitations(t *testing.T) {
	a := newChecker(t, "backups?").Check("Every night a timer runs restic [2]. The caches are flushed [1, 2]. See [9].", true)
	var numbers [][]int
	for _, s := range a.Sentences {
		numbers = append(numbers, s.Citations)
	}
	if got := fmt.Sprint(numbers); got != "[[2] [1 2] []]" {
		t.Errorf("citations by sentence: %s", got)
	}
	if len(a.Citations) != 2 || a.Citations[0].N != 2 || a.Citations[1].N != 1 {
		t.Fatalf("citations: %+v", a.Citations)
	}
	c := a.Citations[0]
	if c.Text != "Every night at 03:15 a timer runs restic." || c.LineStart != 3 || c.LineEnd != 3 || c.Path != "/notes/backup.md" {
		t.Errorf("place of the first citation: %+v", c)
	}
}

func TestCitationMarks(t *testing.T) {
	for text, want := range map[string]string{
		"a [1] b": "[1]", "a [1][2]": "[1] [2]", "a [1, 2;3]": "[1 2 3]", "a [1-3]": "[1 2 3]", "a [1–3]": "[1 2 3]",
		"a [passage 2]": "[2]", "a [Passages 1, 2]": "[1 2]", "a [#3]": "[3]", "a[1]": "[1]", "argv_[1]": "", "`x [1]` [2]": "[2]",
		"[]": "", "[x]": "", "[12345]": "", "[1": "", "[3-1]": "[3 1]", "[1-9999]": "[1 9999]",
	} {
		var got []string
		for _, m := range citationMarks(text, Range{Start: 0, End: len(text)}) {
			got = append(got, fmt.Sprint(m.numbers))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

func TestDeclines(t *testing.T) {
	c := newChecker(t, "what?")
	for text, want := range map[string]bool{
		"Not in your files.":                                       true,
		"not in your files":                                        true,
		"Not in your files. [1]":                                   true,
		"The passages do not mention the price.":                   true,
		"The provided context doesn't contain that.":               true,
		"None of the passages says so.":                            true,
		"I don't know.":                                            true,
		"That is not mentioned in the passages.":                   true,
		"There is no information about it in the given text.":      true,
		"This cannot be determined from the passages.":             true,
		"The passages do not say when, but Anna did it [2].":       false,
		"The disk holds 4 TB [2].":                                 false,
		"The servers do not answer the clients.":                   false,
		"The script is not mentioned often.":                       false,
		"Answer: the files are copied, though not all of them [2]": false,
		"": false,
	} {
		if got := c.Check(text, true).Declined; got != want {
			t.Errorf("%q: declined %v, want %v", text, got, want)
		}
	}
}

// TestCheckGrowing checks a text as it is written: what has been said of a
// finished sentence stays, and an unfinished one is not judged.
func TestCheckGrowing(t *testing.T) {
	text := "Peter wrote it in 2021 [2]. The disk is named Meyer [2]. It costs $89.90 [1][7]. Uncited words. Last, in 1850."
	c := newChecker(t, "who?")
	var before []Sentence
	for end := range len(text) + 1 {
		a := c.Check(text[:end], false)
		if n := len(a.Sentences); n > 0 && slices.ContainsFunc(a.Sentences[n-1].Unsupported, func(i Issue) bool { return i.Kind != engine.UnknownCitation }) {
			t.Fatalf("%q: the unfinished sentence is judged: %s", text[:end], issues(a))
		}
		// All but the last two are settled: marks after a point still join the
		// sentence before the last.
		for i := 0; i+2 < len(before) && i < len(a.Sentences); i++ {
			if fmt.Sprint(before[i]) != fmt.Sprint(a.Sentences[i]) {
				t.Fatalf("%q: sentence %d was %+v, is %+v", text[:end], i, before[i], a.Sentences[i])
			}
		}
		before = a.Sentences
	}
	want := `number "2021" 1; name "Meyer" 1; number "$89.90" 2; citation "[7]" 0; uncited "Uncited words." 0; uncited "Last, in 1850." 0; number "1850" 0`
	if got := issues(c.Check(text, true)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCheckControls(t *testing.T) {
	a := newChecker(t, "?").Check("It \x1b[2Jruns \x00restic\u202e [2].\x07", true)
	if strings.ContainsFunc(a.Text, func(r rune) bool { return r < ' ' || r == '\u202e' }) {
		t.Errorf("control characters: %q", a.Text)
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		"Anna wrote it in 2019 [2].", "[1][1, 2] [9]", "`a [1", "\"q\" [2]. \"", "```\nx\n[1]", "Not in your files", "\xff[1]\u2028[2]",
		"A [1-4]. B [–2]", "- [1]\n- [2]\n\n[1]", "1932–1940 [2]", "X. [1]. [2], [1]; Y",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := newChecker(t, "when?")
		for _, final := range []bool{false, true} {
			a := c.Check(text, final)
			if s := c.Short(a); s != nil && !strings.Contains(a.Text, s.Text) {
				t.Fatalf("%q: %q is not in the answer", text, s.Text)
			}
			if !utf8.ValidString(a.Text) || a.Text != withoutControls(a.Text) {
				t.Fatalf("text %q", a.Text)
			}
			at := 0
			for _, s := range a.Sentences {
				if s.Start < at || s.End <= s.Start || s.End > len(a.Text) {
					t.Fatalf("%q: sentence %+v after %d", text, s, at)
				}
				at = s.End
				for _, i := range s.Unsupported {
					if i.Start < s.Start || i.End > s.End || i.Start >= i.End {
						t.Fatalf("%q: issue %+v of sentence %+v", text, i, s.Range)
					}
				}
				for _, n := range s.Citations {
					if n != 1 && n != 2 {
						t.Fatalf("%q: cites %d", text, n)
					}
				}
			}
			for _, ci := range a.Citations {
				if p := note(t, ci.N, map[int]string{1: "dns.md", 2: "backup.md"}[ci.N]); ci.Path != p.Path || ci.LineStart > ci.LineEnd {
					t.Fatalf("%q: citation %+v", text, ci)
				}
			}
		}
	})
}
