package engine

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

var testNow = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestParse(t *testing.T) {
	tests := []struct {
		line string
		want Query
		text string
	}{
		{line: "", want: Query{}},
		{line: "  \t ", want: Query{}},
		{line: "fix dns", want: Query{Words: []string{"fix", "dns"}}, text: "fix dns"},
		{line: `how "name server" broke`, want: Query{Words: []string{"how", "broke"}, Phrases: []string{"name server"}}, text: "how name server broke"},
		{line: "how “name server” broke -„so nicht“ «tel quel» ”", want: Query{Words: []string{"how", "broke", "”"}, Phrases: []string{"name server", "tel quel"}, Without: []string{"so nicht"}}, text: "how name server broke tel quel ”"},
		{line: `"still typ`, want: Query{Phrases: []string{"still typ"}}, text: "still typ"},
		{line: `dns -router -"local host"`, want: Query{Words: []string{"dns"}, Without: []string{"router", "local host"}}, text: "dns"},
		{line: "a - b -- c --flag", want: Query{Words: []string{"a", "-", "b", "--", "c", "--flag"}}, text: "a - b -- c --flag"},
		{line: "x path:notes/ -path:old", want: Query{Words: []string{"x"}, Paths: []string{"notes/"}, NotPaths: []string{"old"}}, text: "x"},
		{line: `path:"my notes" x`, want: Query{Words: []string{"x"}, Paths: []string{"my notes"}}, text: "x"},
		{line: "ext:md,.TXT -EXT:go", want: Query{Exts: []string{"md", "txt"}, NotExts: []string{"go"}}},
		{line: `in:work -in:"old notes" dns in:work/sub`, want: Query{In: []string{"work", "work/sub"}, NotIn: []string{"old notes"}, Words: []string{"dns"}}, text: "dns"},
		{line: "path: ext: after: dns", want: Query{Words: []string{"dns"}}, text: "dns"},
		{line: "http://x.org/a:b std::vector", want: Query{Words: []string{"http://x.org/a:b", "std::vector"}}, text: "http://x.org/a:b std::vector"},
		{line: "after:2026 before:2026-03", want: Query{After: day(2026, 1, 1), Before: day(2026, 3, 1)}},
		{line: "after:2026-01-31 x", want: Query{After: day(2026, 1, 31), Words: []string{"x"}}, text: "x"},
		{line: "after:7d", want: Query{After: testNow.AddDate(0, 0, -7)}},
		{line: "before:1y", want: Query{Before: testNow.AddDate(-1, 0, 0)}},
		{line: "-after:2w", want: Query{Before: testNow.AddDate(0, 0, -14)}},
		{line: "after:today before:yesterday", want: Query{After: day(2026, 11, 21), Before: day(2026, 11, 20)}},
		{line: `"" -"" x`, want: Query{Words: []string{"x"}}, text: "x"},
		{line: "() => x", want: Query{Words: []string{"()", "=>", "x"}}, text: "() => x"},
		{line: `- "=>" …`, want: Query{Phrases: []string{"=>"}}, text: "=>"},
		{line: "() ext:md", want: Query{Exts: []string{"md"}}},
		{line: "type:PDF,docx type:mail", want: Query{Facts: []FactFilter{{Key: "type", Values: []string{"pdf", "docx", "mail"}}}}},
		{line: "-type:pdf type:document -type:mail type:note", want: Query{Facts: []FactFilter{
			{Key: "type", Values: []string{"pdf", "mail"}, Not: true}, {Key: "type", Values: []string{"document", "note"}},
		}}},
		{line: `=README.md x ="Foo  Bar" -=foo = == => =`, want: Query{Words: []string{"x", "=", "==", "=>", "="}, Exact: []Exact{
			{Text: "README.md", Typed: "=README.md"}, {Text: "Foo  Bar", Typed: `="Foo  Bar"`}, {Text: "foo", Typed: "-=foo", Not: true},
		}}, text: "README.md x Foo  Bar = == => ="},
		{line: `="->"`, want: Query{Exact: []Exact{{Text: "->", Typed: `="->"`}}}, text: "->"},
		{line: `grep:/usr/bin/ x`, want: Query{Words: []string{"x"}, Exact: []Exact{grepOf("usr/bin", "grep:/usr/bin/")}}, text: "x"},
		{line: `-grep:/a b\/ c/i grep:// grep:`, want: Query{Exact: []Exact{{Pattern: regexp.MustCompile(`(?m)(?i)a b\/ c`), Typed: `-grep:/a b\/ c/i`, Not: true}}}},
		{line: `grep:colou?r grep:"a b" grep:/still typ`, want: Query{Exact: []Exact{
			grepOf("colou?r", "grep:colou?r"), grepOf("a b", `grep:"a b"`), grepOf("still typ", "grep:/still typ"),
		}}},
		{line: "tag:a tag:b,c", want: Query{Facts: []FactFilter{{Key: "tag", Values: []string{"a"}}, {Key: "tag", Values: []string{"b", "c"}}}}},
	}
	for _, tt := range tests {
		got, err := Parse(tt.line, testNow)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.line, err)
			continue
		}
		if got.Text() != tt.text {
			t.Errorf("Parse(%q).Text() = %q, want %q", tt.line, got.Text(), tt.text)
		}
		if got.HasText() != (tt.text != "") {
			t.Errorf("Parse(%q).HasText() = %v", tt.line, got.HasText())
		}
		got.text = nil
		if !reflect.DeepEqual(*got, tt.want) {
			t.Errorf("Parse(%q)\n got %+v\nwant %+v", tt.line, *got, tt.want)
		}
	}
}

// grepOf is a pattern of a query line.
func grepOf(pattern, typed string) Exact {
	return Exact{Pattern: regexp.MustCompile("(?m)" + pattern), Typed: typed}
}

func TestParseRefusesBadPatterns(t *testing.T) {
	for line, want := range map[string]string{
		"grep:/a(/": "grep:/a(/: missing closing ); a pattern is", "x grep:[z": "grep:[z: missing closing ]; a pattern is", "-grep:/*/i": "-grep:/*/i: missing argument to repetition operator; a pattern is",
	} {
		if _, err := Parse(line, testNow); !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) error = %v, want %s", line, err, want)
		}
	}
}

func TestParseRefusesBadDates(t *testing.T) {
	for _, line := range []string{"after:soon", "before:2026-13-01", "after:d", "after:9999999999999999999d", "before:7x"} {
		_, err := Parse(line, testNow)
		if !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), "want a date such as") {
			t.Errorf("Parse(%q) error = %v", line, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", `a "b c" -d`, "path:x ext:md after:7d", `"`, "-", `-"`, "ext:,,", "é:ü \xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		q, err := Parse(line, testNow)
		if err != nil {
			return
		}
		if len(q.text) != len(q.Words)+len(q.Phrases)+len(q.exactTexts()) {
			t.Errorf("%q: %d texts for %d words and %d phrases", line, len(q.text), len(q.Words), len(q.Phrases))
		}
		for _, w := range q.Words {
			if strings.TrimSpace(w) == "" {
				t.Errorf("%q: blank word", line)
			}
		}
	})
}

// TestUnmark drops the mark of a question, and nothing where that is all there is.
func TestUnmark(t *testing.T) {
	for typed, want := range map[string]string{
		"who wrote grep?": "who wrote grep", "who wrote grep": "who wrote grep", "who wrote grep ?!": "who wrote grep",
		"is it 2.5?": "is it 2.5", `"?"`: "?", "": "", `who said "why?"`: "who said why",
	} {
		q, err := Parse(typed, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		q.Unmark()
		if got := q.Text(); got != want {
			t.Errorf("%q is asked as %q, want %q", typed, got, want)
		}
	}
}

// TestEmpty: a line without a word, a phrase or a filter with a value asks for nothing,
// whatever signs it is made of.
func TestEmpty(t *testing.T) {
	for line, want := range map[string]bool{
		"": true, " \t": true, `"`: true, `""`: true, `-""`: true, `-"`: true, `" "`: true, "-": true, "--": true, "- -": true, "()": true,
		"?": true, "...": true, "=>": true, "$ + ^": true, "title:": true, "-tag: ext:, after:": true, "tag:#": true,
		"and": false, "AND": false, "?x": false, "7": false, "¼": false, "東": false, "🚲": false, `"()"`: false, `"` + "=>": false,
		"-router": false, "ext:md": false, "-path:x": false, "before:7d": false, "type:pdf": false, "-after:2026": false,
	} {
		q, err := Parse(line, testNow)
		if err != nil || q.Empty() != want {
			t.Errorf("Parse(%q) = %+v, %v; empty %v, want %v", line, q, err, q.Empty(), want)
		}
	}
}

func TestAsked(t *testing.T) {
	for line, want := range map[string]string{
		"a ext:md": "", `x "a b" -c "d" -"e f" -ext:md`: `"a b" "d" -c -"e f"`, `"open`: `"open"`, `=Ab -grep:/x y/ "a"`: `"a" =Ab -grep:/x y/`,
	} {
		q, err := Parse(line, testNow)
		if err != nil || q.Asked() != want {
			t.Errorf("%s: %s, %v; want %s", line, q.Asked(), err, want)
		}
	}
}
