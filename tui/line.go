package tui

// heldLine is what the query line was before something else was typed on it.
type heldLine struct {
	prompt, hint, text string
}

// searchPrompt stands before a query.
const searchPrompt = " ❯ "

// takeLine has something else typed on the query line, until it is given back. The
// hint stands there while nothing is typed.
func (m *model) takeLine(prompt, hint, text string) {
	m.held = append(m.held, heldLine{m.input.Prompt, m.hint, m.input.Value()})
	m.showLine(heldLine{prompt, hint, text})
}

// giveLineBack brings back what the line was before.
func (m *model) giveLineBack() {
	last := len(m.held) - 1
	before := m.held[last]
	m.held = m.held[:last]
	m.showLine(before)
}

// showLine fills the line.
func (m *model) showLine(l heldLine) {
	m.input.Prompt, m.hint = l.prompt, l.hint
	m.dropSuggestions()
	m.notice.text = ""
	m.input.SetValue(l.text)
	m.input.CursorEnd()
	m.relayout()
}

// query returns the query as it stands, also while something else is typed; "" when
// there are only blanks.
func (m *model) query() string {
	if len(m.held) > 0 {
		return unblank(m.held[0].text)
	}
	return m.line()
}

// line returns what is typed, whatever it is for; "" when there are only blanks.
func (m *model) line() string { return unblank(m.input.Value()) }

// unblank returns text, or "" when it is only blanks.
func unblank(text string) string {
	for _, r := range text {
		if r != ' ' {
			return text
		}
	}
	return ""
}

// placeholder teaches as much as fits.
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
