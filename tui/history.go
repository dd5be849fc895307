package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// maxHistory is how many queries are remembered.
const maxHistory = 200

// history holds the queries that something was done with, those of earlier
// sessions first.
type history struct {
	lines []string // oldest first, each once
	fresh []string // not written down yet
	at    int      // of the one in sight; len(lines) where none is
}

// add remembers a query as the newest.
func (h *history) add(query string) {
	if query == "" || query == saveMark {
		return
	}
	h.fresh = append(h.fresh, query)
	h.lines = slices.DeleteFunc(h.lines, func(line string) bool { return line == query })
	h.lines = append(h.lines, query)
	h.lines = h.lines[max(len(h.lines)-maxHistory, 0):]
	h.at = len(h.lines)
}

// step returns the query n steps on, "" behind the newest; ok is false before
// the oldest and where there is none.
func (h *history) step(n int) (query string, ok bool) {
	to := h.at + n
	if to < 0 || to > len(h.lines) || len(h.lines) == 0 {
		return "", false
	}
	if h.at = to; to == len(h.lines) {
		return "", true
	}
	return h.lines[to], true
}

// historyKey walks through the history: up on an empty line finds its end.
func (m *model) historyKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case key.Matches(msg, m.keys.older), key.Matches(msg, m.keys.up) && len(m.held) == 0 && m.input.Value() == "" && len(m.history.lines) > 0:
		return m.recall(-1), true
	case key.Matches(msg, m.keys.newer):
		return m.recall(1), true
	case key.Matches(msg, m.keys.open, m.keys.answer, m.keys.related) && len(m.held) == 0:
		m.history.add(m.line())
	}
	return nil, false
}

// recall puts an older (-1) or newer query on the line. One that is being typed
// is remembered first.
func (m *model) recall(n int) tea.Cmd {
	if len(m.held) > 0 {
		return nil // the line is for something else
	}
	h := &m.history
	if line := m.line(); h.at == len(h.lines) || h.lines[h.at] != line {
		if h.add(line); line != "" {
			h.at--
		}
	}
	query, ok := h.step(n)
	if !ok {
		return m.notify("no query further that way", false)
	}
	return m.setLine(query)
}
