package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const doubleClick = 400 * time.Millisecond

// onKey acts on a key: first what works everywhere, then what the help takes,
// then the list, the preview, and at last the query line.
func (m *model) onKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, m.keys.abort):
		return tea.Quit
	case key.Matches(msg, m.keys.help), m.asksForHelp(msg):
		m.help.toggle()
		return nil
	case key.Matches(msg, m.keys.escape):
		return m.escape()
	case key.Matches(msg, m.keys.machine):
		return m.toggleMachine()
	}
	if m.help.open && m.helpTakes(msg) {
		return nil
	}
	if cmd, taken := m.listTakes(msg); taken {
		return cmd
	}
	if cmd, taken := m.answerTakes(msg); taken {
		return cmd
	}
	if cmd, taken := m.previewTakes(msg); taken {
		return cmd
	}
	return m.edit(msg)
}

// asksForHelp reports whether msg is a ? that is not part of a query.
func (m *model) asksForHelp(msg tea.KeyMsg) bool {
	return key.Matches(msg, m.keys.question) && !msg.Paste && (m.input.Value() == "" || m.help.open)
}

// escape takes the topmost thing away: help, panel, a step from passage to passage,
// answer, query, program.
func (m *model) escape() tea.Cmd {
	switch {
	case m.help.open:
		m.help.toggle()
		return nil
	case m.showMachine:
		return m.toggleMachine()
	case len(m.trail) > 0:
		return m.goBack()
	case m.answer.open:
		return m.closeAnswer()
	case m.input.Value() != "":
		return m.setQuery("")
	default:
		return tea.Quit
	}
}

// toggleMachine opens or closes the panel of memory and stages.
func (m *model) toggleMachine() tea.Cmd {
	m.showMachine = !m.showMachine
	m.relayout()
	if m.showMachine {
		return tea.Batch(m.showPreview(), m.watchStatus())
	}
	return m.showPreview()
}

// helpTakes scrolls the open help. Any other key closes it and then does what
// it always does.
func (m *model) helpTakes(msg tea.KeyMsg) bool {
	page := max(m.help.area.h-1, 1)
	switch {
	case key.Matches(msg, m.keys.up):
		m.help.scroll(-1)
	case key.Matches(msg, m.keys.down):
		m.help.scroll(1)
	case key.Matches(msg, m.keys.pageUp):
		m.help.scroll(-page)
	case key.Matches(msg, m.keys.pageDown):
		m.help.scroll(page)
	default:
		m.help.toggle()
		return false
	}
	return true
}

// listTakes moves in the list and acts on the chosen passage.
func (m *model) listTakes(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	list := &m.results
	switch {
	case key.Matches(msg, m.keys.up):
		list.choose(list.chosen - 1)
	case key.Matches(msg, m.keys.down):
		list.choose(list.chosen + 1)
	case key.Matches(msg, m.keys.pageUp):
		list.choose(list.chosen - list.perPage())
	case key.Matches(msg, m.keys.pageDown):
		list.choose(list.chosen + list.perPage())
	case key.Matches(msg, m.keys.first):
		list.choose(0)
	case key.Matches(msg, m.keys.last):
		list.choose(len(list.passages) - 1)
	case key.Matches(msg, m.keys.open):
		return m.openEditor(), true
	case key.Matches(msg, m.keys.copyPlace):
		return m.copyPlace(), true
	case key.Matches(msg, m.keys.fold):
		if !list.fold() {
			return m.say("nothing in the list says the same as this", false), true
		}
	case key.Matches(msg, m.keys.related):
		return m.followChosen(), true
	case key.Matches(msg, m.keys.mode):
		return m.cycleMode(), true
	default:
		return nil, false
	}
	return m.showPreview(), true
}

// answerTakes asks for an answer and goes to what it cites.
func (m *model) answerTakes(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case key.Matches(msg, m.keys.answer):
		return m.toggleAnswer(), true
	case key.Matches(msg, m.keys.nextCitation):
		return m.nextCitation(), true
	case key.Matches(msg, m.keys.passage):
		return m.cite(mark{n: int(msg.Runes[0] - '0')}), true
	}
	return nil, false
}

// previewTakes shows, hides and scrolls the preview.
func (m *model) previewTakes(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	half := max(m.layout.preview.h/2, 1)
	switch {
	case key.Matches(msg, m.keys.togglePreview):
		return m.togglePreview(), true
	case key.Matches(msg, m.keys.previewUp):
		return m.scrollPreview(-1), true
	case key.Matches(msg, m.keys.previewDown):
		return m.scrollPreview(1), true
	case key.Matches(msg, m.keys.previewPageUp):
		return m.scrollPreview(-half), true
	case key.Matches(msg, m.keys.previewPageDown):
		return m.scrollPreview(half), true
	}
	return nil, false
}

// togglePreview shows the preview where it is not and hides it where it is.
func (m *model) togglePreview() tea.Cmd {
	m.wish = previewOn
	if !m.layout.preview.empty() {
		m.wish = previewOff
	}
	m.relayout()
	if m.wish == previewOn && m.layout.preview.empty() {
		return m.say("no room for the preview", false)
	}
	return m.showPreview()
}

// scrollPreview moves the preview, and reads more of the file at its edges.
func (m *model) scrollPreview(n int) tea.Cmd {
	if !m.preview.scroll(n) || m.look.cancel != nil {
		return nil
	}
	m.preview.reach *= 4
	return m.askPreview()
}

// edit hands a key to the query line and searches if the line changed.
func (m *model) edit(msg tea.KeyMsg) tea.Cmd {
	if key.Matches(msg, m.keys.clear) {
		return m.setQuery("")
	}
	if msg.Type == tea.KeyRunes {
		msg.Runes = []rune(flattenMarked(string(msg.Runes), nil).text)
		if string(msg.Runes) == "" {
			return nil
		}
	}
	before := m.query()
	var cmd tea.Cmd
	m.input, cmd = m.input.Update(msg)
	m.notice.text = ""
	if m.query() == before {
		return cmd
	}
	return tea.Batch(cmd, m.startSearch(false))
}

// setQuery replaces the query line and searches.
func (m *model) setQuery(text string) tea.Cmd {
	m.input.SetValue(text)
	m.input.CursorEnd()
	m.notice.text = ""
	return m.startSearch(false)
}

// onMouse lets a click choose, a double click open, and the wheel scroll what
// is under the pointer.
func (m *model) onMouse(msg tea.MouseMsg) tea.Cmd {
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
	case m.layout.answer.contains(msg.X, msg.Y):
		m.answer.scroll(n)
	case m.layout.preview.contains(msg.X, msg.Y):
		return m.scrollPreview(n * wheelLines)
	case m.layout.list.contains(msg.X, msg.Y):
		m.results.choose(m.results.chosen + n)
		return m.showPreview()
	}
	return nil
}

// onClick chooses the passage at a place of the screen; twice opens it.
func (m *model) onClick(x, y int) tea.Cmd {
	if m.help.open {
		m.help.toggle()
		return nil
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
	now := m.now()
	again := index == m.click.index && now.Sub(m.click.at) < doubleClick
	m.click = click{index: index, at: now}
	if again {
		m.click = click{}
		return m.openEditor()
	}
	m.results.choose(index)
	return m.showPreview()
}
