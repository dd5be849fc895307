package tui

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"dowse/engine"
	"dowse/tui/rich"
)

// look returns the style of what is meant so, in text of a style.
func (s styles) look(plain lipgloss.Style, look rich.Look) lipgloss.Style {
	ink := plain
	switch {
	case look&rich.Comment != 0:
		return s.comment
	case look&rich.String != 0:
		return s.literal
	case look&rich.Number != 0:
		return s.number
	case look&rich.Keyword != 0:
		return s.keyword
	case look&rich.Faint != 0:
		return s.faint
	case look&rich.Heading != 0:
		ink = s.chosen
	case look&rich.Link != 0:
		ink = s.accent
	case look&rich.Code != 0:
		ink = s.literal
	}
	if look&rich.Strong != 0 {
		ink = ink.Bold(true)
	}
	if look&rich.Emphasis != 0 {
		ink = ink.Italic(true)
	}
	if look&rich.Strike != 0 {
		ink = ink.Strikethrough(true).StrikethroughSpaces(false)
	}
	return ink
}

// isMarkdown reports whether a passage is of a file of Markdown.
func isMarkdown(p engine.Passage) bool {
	ext := strings.ToLower(filepath.Ext(p.Path))
	return !p.Extracted && (p.Format == "markdown" || slices.Contains([]string{".md", ".markdown", ".mdx", ".mkd", ".qmd", ".rmd"}, ext))
}

// enrich says of sanitized lines what they mean. first says that they begin
// their file.
func enrich(p engine.Passage, lines []marked, first bool) []marked {
	sources := make([]rich.Source, len(lines))
	for i, l := range lines {
		sources[i] = rich.Source{Text: l.text, Hits: l.hits}
	}
	var meant []rich.Line
	switch {
	case isMarkdown(p):
		meant = rich.Markdown(sources, first, false)
	case p.Extracted:
		meant = rich.Headings(sources)
	default:
		language := strings.TrimPrefix(filepath.Ext(p.Path), ".")
		if language == "" {
			language = filepath.Base(p.Path)
		}
		var known bool
		if meant, known = rich.CodeLines(language, sources); !known {
			return lines
		}
	}
	for i, l := range meant {
		lines[i] = marked{l.Text, l.Hits, l.Spans}
	}
	return lines
}

// meant returns the text of a passage in one line, without its markup.
func meant(p engine.Passage) marked {
	text, hits := body(p)
	if !isMarkdown(p) {
		return flattenMarked(text, hits)
	}
	var sources []rich.Source
	start := 0
	for line := range strings.Lines(text) {
		line, end := strings.TrimRight(line, "\r\n"), start+len(line)
		clean := sanitizeMarked(line, shift(hits, start, start+len(line)))
		sources = append(sources, rich.Source{Text: clean.text, Hits: clean.hits})
		start = end
	}
	var out marked
	for _, l := range rich.Markdown(sources, false, true) {
		if strings.TrimSpace(l.Text) == "" {
			continue
		}
		base := len(out.text)
		out.text += l.Text + " "
		for _, h := range l.Hits {
			out.hits = append(out.hits, engine.Range{Start: h.Start + base, End: h.End + base})
		}
	}
	return flattenMarked(strings.TrimSuffix(out.text, " "), out.hits)
}
