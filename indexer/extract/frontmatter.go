package extract

import (
	"strings"

	"dowse/indexer/document"
)

// maxFrontMatter is how many bytes at the beginning of a note are looked at.
const maxFrontMatter = 16 << 10

// frontMatter reads what a note says of itself in YAML between lines of three dashes at
// its beginning: title, author, tags, date and their like. It knows the YAML that people
// write there, which is a key and a value, a list in brackets, or a list below the key.
// Words such as #garden in the text are no tags here: headings, issues, colours and code
// have them too, and who wants them finds them as words.
func frontMatter(text string) (m document.Meta) {
	text = strings.TrimPrefix(text[:min(len(text), maxFrontMatter)], "\ufeff")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return m
	}
	end := strings.Index("\n"+rest, "\n---")
	if end < 0 {
		return m
	}
	key, values := "", []string(nil)
	for line := range strings.Lines(rest[:end]) {
		line = strings.TrimRight(line, " \t\r\n")
		body := strings.TrimLeft(line, " \t")
		switch name, value, found := strings.Cut(body, ":"); {
		case body == "" || body[0] == '#':
		case body == "-" || strings.HasPrefix(body, "- "):
			values = append(values, scalar(body[1:]))
		case found && body == line && !strings.ContainsAny(name, `"'{[`) && (value == "" || value[0] == ' ' || value[0] == '\t'):
			note(&m, key, values)
			key, values = strings.ToLower(name), list(value)
		}
	}
	note(&m, key, values)
	return m
}

// list reads a value: one text, or several in brackets.
func list(value string) []string {
	value = strings.TrimSpace(value)
	inner, open := strings.CutPrefix(value, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !open || !closed {
		if value = scalar(value); value == "" {
			return nil
		}
		return []string{value}
	}
	var values []string
	for _, part := range strings.Split(inner, ",") {
		values = append(values, scalar(part))
	}
	return values
}

// scalar takes quotation marks and a comment off a value.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	for _, quote := range []string{`"`, "'"} {
		if inner, found := strings.CutPrefix(value, quote); found {
			if end := strings.Index(inner, quote); end >= 0 {
				return inner[:end]
			}
		}
	}
	if comment := strings.Index(value, " #"); comment >= 0 {
		value = strings.TrimSpace(value[:comment])
	}
	return value
}
