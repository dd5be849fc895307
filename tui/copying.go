package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

// copyChosen copies the places of the selected passages or of the chosen one, their
// text, or both as quotations, as the key says.
func (m *model) copyChosen(msg tea.KeyMsg) tea.Cmd {
	passages := m.acting()
	if len(passages) == 0 {
		return nil
	}
	var text, what string
	switch {
	case key.Matches(msg, m.keys.copyText):
		texts := make([]string, len(passages))
		for i, p := range passages {
			texts[i] = strings.TrimSpace(p.Text)
		}
		text, what = strings.Join(texts, "\n\n"), "text"
	case key.Matches(msg, m.keys.copyCited):
		text, what = m.quotations(passages), "quotation"
	default:
		places := make([]string, len(passages))
		for i, p := range passages {
			places[i] = m.placeToCopy(p)
		}
		text = strings.Join(places, "\n")
		if what = "place"; len(passages) == 1 {
			return m.copyText(text, text)
		}
	}
	if len(passages) > 1 {
		return m.copyText(text, counted(len(passages), what))
	}
	return m.copyText(text, "the "+what+" of "+m.names.short(passages[0].Path, m.width/2))
}

func (m *model) copyText(text, what string) tea.Cmd {
	out := m.terminal
	return func() tea.Msg { return copied{what, out.copy(text)} }
}

// placeToCopy writes where a passage is as one word of a shell. Of the chosen one it
// is the line that a citation means.
func (m *model) placeToCopy(p engine.Passage) string {
	path, line, where := m.placeOf(p)
	if where.Extracted {
		return pathText(path)
	}
	return placeText(path, line)
}

// quotations writes passages as quotations of Markdown, each with its source.
func (m *model) quotations(passages []engine.Passage) string {
	parts := make([]string, len(passages))
	for i, p := range passages {
		path, line, where := m.placeOf(p)
		parts[i] = quote(p.Text) + "\n— " + m.names.short(path, 1<<16) + sanitize(where.Behind(line)) + "\n"
	}
	return strings.Join(parts, "\n")
}

// placeOf returns where a passage is: of the chosen one what place says.
func (m *model) placeOf(p engine.Passage) (path string, line int, where engine.Where) {
	if chosen, ok := m.selected(); ok && samePassage(p, chosen) {
		if path, line, where, ok := m.place(); ok {
			return path, line, where
		}
	}
	return p.Path, p.LineStart, p.Telling()
}

// quote writes text as a quotation of Markdown.
func quote(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " \r")
	}
	return strings.Join(lines, "\n")
}
