package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// copyChosen copies the chosen passage's place, its text, or both as a
// quotation, as the key says.
func (m *model) copyChosen(msg tea.KeyMsg) tea.Cmd {
	path, line, where, ok := m.place()
	passage, chosen := m.selected()
	if !ok || !chosen {
		return nil
	}
	place := placeText(path, line)
	if where.Extracted {
		place = pathText(path)
	}
	text, what := place, place
	switch {
	case key.Matches(msg, m.keys.copyText):
		text, what = strings.TrimSpace(passage.Text), "the text of "+m.names.short(path, m.width/2)
	case key.Matches(msg, m.keys.copyCited):
		source := m.names.short(path, 1<<16) + sanitize(where.Behind(line))
		text, what = quote(passage.Text)+"\n— "+source+"\n", "a quotation of "+m.names.short(path, m.width/2)
	}
	out := m.terminal
	return func() tea.Msg { return copied{what, out.copy(text)} }
}

// quote writes text as a quotation of Markdown.
func quote(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " \r")
	}
	return strings.Join(lines, "\n")
}
