package secret

import (
	"strings"

	"dowse/indexer/encoded"
	"dowse/indexer/skip"
	"dowse/internal/pattern"
)

// assignment is a line of settings.
var assignment = pattern.New(`^(?:export[ \t]+|set[ \t]+)?([A-Za-z_/][\w./:@-]*)[ \t]*=[ \t]*(.*)$`)

// settings tells files of which each line is a comment, a section or "NAME=value", where a name says that its value is
// a secret and the value is no placeholder.
func (f *file) settings() Found {
	if isMarkdown[f.ext] {
		return Found{}
	}
	text := f.text
	if strings.Contains(text, "BEGIN ") { // a key within quotation marks, over several lines
		text = f.withoutKeys()
	}
	lines, others := 0, 0
	found := Found{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' || line[0] == '[' && line[len(line)-1] == ']' {
			continue
		}
		lines++
		m := assignment.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[2], "=") {
			if others++; !f.isEnv() || others*10 > lines+9 {
				return Found{}
			}
			continue
		}
		if found.Reason == "" {
			found = ofSetting(m[1], m[2])
		}
	}
	return found
}

// ofSetting says what a setting holds.
func ofSetting(name, value string) Found {
	if i := strings.LastIndex(name, ":"); i >= 0 { // //registry.npmjs.org/:_authToken
		name = name[i+1:]
	}
	switch s := nameOf(name); {
	case !s.holds(value) && !nothing.holds(value):
		return Found{}
	case s == password || s == nothing:
		return Found{skip.Passwords, "settings"}
	}
	return Found{skip.Tokens, "settings"}
}

// isEnv reports whether a file is named as those are that programs take their environment from.
func (f *file) isEnv() bool {
	return f.ext == "env" || f.name == ".env" || strings.HasPrefix(f.name, ".env.") || strings.HasPrefix(f.name, "env.")
}

// withoutKeys returns the text without what stands in armour, in one line.
func (f *file) withoutKeys() string {
	var b strings.Builder
	from := 0
	for _, r := range encoded.Secrets(f.text) {
		b.WriteString(strings.TrimRight(f.text[from:r.Start], "\n"))
		from = min(len(f.text), r.End+1)
	}
	b.WriteString(f.text[from:])
	return b.String()
}
