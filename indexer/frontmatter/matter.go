// Package frontmatter reads what a note says of itself at its beginning, in the ways in which
// programs for notes and pages write it:
//
//	---           YAML between lines of three dashes (Jekyll, Hugo, Obsidian, pandoc)
//	+++           TOML between lines of three plus signs (Hugo, Zola)
//	{ ... }       an object of JSON (Hugo)
//	% Title       the title block of pandoc: title, authors, date
//	Title: Roof   a name and a value a line, up to a blank line (Pelican, MultiMarkdown)
//
// It tells where that ends and which names have which values. What the names mean is the
// reader's matter.
package frontmatter

import (
	"strings"
)

// maxBytes is how many bytes at the beginning of a note are looked at.
const maxBytes = 16 << 10

// Field is a name in lower case and its values, of which a list has several.
type Field struct {
	Name   string
	Values []string
}

// Matter is what stands at the beginning of a note.
type Matter struct {
	End    int // where it ends in the text, in bytes, before its last line end; 0 without one
	Fields []Field
}

// Read returns what a note says of itself.
func Read(text string) Matter {
	rest := strings.TrimPrefix(text[:min(len(text), maxBytes)], "\ufeff")
	mark := min(len(text), maxBytes) - len(rest)
	first, _, _ := strings.Cut(rest, "\n")
	first = strings.TrimRight(first, " \t\r")
	var m Matter
	switch {
	case first == "---":
		m = fenced(rest, "---", yamlFields)
		if m.End == 0 {
			m = fenced(rest, "...", yamlFields)
		}
	case first == "+++":
		m = fenced(rest, "+++", tomlFields)
	case strings.HasPrefix(first, "{"):
		m = jsonObject(rest)
	case first == "%" || strings.HasPrefix(first, "% "):
		m = titleBlock(rest)
	default:
		m = keyValues(rest)
	}
	if m.End > 0 {
		m.End += mark
	}
	return m
}

// Title returns the title that a note gives itself, "" where it gives none.
func (m Matter) Title() string {
	for _, f := range m.Fields {
		if f.Name == "title" && len(f.Values) > 0 {
			return f.Values[0]
		}
	}
	return ""
}

// fenced reads what stands between the first line and the next one that is the fence.
func fenced(text, fence string, read func(string) []Field) Matter {
	_, body, _ := strings.Cut(text, "\n")
	start := len(text) - len(body)
	for at := 0; at < len(body); {
		line, _, _ := strings.Cut(body[at:], "\n")
		if strings.TrimRight(line, " \t\r") == fence {
			return Matter{End: start + at + len(line), Fields: read(body[:at])}
		}
		at += len(line) + 1
	}
	return Matter{}
}
