package tui

import (
	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// leftOutDone is the list of what is not in the index.
type leftOutDone struct {
	left []engine.LeftOut
	err  error
}

// toggleLeftOut lists what is not in the index, in the place of the help, or closes the list.
func (m *model) toggleLeftOut() tea.Cmd {
	if m.help.open && m.help.other != nil {
		m.help.toggle()
		return nil
	}
	m.help.show(func(int) []string { return []string{" " + m.styles.soft.Render("looking at the folders…")} })
	return func() tea.Msg {
		left, err := m.searcher.LeftOut(m.ctx)
		return leftOutDone{left, err}
	}
}

// onLeftOut shows the list where it is still awaited.
func (m *model) onLeftOut(msg leftOutDone) {
	if !m.help.open || m.help.other == nil {
		return
	}
	m.help.show(func(w int) []string { return m.leftOutLines(msg, w) })
}

// leftOutLines draws a list: a reason, and below it the files.
func (m *model) leftOutLines(msg leftOutDone, w int) []string {
	s := m.styles
	switch {
	case msg.err != nil:
		return []string{fit(" "+s.problem.Render(sanitize(msg.err.Error())), w)}
	case len(msg.left) == 0:
		return []string{" " + s.soft.Render("Nothing is left out.")}
	}
	counts := map[string]int{}
	for _, l := range msg.left {
		counts[l.Reason]++
	}
	var lines []string
	reason := ""
	for _, l := range msg.left {
		if l.Reason != reason {
			if reason != "" {
				lines = append(lines, "")
			}
			reason = l.Reason
			lines = append(lines, " "+s.title.Render(sanitize(reason))+s.faint.Render("  "+count(counts[reason])))
		}
		line := "  " + s.text.Render(shortenPath(l.Path, m.options.Home, max(w-4, 20)))
		if l.Detail != "" {
			line += s.faint.Render("  " + sanitize(l.Detail))
		}
		lines = append(lines, fit(line, w))
	}
	return lines
}
