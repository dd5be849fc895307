package tui

import (
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// View draws the screen from the state alone.
func (m *model) View() string {
	switch {
	case m.width == 0 || m.height == 0:
		return "" // the size is not known yet
	case m.layout.tooSmall:
		return m.viewTooSmall()
	}
	lines := make([]string, 0, m.height)
	lines = append(lines, m.viewLine(), m.viewRule())
	if m.help.open {
		lines = append(lines, m.help.Render(m.layout.body.w, m.layout.body.h)...)
	} else if m.list.open {
		lines = append(lines, m.list.Render(m.layout.body.w, m.layout.body.h)...)
	} else if m.folders.open {
		lines = append(lines, m.folders.Render(m.layout.body.w, m.layout.body.h)...)
	} else if m.models.open {
		lines = append(lines, m.models.Render(m.layout.body.w, m.layout.body.h)...)
	} else {
		if !m.layout.trail.empty() {
			lines = append(lines, m.viewTrail(m.layout.trail.w))
		}
		lines = append(lines, m.answer.Render(m.layout.answer.w, m.layout.answer.h)...)
		lines = append(lines, m.viewFound()...)
		copy(lines[m.layout.body.y:], m.viewSuggestions(m.layout.body.w))
	}
	if !m.layout.machine.empty() {
		lines = append(lines, m.machine.Render(m.layout.machine.w, m.layout.machine.h)...)
	}
	if !m.layout.progress.empty() {
		lines = append(lines, m.progress.Render(m.layout.progress.w))
	}
	lines = append(lines, m.viewStatus(m.layout.status.w))
	return strings.Join(lines, "\n")
}

// viewLine draws the query line. A suggested key behind the cursor lengthens
// it.
func (m *model) viewLine() string {
	line := m.input.View()
	if m.suggesting() && !m.listsSuggestions() {
		return ansi.Truncate(line, m.width, "")
	}
	return fit(line, m.width)
}

// viewTooSmall names a sufficient size, as far as it fits.
func (m *model) viewTooSmall() string {
	lines := make([]string, m.height)
	for i, line := range wrapPlain("terminal too small, needs 40x10", m.width, m.height) {
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// viewFound draws the list and the preview beside or below it, or the empty
// state.
func (m *model) viewFound() []string {
	l := m.layout
	var list []string
	switch {
	case m.inConversation() && len(m.conversation.turns) > 0:
		list = m.conversation.Render(l.list.w, l.list.h)
	case m.inConversation() || len(m.results.passages) == 0:
		return m.viewEmpty(l.found.w, l.found.h)
	default:
		list = m.results.Render(l.list.w, l.list.h)
	}
	switch {
	case l.preview.empty():
		return list
	case l.side:
		preview := m.preview.Render(l.preview.w, l.preview.h)
		border := m.border()
		for i := range list {
			list[i] += border + preview[i]
		}
		return list
	default:
		list = append(list, m.styles.line.Render(strings.Repeat("─", l.border.w)))
		return append(list, m.preview.Render(l.preview.w, l.preview.h)...)
	}
}

// border is what parts the list from the preview beside it. Terminals disagree
// about the width of some letters and emoji, so it is placed by column.
func (m *model) border() string {
	return ansi.EraseLineRight + ansi.CursorHorizontalAbsolute(m.layout.border.x+1) + m.styles.line.Render("│")
}

// viewRule draws the line below the query with the conversation and the scope.
func (m *model) viewRule() string {
	s, w := m.styles, m.layout.rule.w
	name := ""
	if m.conversation.open() {
		name = fit(sanitize(m.conversation.name), w/2)
		name = s.line.Render("─ ") + s.accent.Render(name) + s.line.Render(" ")
		w -= width(name)
	}
	return name + m.viewScope(w)
}

func (m *model) viewScope(w int) string {
	s := m.styles
	var labels []string
	if m.mode != best {
		labels = append(labels, "by "+modeName(m.mode))
	}
	if scope := m.scope(w / 2); scope != "" {
		labels = append(labels, scope)
	}
	chips := m.chips()
	if len(chips) > 0 && len(labels) > 0 {
		labels = append(labels, "") // a dot before the first one
	}
	if len(labels) == 0 && len(chips) == 0 {
		return s.line.Render(strings.Repeat("─", w))
	}
	label := s.soft.Render(strings.Join(labels, " · ")) + m.viewChips(chips)
	left := max(w-width(label)-1-ruleTail, 0)
	return fit(s.line.Render(strings.Repeat("─", left)+" ")+label+s.line.Render(" ──"), w)
}

// scope names the searched folders, "" for all.
func (m *model) scope(w int) string {
	switch n := len(m.options.In); n {
	case 0:
		return ""
	case 1:
		return "in " + shortenPath(m.options.In[0], m.options.Home, w)
	default:
		first := sanitize(filepath.Base(m.options.In[0]))
		return fit("in "+first+" and "+counted(n-1, "other folder"), w)
	}
}
