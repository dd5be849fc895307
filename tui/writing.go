package tui

import (
	"fmt"
	"strings"

	"dowse/engine"
)

// wrote takes what a model did to write an answer, as far as that is known.
func (m *machinePanel) wrote(a *engine.Answer) {
	if a != nil && a.Generation != nil {
		m.writing = a.Generation
	}
}

// stagesBeside is how many rows the stages keep beside the figures of an answer.
const stagesBeside = 5

// work draws the stages of the last search and, once a model has answered, what
// it did: in one line where rows are few.
func (m *machinePanel) work(w, h int) []string {
	if m.writing == nil {
		return m.stages(w, h)
	}
	figures := part(m.figures)
	rows := len(m.figures(w, h))
	if h < rows+stagesBeside {
		figures, rows = func(w, _ int) []string { return []string{m.figure(w)} }, 1
	}
	if h <= rows {
		return figures(w, h)
	}
	return above(h-rows, m.stages, figures)(w, h)
}

// figures returns what a model did, under a title.
func (m *machinePanel) figures(w, _ int) []string {
	s, g := m.styles, m.writing
	lines := []string{heading("last answer", w, s), fit(" "+s.text.Render(speed(g)+" · "+counted(g.Tokens, "token")), w)}
	if g.Drafted > 0 {
		drafts := fmt.Sprintf("%s of %s accepted", count(g.Accepted), counted(g.Drafted, "drafted token"))
		lines = append(lines, fit(" "+s.drafted(s.soft, drafts), w))
	}
	if g.Steps > 0 {
		passes := counted(g.Steps, "pass")
		if g.Layers > 0 {
			passes += " of " + counted(g.Layers, "layer")
		}
		if g.Kept > 0 && g.Kept < g.Layers {
			passes += fmt.Sprintf(" (%s in memory)", count(g.Kept))
		}
		passes += fmt.Sprintf(" · %.1f a pass", float64(g.Tokens)/float64(g.Steps))
		lines = append(lines, fit(" "+s.faint.Render(passes), w))
	}
	if went := restored(g); went != "" {
		lines = append(lines, fit(" "+s.faint.Render(went), w))
	}
	return lines
}

// figure returns the same in one line, the most telling first.
func (m *machinePanel) figure(w int) string {
	s, g := m.styles, m.writing
	line := " " + s.text.Render("answer "+speed(g))
	if g.Drafted > 0 {
		line += s.faint.Render(" · ") + s.drafted(s.soft, fmt.Sprintf("%s/%s accepted", count(g.Accepted), count(g.Drafted)))
	}
	switch {
	case wasRestored(g):
		line += s.faint.Render(" · restored in " + millis(g.RestoreMillis))
	case g.Layers > 0:
		line += s.faint.Render(" · " + counted(g.Layers, "layer"))
	}
	return fit(line, w)
}

// speed returns how fast an answer was written.
func speed(g *engine.Generation) string { return fmt.Sprintf("%.1f tokens/s", g.Speed) }

// wentOn says from how much of a conversation an answer went on, and how long it took
// to bring back what was not in memory; "" where nothing came before.
func wentOn(g *engine.Generation) string {
	switch {
	case g == nil || g.Reused == 0:
		return ""
	case wasRestored(g):
		return "went on from " + counted(g.Reused, "token") + ": " + millis(g.RestoreMillis)
	case g.Conversation > 0:
		return "went on from " + counted(g.Reused, "token") + " in memory"
	}
	return ""
}

// wasRestored reports whether keys and values of a conversation were brought back.
func wasRestored(g *engine.Generation) bool { return g.Restored+g.Recomputed > 0 }

// restored says the same as wentOn in fewer words, and how what was brought back came.
func restored(g *engine.Generation) string {
	text := strings.TrimPrefix(wentOn(g), "went ")
	if g.Restored > 0 {
		text += " · " + count(g.Restored) + " read"
	}
	if g.Recomputed > 0 {
		text += " · " + count(g.Recomputed) + " computed"
	}
	return text
}
