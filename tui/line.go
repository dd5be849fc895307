package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// heldLine is a state of the query line.
type heldLine struct {
	prompt, hint, text string
}

const searchPrompt = " ❯ "

// borrowLine lends the query line to other input until returnLine. The hint
// stands there while it is empty; a text is a proposal, which typing replaces.
func (m *model) borrowLine(prompt, hint, text string) {
	m.held = append(m.held, heldLine{m.input.Prompt, m.hint, m.input.Value()})
	m.showLine(heldLine{prompt, hint, text})
	m.propose(text != "")
}

// propose selects the whole of the line, so that what is typed takes its place, or ends that.
func (m *model) propose(proposed bool) {
	m.proposed = proposed
	m.input.TextStyle = m.styles.query
	if proposed {
		m.input.TextStyle = m.styles.query.Reverse(true)
	}
}

// typeOver ends a selection of the whole line. A letter takes its place, a key that deletes deletes all of it.
func (m *model) typeOver(msg tea.KeyMsg) {
	if !m.proposed {
		return
	}
	m.propose(false)
	if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || key.Matches(msg, m.keys.deleteBack, m.keys.deleteForward, m.keys.deleteWord) {
		m.input.SetValue("")
	}
}

// returnLine restores the line.
func (m *model) returnLine() {
	last := len(m.held) - 1
	before := m.held[last]
	m.held = m.held[:last]
	m.showLine(before)
}

func (m *model) showLine(l heldLine) {
	m.input.Prompt, m.hint = l.prompt, l.hint
	m.propose(false)
	m.dropSuggestions()
	m.notice.text = ""
	m.input.SetValue(l.text)
	m.input.CursorEnd()
	m.relayout()
}

// query returns the query, also while the line is lent; "" for blanks.
func (m *model) query() string {
	if len(m.held) > 0 {
		return unblank(m.held[0].text)
	}
	return m.line()
}

// line returns the typed text, whatever it is for; "" for blanks.
func (m *model) line() string { return unblank(m.input.Value()) }

func unblank(text string) string {
	for _, r := range text {
		if r != ' ' {
			return text
		}
	}
	return ""
}

// deleteNextWord deletes the blanks and the word behind the cursor. The text input
// does it too, but may end the program (bubbles 0.21.0).
func (m *model) deleteNextWord() {
	line, at := []rune(m.input.Value()), m.input.Position()
	end := at
	for end < len(line) && line[end] == ' ' {
		end++
	}
	for end < len(line) && line[end] != ' ' {
		end++
	}
	m.input.SetValue(string(line[:at]) + string(line[end:]))
	m.input.SetCursor(at)
}

// placeholder returns the longest syntax hint that fits.
func placeholder(w int) string {
	for _, text := range []string{
		`ask in your own words, or "exactly", -without, path:notes, ext:md, after:2w`,
		`ask in your own words, or "exactly", -without, path:notes`,
		`ask in your own words, or "exactly"`,
	} {
		if width(text) < w {
			return text
		}
	}
	return "search your files"
}
