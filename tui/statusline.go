package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

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

// hints lists the keys for what is in sight.
func (m *model) hints() []hint {
	help := bound(m.keys.help, "help", 6)
	if m.input.Value() == "" {
		help = fixed("?", "help", 6)
	}
	switch {
	case m.naming.open:
		return []hint{bound(m.keys.open, "name it", 5), fixed("esc", "back", 4)}
	case m.errand.open():
		return m.errandHints()
	case m.piping != nil:
		return []hint{fixed("esc", "end it", 4)}
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
	machine := bound(m.keys.machine, "machine", 2)
	if m.showMachine {
		machine = bound(m.keys.explain, "numbers", 5)
	}
	if len(m.results.passages) == 0 {
		if m.query() == "" && m.keptCount() > 0 {
			return []hint{bound(m.keys.conversations, "conversations", 3), machine, help}
		}
		return []hint{machine, help}
	}
	if len(m.results.picks.passages) > 0 {
		return []hint{bound(m.keys.copyCited, "copy", 5), bound(m.keys.export, "write", 5), bound(m.keys.pipe, "command", 4), fixed("esc", "none", 4), help}
	}
	hints := []hint{bound(m.keys.open, "open", 5)}
	switch {
	case m.answer.running():
		hints = append(hints, fixed("ctrl+c", "stop", 5))
	case len(m.trail) > 0:
		hints = append(hints, fixed("esc", "back", 4))
	case m.answer.open && len(m.answer.answer.Citations) > 0:
		hints = append(hints, bound(m.keys.nextCitation, "source", 4), bound(m.keys.askOn, "ask on", 3))
	default:
		hints = append(hints, bound(m.keys.answer, "answer", 4))
	}
	if further, repeats, open := m.results.folded(); open {
		hints = append(hints, bound(m.keys.fold, "fold", 4))
	} else if n := further + repeats; n > 0 {
		hints = append(hints, bound(m.keys.fold, count(n)+" more", 4))
	}
	return append(hints, bound(m.keys.togglePreview, "preview", 3), bound(m.keys.related, "like it", 1), machine, help)
}

func (m *model) suggestionHints(help hint) []hint {
	c := &m.completion
	complete := bound(m.keys.togglePreview, "complete", 5)
	switch {
	case c.taken:
		complete.does = "next"
	case !m.listsSuggestions():
		complete.does = c.found.Suggestions[0].Label
	}
	hints := []hint{complete}
	if m.listsSuggestions() {
		hints = append(hints, fixed("esc", "hide", 4))
	}
	if len(m.results.passages) > 0 {
		hints = append(hints, bound(m.keys.open, "open", 3))
	}
	return append(hints, help)
}

func (m *model) listHints(help hint) []hint {
	if m.list.asking {
		return []hint{fixed("y", "delete", 5), fixed("esc", "keep", 4)}
	}
	hints := []hint{fixed("esc", "back", 4), help}
	if _, ok := m.list.selected(); ok {
		return append([]hint{bound(m.keys.open, "go on", 5), bound(m.keys.rename, "rename", 2), bound(m.keys.remove, "delete", 3)}, hints...)
	}
	if m.list.entries() > 0 {
		hints = append([]hint{bound(m.keys.open, "begin", 5)}, hints...)
	}
	return hints
}

func (m *model) conversationHints(help hint) []hint {
	back := fixed("esc", "leave", 4)
	list := bound(m.keys.conversations, "others", 2)
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
		return []hint{bound(m.keys.open, "ask", 5), back, list, help}
	}
	if m.conversation.chosen >= 0 {
		return []hint{bound(m.keys.open, "open", 5), back, bound(m.keys.togglePreview, "preview", 3), list, help}
	}
	if len(m.conversation.places) > 0 {
		places := bound(m.keys.up, "places", 3)
		places.key = keyFor(m.keys.up) + " " + keyFor(m.keys.down)
		return []hint{places, back, list, help}
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
			return keyPress(hints[i].press)
		}
		at -= width(hintGap)
	}
	return tea.KeyMsg{}, false
}
