package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// errand is what the line is lent for: a name of a file, a command, a name.
type errand struct {
	advice string                    // what enter does
	does   string                    // the same in a word
	run    func(text string) tea.Cmd // with what was typed; nil where no errand is open
}

func (e errand) open() bool { return e.run != nil }

// lendLine has a text typed and an errand run with it.
func (m *model) lendLine(prompt, hint, text string, e errand) tea.Cmd {
	m.errand = e
	m.borrowLine(prompt, hint, text)
	return nil
}

func (m *model) stopErrand() tea.Cmd {
	m.errand = errand{}
	m.returnLine()
	return nil
}

// errandKey edits the text, and runs the errand.
func (m *model) errandKey(msg tea.KeyMsg) tea.Cmd {
	if !key.Matches(msg, m.keys.open) {
		return m.edit(msg)
	}
	text := strings.TrimSpace(m.line())
	if text == "" {
		return m.notify("type something, or esc to leave it", false)
	}
	run := m.errand.run
	m.stopErrand()
	return run(text)
}

func (m *model) errandHints() []hint {
	return []hint{bound(m.keys.open, m.errand.does, 5), fixed("esc", "back", 4)}
}
