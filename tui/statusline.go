package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

// hint is a key and what it does.
type hint struct {
	key, does string
	weight    int         // the lightest is dropped first
	press     tea.KeyType // the key that a click presses; key itself for KeyRunes
}

// viewStatus draws the last line: results or a notice, and the most needed
// keys.
func (m *model) viewStatus(w int) string {
	left := " " + m.statusText()
	if m.quiet() {
		return pad(left, w)
	}
	return spread(left, m.statusHints(w-width(left)-3)+" ", w)
}

// quiet reports whether the last line has no hints.
func (m *model) quiet() bool { return m.notice.text != "" || m.lost && !m.help.open }

func (m *model) statusText() string {
	s := m.styles
	switch {
	case m.notice.text != "" && m.notice.problem:
		return s.problem.Render(m.notice.text)
	case m.notice.text != "":
		return s.accent.Render(m.notice.text)
	case m.help.open:
		return ""
	case m.lost:
		return s.warn.Render("the process that owns the index is gone; trying to reach it again")
	case m.naming.open:
		return s.soft.Render(m.namingAdvice())
	case m.errand.open():
		return s.soft.Render(m.errand.advice)
	case m.piping != nil:
		return s.soft.Render("the command runs" + ellipsis)
	case m.finding.open:
		return s.soft.Render(m.findAdvice())
	case m.list.open:
		return s.soft.Render(m.list.status())
	case m.folders.open:
		return s.soft.Render(m.folders.status())
	case m.models.open:
		return s.soft.Render(m.models.status())
	case m.search.slow && m.search.answer:
		return s.soft.Render("answering…")
	case m.search.slow:
		return s.soft.Render("searching…")
	case m.inConversation():
		return s.soft.Render(m.conversation.status())
	case m.search.err != nil:
		return s.problem.Render("search failed")
	case m.search.result != nil:
		result := m.search.result
		if n := len(m.results.picks.passages); n > 0 {
			return s.accent.Render(count(n)+" selected") + s.faint.Render(" · "+counted(len(result.Passages), "result"))
		}
		return s.text.Render(counted(len(result.Passages), "result")) +
			s.faint.Render(" · "+millis(result.Stats.Millis)) + s.soft.Render(guesses(result.Respelled))
	case m.status != nil && m.status.Files > 0:
		return s.faint.Render(counted(m.status.Files, "file") + " · " + size(m.status.Bytes["total"]) + " index")
	}
	return ""
}

// guesses lists the spellings that replaced words of no file.
func guesses(of []engine.Respelling) string {
	var out strings.Builder
	for _, r := range of {
		out.WriteString(" · " + sanitize(r.As) + " for " + sanitize(r.Word))
	}
	return out.String()
}

// statusHints returns the right part of the last line; keys that the help
// explains are dropped first.
func (m *model) statusHints(w int) string {
	s := m.styles
	if m.help.open {
		return s.faint.Render(m.help.name() + " · " + m.help.hint())
	}
	var parts []string
	for _, h := range fitting(m.hints(), w) {
		parts = append(parts, s.soft.Render(h.key)+s.faint.Render(" "+h.does))
	}
	return strings.Join(parts, hintGap)
}

// altKey says that a hint names a letter that is pressed with alt.
const altKey = tea.KeyRunes + 1<<20

const hintGap = "  "

// fitting returns the hints that fit w cells.
func fitting(hints []hint, w int) []hint {
	for lightest := 1; ; lightest++ {
		var left []hint
		cells := -width(hintGap)
		for _, h := range hints {
			if h.weight >= lightest {
				left, cells = append(left, h), cells+h.width()+width(hintGap)
			}
		}
		if cells <= w || len(left) == 0 {
			return left
		}
	}
}

func (h hint) width() int { return width(h.key) + 1 + width(h.does) }

// hints lists the keys for what is in sight.
func (m *model) hints() []hint {
	help := hint{"F1", "help", 6, tea.KeyF1}
	if m.input.Value() == "" {
		help.key = "?"
	}
	switch {
	case m.naming.open:
		return []hint{{"enter", "name it", 5, tea.KeyEnter}, {"esc", "back", 4, tea.KeyEsc}}
	case m.errand.open():
		return m.errandHints()
	case m.piping != nil:
		return []hint{{"esc", "end it", 4, tea.KeyEsc}}
	case m.finding.open:
		return m.findHints()
	case m.list.open:
		return m.listHints(help)
	case m.folders.open:
		return m.folderHints(help)
	case m.models.open:
		return m.modelHints(help)
	case m.inConversation():
		return m.conversationHints(help)
	}
	if m.suggesting() {
		return m.suggestionHints(help)
	}
	machine := hint{"ctrl-o", "machine", 2, tea.KeyCtrlO}
	if m.showMachine {
		machine = hint{"alt-?", "numbers", 5, altKey}
	}
	if len(m.results.passages) == 0 {
		if m.query() == "" && m.keptCount() > 0 {
			return []hint{{"ctrl-g", "conversations", 3, tea.KeyCtrlG}, machine, help}
		}
		return []hint{machine, help}
	}
	if len(m.results.picks.passages) > 0 {
		return []hint{{"alt-c", "copy", 5, altKey}, {"alt-e", "write", 5, altKey}, {"alt-|", "command", 4, altKey}, {"esc", "none", 4, tea.KeyEsc}, help}
	}
	hints := []hint{{"enter", "open", 5, tea.KeyEnter}}
	switch {
	case m.answer.running():
		hints = append(hints, hint{"ctrl-c", "stop", 5, tea.KeyCtrlC})
	case len(m.trail) > 0:
		hints = append(hints, hint{"esc", "back", 4, tea.KeyEsc})
	case m.answer.open && len(m.answer.answer.Citations) > 0:
		hints = append(hints, hint{"shift-tab", "source", 4, tea.KeyShiftTab}, hint{"alt-a", "ask on", 3, altKey})
	default:
		hints = append(hints, hint{"ctrl-r", "answer", 4, tea.KeyCtrlR})
	}
	if further, repeats, open := m.results.folded(); open {
		hints = append(hints, hint{"ctrl-x", "fold", 4, tea.KeyCtrlX})
	} else if n := further + repeats; n > 0 {
		hints = append(hints, hint{"ctrl-x", count(n) + " more", 4, tea.KeyCtrlX})
	}
	return append(hints, hint{"tab", "preview", 3, tea.KeyTab}, hint{"F10", "like it", 1, tea.KeyF10}, machine, help)
}

func (m *model) suggestionHints(help hint) []hint {
	c := &m.completion
	complete := hint{"tab", "complete", 5, tea.KeyTab}
	switch {
	case c.taken:
		complete.does = "next"
	case !m.listsSuggestions():
		complete.does = c.found.Suggestions[0].Label
	}
	hints := []hint{complete}
	if m.listsSuggestions() {
		hints = append(hints, hint{"esc", "hide", 4, tea.KeyEsc})
	}
	if len(m.results.passages) > 0 {
		hints = append(hints, hint{"enter", "open", 3, tea.KeyEnter})
	}
	return append(hints, help)
}

func (m *model) listHints(help hint) []hint {
	if m.list.asking {
		return []hint{{"y", "delete", 5, tea.KeyRunes}, {"esc", "keep", 4, tea.KeyEsc}}
	}
	hints := []hint{{"esc", "back", 4, tea.KeyEsc}, help}
	if _, ok := m.list.selected(); ok {
		return append([]hint{{"enter", "go on", 5, tea.KeyEnter}, {"F6", "rename", 2, tea.KeyF6}, {"F8", "delete", 3, tea.KeyF8}}, hints...)
	}
	if m.list.entries() > 0 {
		hints = append([]hint{{"enter", "begin", 5, tea.KeyEnter}}, hints...)
	}
	return hints
}

func (m *model) conversationHints(help hint) []hint {
	back := hint{"esc", "leave", 4, tea.KeyEsc}
	list := hint{"ctrl-g", "others", 2, tea.KeyCtrlG}
	switch {
	case m.conversation.writing():
		back.does = "stop"
		return []hint{back, list, help}
	case m.input.Value() != "":
		back.does = "clear"
	case m.conversation.chosen >= 0:
		back.does = "back"
	}
	if m.line() != "" {
		return []hint{{"enter", "ask", 5, tea.KeyEnter}, back, list, help}
	}
	if m.conversation.chosen >= 0 {
		return []hint{{"enter", "open", 5, tea.KeyEnter}, back, {"tab", "preview", 3, tea.KeyTab}, list, help}
	}
	if len(m.conversation.places) > 0 {
		return []hint{{"↑ ↓", "places", 3, tea.KeyUp}, back, list, help}
	}
	return []hint{back, list, help}
}

// hintAt returns the key of the hint at a place of the screen.
func (m *model) hintAt(x, y int) (press tea.KeyMsg, ok bool) {
	if y != m.layout.status.y || m.quiet() || m.help.open {
		return tea.KeyMsg{}, false
	}
	w := m.layout.status.w
	hints := fitting(m.hints(), w-width(m.statusText())-4)
	at := w - 1
	for i := len(hints) - 1; i >= 0; i-- {
		at -= hints[i].width()
		if x >= at && x < at+hints[i].width() {
			switch press.Type = hints[i].press; press.Type {
			case tea.KeyRunes:
				press.Runes = []rune(hints[i].key)
			case altKey:
				press.Type, press.Alt, press.Runes = tea.KeyRunes, true, []rune(strings.TrimPrefix(hints[i].key, "alt-"))
			}
			return press, true
		}
		at -= width(hintGap)
	}
	return tea.KeyMsg{}, false
}
