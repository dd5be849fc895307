package tui

import (
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// View draws the screen from the state and nothing else.
func (m *model) View() string {
	switch {
	case m.width == 0 || m.height == 0:
		return "" // the size is not known yet
	case m.layout.tooSmall:
		return m.viewTooSmall()
	}
	lines := make([]string, 0, m.height)
	lines = append(lines, fit(m.input.View(), m.width), m.viewRule())
	if m.help.open {
		lines = append(lines, m.help.Render(m.layout.body.w, m.layout.body.h)...)
	} else {
		if !m.layout.trail.empty() {
			lines = append(lines, m.viewTrail(m.layout.trail.w))
		}
		lines = append(lines, m.answer.Render(m.layout.answer.w, m.layout.answer.h)...)
		lines = append(lines, m.viewFound()...)
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

// viewTooSmall returns what size would do, as far as that fits.
func (m *model) viewTooSmall() string {
	lines := make([]string, m.height)
	for i, line := range wrapPlain("terminal too small, needs 40x10", m.width, m.height) {
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// viewFound draws the list and the preview beside it or below it, or says why
// there is nothing.
func (m *model) viewFound() []string {
	l := m.layout
	if len(m.results.passages) == 0 {
		return m.viewEmpty(l.found.w, l.found.h)
	}
	list := m.results.Render(l.list.w, l.list.h)
	switch {
	case l.preview.empty():
		return list
	case l.side:
		preview := m.preview.Render(l.preview.w, l.preview.h)
		// Terminals disagree about the width of some letters and emoji. The
		// border goes to its column, whatever the row before it came to.
		border := ansi.EraseLineRight + ansi.CursorHorizontalAbsolute(l.border.x+1) + m.styles.line.Render("│")
		for i := range list {
			list[i] += border + preview[i]
		}
		return list
	default:
		list = append(list, m.styles.line.Render(strings.Repeat("─", l.border.w)))
		return append(list, m.preview.Render(l.preview.w, l.preview.h)...)
	}
}

// viewRule draws the line below the query, with what narrows the search.
func (m *model) viewRule() string {
	s, w := m.styles, m.layout.rule.w
	var labels []string
	if m.mode != best {
		labels = append(labels, "by "+modeName(m.mode))
	}
	if scope := m.scope(w / 2); scope != "" {
		labels = append(labels, scope)
	}
	if len(labels) == 0 {
		return s.line.Render(strings.Repeat("─", w))
	}
	label := strings.Join(labels, " · ")
	left := max(w-width(label)-4, 0)
	return fit(s.line.Render(strings.Repeat("─", left)+" ")+s.soft.Render(label)+s.line.Render(" ──"), w)
}

// scope names the folders that are searched, "" for all.
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

// viewStatus draws the last line: what was found, or what has just happened,
// and the keys that one needs first.
func (m *model) viewStatus(w int) string {
	left := m.statusText()
	right := m.statusHints(w - width(left) - 4)
	if m.notice.text != "" || m.lost && !m.help.open {
		return pad(" "+left, w)
	}
	return spread(" "+left, right+" ", w)
}

// statusText returns the left part of the last line.
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
	case m.search.slow && m.search.answer:
		return s.soft.Render("answering…")
	case m.search.slow:
		return s.soft.Render("searching…")
	case m.search.err != nil:
		return s.problem.Render("search failed")
	case m.search.result != nil:
		result := m.search.result
		return s.text.Render(counted(len(result.Passages), "result")) +
			s.faint.Render(" · "+millis(result.Stats.Millis))
	case m.status != nil && m.status.Files > 0:
		return s.faint.Render(counted(m.status.Files, "file") + " · " + size(m.status.Bytes["total"]) + " index")
	}
	return ""
}

// statusHints returns the right part of the last line: the keys that one needs
// first. Where w cells are too few, what one can find in the help goes first.
func (m *model) statusHints(w int) string {
	s := m.styles
	if m.help.open {
		return s.faint.Render(m.help.name() + " · " + m.help.hint())
	}
	type hint struct {
		key, does string
		weight    int // the lightest goes first
	}
	hints := []hint{{"ctrl-l", "like it", 1}, {"ctrl-o", "machine", 2}, {"F1", "help", 6}}
	if m.input.Value() == "" {
		hints[2].key = "?"
	}
	if len(m.results.passages) > 0 {
		second := hint{"ctrl-r", "answer", 4}
		switch {
		case len(m.trail) > 0:
			second = hint{"esc", "back", 4}
		case m.answer.open && len(m.answer.answer.Citations) > 0:
			second = hint{"shift-tab", "source", 4}
		}
		hints = append([]hint{{"enter", "open", 5}, second, {"tab", "preview", 3}}, hints...)
	} else {
		hints = hints[1:]
	}
	for lightest := 1; ; lightest++ {
		var parts []string
		for _, h := range hints {
			if h.weight >= lightest {
				parts = append(parts, s.soft.Render(h.key)+s.faint.Render(" "+h.does))
			}
		}
		if line := strings.Join(parts, "  "); width(line) <= w || line == "" {
			return line
		}
	}
}
