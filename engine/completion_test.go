package engine

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// typingAt reads a line in which | is the cursor.
func typingAt(marked string, asked bool) (line string, t Typing, ok bool) {
	before, after, _ := strings.Cut(marked, "|")
	line = before + after
	t, ok = TypingAt(line, len(before), asked)
	return line, t, ok
}

func TestTypingAt(t *testing.T) {
	tests := []struct {
		line            string
		key, text, span string // what is typed, and what its completion takes the place of
		others          string
	}{
		{line: "ta|", text: "ta", span: "ta"},
		{line: "dns -ty|", text: "ty", span: "ty"},
		{line: "TI| dns", text: "ti", span: "TI"},
		{line: "tag:|", key: "tag"},
		{line: "tag:gar|", key: "tag", text: "gar", span: "gar"},
		{line: "x -TAG:#Gar|den y", key: "tag", text: "gar", span: "#Garden"},
		{line: "from:an|", key: "from", text: "an", span: "an"},
		{line: "from:lee, an|", key: "", text: "", span: ""}, // a comma ends nothing, the blank does
		{line: "type:pdf,ma|", key: "type", text: "ma", span: "pdf,ma", others: "pdf"},
		{line: "type:p|,mail x", key: "type", text: "p", span: "p,mail", others: "mail"},
		{line: "ext:md,|,go", key: "ext", span: "md,,go", others: "md go"},
		{line: `from:"ann l|`, key: "from", text: "ann l", span: `"ann l`},
		{line: `from:"ann| lee" x`, key: "from", text: "ann", span: `"ann lee"`},
		{line: `tag:"home office, gar| dns`, key: "tag", text: "gar", span: `"home office, gar`, others: "home office"},
		{line: `from:"|`, key: "from", span: `"`},
		{line: "path:notes/2|", key: "path", text: "notes/2", span: "notes/2"},
	}
	for _, tt := range tests {
		line, got, ok := typingAt(tt.line, false)
		if tt.key == "" && tt.text == "" {
			if ok {
				t.Errorf("%s: %+v, want nothing", tt.line, got)
			}
			continue
		}
		if !ok || got.Key != tt.key || got.Text != tt.text || line[got.Start:got.End] != tt.span || strings.Join(got.Others, " ") != tt.others {
			t.Errorf("%s: %+v %v, of %q", tt.line, got, ok, line[got.Start:min(got.End, len(line))])
		}
	}
}

// TestTypingPlainWords says where no suggestion is in the way.
func TestTypingPlainWords(t *testing.T) {
	for _, line := range []string{
		"|", "dns |", "from|", "to|", "before|", "title|", "be|", "letter from|", "t|", "exp|ensive", "expensive|", "-|",
		`"ta|`, `-"ta|`, "ta |", "t|a", `from:"ann lee"|`, "fr|om:ann", "https://x|", "--ta|", "a:ta|",
	} {
		if _, got, ok := typingAt(line, false); ok {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestTypingAsked(t *testing.T) {
	for line, want := range map[string]string{
		"|": "in: path: ext: type: tag: from: to: title: grep: after: before:", "dns |": "in: path: ext: type: tag: from: to: title: grep: after: before:",
		"from|": "from:", "t|": "type: tag: to: title:", "-|": "in: path: ext: type: tag: from: to: title: grep: after: before:", "zebra|": "",
	} {
		_, typing, ok := typingAt(line, true)
		var got []string
		for _, s := range CompleteKey(typing).Suggestions {
			got = append(got, s.Text)
		}
		if !ok || strings.Join(got, " ") != want {
			t.Errorf("%q: %q %v", line, got, ok)
		}
	}
}

func TestComplete(t *testing.T) {
	for _, tt := range []struct{ line, value, want string }{
		{"tag:gar|", "garden", "tag:garden"},
		{"x tag:gar| y", "home office", `x tag:"home office" y`},
		{"tag:a,ho| y", "home office", `tag:"a,home office" y`},
		{`tag:"home office,g|" y`, "garden", `tag:"home office,garden" y`},
		{"tag:ho|", "home, office", "-"},
		{"tag:ho|", `the "home" one`, "-"},
		{"tag:ho|", `5"`, `tag:5"`},
		{"type:p|,mail", "pdf", "type:pdf,mail"},
		{"from:e|", `"Lee, Erik" of the sea`, `from:"of the sea"`},
		{"from:e|", "", "-"},
		{"path:n|", "a\nb", "-"},
		{"path:n|", "a\xff", "-"},
		{"-ty|", "type:", "-type:"},
	} {
		line, typing, _ := typingAt(tt.line, false)
		text, ok := typing.Complete(tt.value)
		got := line[:typing.Start] + text + line[typing.End:]
		if !ok {
			got = "-"
		}
		if got != tt.want {
			t.Errorf("%s with %q: %s, want %s", tt.line, tt.value, got, tt.want)
		}
	}
}

// FuzzTypingAt checks that what is chosen is what the query then asks for.
func FuzzTypingAt(f *testing.F) {
	for _, line := range []string{"tag:gar|den x", `type:pdf,"m|`, "-ty| from:", `from:"ann| lee" after:2`, "ext:a,|,b", "\u00a0tag:\u3000|"} {
		before, after, _ := strings.Cut(line, "|")
		f.Add(before+after, len(before), "home office", true)
	}
	f.Fuzz(func(t *testing.T, line string, cursor int, value string, asked bool) {
		typing, ok := TypingAt(line, cursor, asked)
		if !ok {
			return
		}
		if typing.Start < 0 || typing.End < typing.Start || typing.End > len(line) || cursor >= 0 && cursor <= len(line) && (cursor < typing.Start && typing.Text != "" || cursor > typing.End) {
			t.Fatalf("%q at %d: %+v", line, cursor, typing)
		}
		if typing.Key == "" || !utf8.ValidString(line) {
			return
		}
		text, ok := typing.Complete(value)
		if !ok {
			return
		}
		for _, term := range splitQuery(line[:typing.Start] + text + line[typing.End:]) {
			if term.at != typing.Start {
				continue
			}
			if !isList(typing.Key) {
				if !strings.Contains(value, term.value) && !strings.HasPrefix(term.value, value) { // what follows is glued to it
					t.Errorf("%q with %q asks for %q", line, value, term.value)
				}
			} else if !slices.Contains(listed(term.value), strings.TrimSpace(value)) && !strings.Contains(term.value, value) {
				t.Errorf("%q with %q asks for %q", line, value, term.value)
			}
			return
		}
		t.Errorf("%q with %q has no filter at %d", line, value, typing.Start)
	})
}
