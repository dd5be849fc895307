package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dowse/engine"
)

// stages draws what the last search did, in w times h cells. Where lines are
// too few the quickest stages are left out.
func (m *machinePanel) stages(w, h int) []string {
	s := m.styles
	lines := []string{heading("last search", w, s)}
	if m.stats == nil {
		return append(lines, " "+s.faint.Render("none yet"))
	}
	summary := m.summary()
	if len(summary) > 1 && 1+len(m.stats.Stages)+len(summary) > h {
		summary = summary[:1]
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

// stage draws one stage: name, bar against the longest, time, and, where there
// is room, how many things went in and came out.
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

// costliest returns the n stages that took longest, in the order in which they
// ran.
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

// summary returns the last lines of the stages: the whole, and how it was ranked.
func (m *machinePanel) summary() []string {
	s := m.styles
	lines := []string{" " + s.text.Render(millis(m.stats.Millis)) + s.faint.Render(
		fmt.Sprintf(" · %s of %s", counted(m.stats.Chunks, "passage"), counted(m.stats.Files, "file")))}
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
