package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const doubleClick = 400 * time.Millisecond

// onMouse chooses by click, opens by double click, and scrolls by wheel under
// the pointer.
func (m *model) onMouse(msg tea.MouseMsg) tea.Cmd {
	if m.drags(msg) {
		return m.showPreview()
	}
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	n := 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		n = -1
	case tea.MouseButtonWheelDown:
		n = 1
	case tea.MouseButtonLeft:
		return m.onClick(msg.X, msg.Y)
	default:
		return nil
	}
	switch {
	case m.help.open:
		m.help.scroll(n * wheelLines)
	case m.list.open:
		if m.list.area.contains(msg.X, msg.Y) && !m.naming.open {
			m.list.choose(m.list.chosen + n)
			return m.focusSoon()
		}
	case m.folders.open:
		if m.folders.area.contains(msg.X, msg.Y) && !m.errand.open() {
			m.folders.choose(m.folders.chosen + n)
		}
	case m.models.open:
		if m.models.area.contains(msg.X, msg.Y) {
			m.models.choose(m.models.chosen + n)
		}
	case m.inConversation() && m.layout.list.contains(msg.X, msg.Y):
		m.conversation.scroll(n * wheelLines)
	case m.layout.answer.contains(msg.X, msg.Y):
		m.answer.moved = true
		m.answer.scroll(n)
	case m.layout.preview.contains(msg.X, msg.Y):
		return m.scrollPreview(n * wheelLines)
	case m.layout.list.contains(msg.X, msg.Y):
		m.results.choose(m.results.chosen + n)
		return m.showPreview()
	}
	return nil
}

// drags takes the divider between list and preview along with the pointer from
// a press on it until the button is released.
func (m *model) drags(msg tea.MouseMsg) bool {
	l := m.layout
	switch msg.Action {
	case tea.MouseActionPress:
		covered := m.help.open || m.list.open || m.folders.open || m.models.open || m.listsSuggestions()
		m.dragging = msg.Button == tea.MouseButtonLeft && !covered && !l.preview.empty() && l.border.contains(msg.X, msg.Y)
		return m.dragging
	case tea.MouseActionRelease:
		was := m.dragging
		m.dragging = false
		return was
	}
	if !m.dragging || l.preview.empty() {
		return false
	}
	if l.side {
		m.divided.side = float64(max(msg.X-l.found.x, 1)) / float64(l.found.w)
	} else {
		m.divided.below = float64(max(msg.Y-l.found.y, 1)) / float64(l.found.h)
	}
	m.relayout()
	return true
}

// onClick chooses the passage at a place of the screen; a second click opens
// it. A click on a hint presses its key.
func (m *model) onClick(x, y int) tea.Cmd {
	if press, ok := m.hintAt(x, y); ok {
		return m.onKey(press)
	}
	switch {
	case m.help.open:
		m.help.toggle()
		return nil
	case m.listsSuggestions() && y >= m.layout.body.y && y <= m.layout.body.y+m.suggestionsInSight():
		return m.clickSuggestion(y)
	case m.naming.open, m.finding.open, m.errand.open():
		return nil
	case m.folders.open:
		return m.clickFolder(y)
	case m.models.open:
		return m.clickModel(y)
	case m.layout.rule.contains(x, y) && !m.list.open:
		return m.clickChip(x)
	case m.list.open && m.layout.body.contains(x, y):
		return m.clickConversation(y)
	case m.inConversation() && m.layout.list.contains(x, y):
		return m.clickPlace(y)
	}
	if m.layout.answer.contains(x, y) {
		if to, ok := m.answer.at(y); ok {
			return m.cite(to)
		}
		return nil
	}
	index, ok := m.results.at(y)
	if !ok || !m.layout.list.contains(x, y) {
		return nil
	}
	if m.isDoubleClick(index) {
		return m.open()
	}
	m.results.choose(index)
	return m.showPreview()
}

// isDoubleClick notes a click on an entry, and reports whether it is a double
// one.
func (m *model) isDoubleClick(index int) bool {
	now := m.now()
	again := index == m.click.index && now.Sub(m.click.at) < doubleClick
	m.click = click{index: index, at: now}
	if again {
		m.click = click{}
	}
	return again
}

func (m *model) clickSuggestion(y int) tea.Cmd {
	index, ok := m.suggestionAt(y)
	if !ok {
		return nil // the closing rule
	}
	cmd := m.acceptSuggestion(index)
	if m.completion.taken {
		m.dropSuggestions()
	}
	return cmd
}
