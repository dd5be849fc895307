package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dowse/engine"
)

// stages draws the last search, in w times h cells, without the quickest stages
// where lines are too few.
func (m *machinePanel) stages(w, h int) []string {
	s := m.styles
	lines := []string{heading("last search", w, s)}
	if m.stats == nil {
		return append(lines, " "+s.faint.Render("none yet"))
	}
	summary := m.summary()
	for len(summary) > 1 && 1+len(m.stats.Stages)+len(summary) > h {
		summary = summary[:len(summary)-1]
	}
	longest := 0.0
	for _, stage := range m.stats.Stages {
		longest = max(longest, stage.Millis)
	}
	for _, stage := range costliest(m.stats.Stages, max(h-1-len(summary), 0)) {
		lines = append(lines, m.stage(stage, longest, w))
	}
	return append(lines, summary...)
}

// stage draws a stage's name, bar, time and, where there is room, its inputs
// and outputs.
func (m *machinePanel) stage(stage engine.StageStats, longest float64, w int) string {
	const named, timed, barred, flowed, flowedFar = 9, 8, 3, 14, 22
	s := m.styles
	cells, flow := w-named-timed-4, ""
	if room := min(cells-barred, flowedFar); room >= flowed {
		cells -= room
		flow = " " + s.faint.Render(padLeft(count(stage.In), 7)+" → "+count(stage.Out))
	}
	return " " + s.soft.Render(pad(sanitize(stage.Name), named)) + " " +
		bar(share(stage.Millis, longest), max(cells, 1), s.bar, s.barRest) + " " +
		s.soft.Render(padLeft(millis(stage.Millis), timed)) + flow
}

// costliest returns the n longest stages in the order of running.
func costliest(stages []engine.StageStats, n int) []engine.StageStats {
	if len(stages) <= n {
		return stages
	}
	order := make([]int, len(stages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(stages[b].Millis, stages[a].Millis) })
	order = order[:n]
	slices.Sort(order)
	out := make([]engine.StageStats, n)
	for i, at := range order {
		out[i] = stages[at]
	}
	return out
}

// summary returns the total time and the ranking.
func (m *machinePanel) summary() []string {
	s := m.styles
	lines := []string{" " + s.text.Render(millis(m.stats.Millis)) + s.faint.Render(
		fmt.Sprintf(" · %s of %s", counted(m.stats.Chunks, "passage"), counted(m.stats.Files, "file")))}
	if m.stats.Recomputed+m.stats.Memoized > 0 {
		lines = append(lines, " "+s.soft.Render(m.recomputed()))
	}
	var facts []string
	if m.stats.LexicalWeight > 0 || m.stats.VectorWeight > 0 {
		facts = append(facts, fmt.Sprintf("words × %.2f + meaning × %.2f", m.stats.LexicalWeight, m.stats.VectorWeight))
	}
	if m.stats.Embedded > 0 {
		facts = append(facts, counted(m.stats.Embedded, "token"))
	}
	if m.stats.Warm {
		facts = append(facts, "warm")
	}
	if len(facts) > 0 {
		lines = append(lines, " "+s.faint.Render(strings.Join(facts, " · ")))
	}
	return lines
}

// recomputed counts the vectors that codes were too coarse for.
func (m *machinePanel) recomputed() string {
	text := counted(m.stats.Recomputed, "vector") + " recomputed"
	if m.stats.Memoized > 0 {
		text += ", " + count(m.stats.Memoized) + " known"
	}
	return text
}

// wrote takes the figures of an answer so far.
func (m *machinePanel) wrote(a *engine.Answer) {
	if a != nil && a.Generation != nil {
		m.writing = a.Generation
	}
}

// stagesBeside is the rows that stages keep beside an answer's figures.
const stagesBeside = 5

// work draws the last search's stages and the last answer's figures, in one
// line where rows are few.
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

// figure returns the figures in one line, the most telling first.
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

// continuation says how much of a conversation was reused and how long restoring
// took; "" for a first question.
func continuation(g *engine.Generation) string {
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

// wasRestored reports whether keys and values were brought back.
func wasRestored(g *engine.Generation) bool { return g.Restored+g.Recomputed > 0 }

// restored is wentOn in fewer words, and how they were brought back.
func restored(g *engine.Generation) string {
	text := strings.TrimPrefix(continuation(g), "went ")
	if g.Restored > 0 {
		text += " · " + count(g.Restored) + " read"
	}
	if g.Recomputed > 0 {
		text += " · " + count(g.Recomputed) + " computed"
	}
	return text
}
