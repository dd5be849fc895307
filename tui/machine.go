package tui

import (
	"fmt"
	"sort"
	"strings"

	"dowse/engine"
)

const (
	historyLength = 240 // samples of memory kept for each pool
	sparkCells    = 12
	panelGap      = 3
)

// machinePanel shows what the machine does: memory by pool over time at the
// left, the stages of the last search at the right.
type machinePanel struct {
	styles styles

	pools   []engine.PoolUse // newest, largest peak first
	history map[string][]int64
	status  *engine.Status
	stats   *engine.Stats // of the last search; nil before the first
}

func newMachinePanel(s styles) machinePanel {
	return machinePanel{styles: s, history: map[string][]int64{}}
}

// sample takes one reading of the ledger.
func (m *machinePanel) sample(pools []engine.PoolUse) {
	m.pools = append(m.pools[:0], pools...)
	sort.SliceStable(m.pools, func(i, j int) bool {
		if m.pools[i].Peak != m.pools[j].Peak {
			return m.pools[i].Peak > m.pools[j].Peak
		}
		return m.pools[i].Pool < m.pools[j].Pool
	})
	for _, p := range pools {
		past := m.history[p.Pool]
		m.history[p.Pool] = append(past[max(len(past)-historyLength+1, 0):], p.Bytes)
	}
}

// setStatus takes a fresh status; its memory counts where no event came yet.
func (m *machinePanel) setStatus(status *engine.Status) {
	m.status = status
	if len(m.pools) > 0 {
		return
	}
	var pools []engine.PoolUse
	for name, p := range status.Memory {
		pools = append(pools, engine.PoolUse{Pool: name, Bytes: p.Bytes, Peak: p.Peak})
	}
	if len(pools) > 0 {
		m.sample(pools)
	}
}

// Render draws the panel as h lines of w cells; where it is too narrow for
// two columns, memory gets the upper half.
func (m *machinePanel) Render(w, h int) []string {
	if w < twoColumns {
		top := (h + 1) / 2
		return append(block(m.memory(w, top), w, top), block(m.stages(w, h-top), w, h-top)...)
	}
	left := (w - panelGap) / 2
	right := w - panelGap - left
	memory, stages := block(m.memory(left, h), left, h), block(m.stages(right, h), right, h)
	lines := make([]string, h)
	for i := range lines {
		lines[i] = memory[i] + blanks(panelGap) + stages[i]
	}
	return lines
}

// heading draws the title of a panel as a rule.
func heading(title string, w int, s styles) string {
	return s.line.Render("─ ") + s.title.Render(title) + s.line.Render(" "+strings.Repeat("─", max(w-width(title)-3, 0)))
}

func (m *machinePanel) memory(w, h int) []string {
	s := m.styles
	lines := []string{heading("memory", w, s)}
	if len(m.pools) == 0 {
		lines = append(lines, " "+s.faint.Render("no figures yet"))
	}
	var top int64 = 1
	for _, p := range m.pools {
		top = max(top, p.Peak)
	}
	footer := m.footer(w)
	if len(footer) > 1 && 1+len(m.pools)+len(footer) > h {
		footer = footer[:1]
	}
	for i, p := range m.pools {
		if rest := len(m.pools) - i; len(lines) == h-1-len(footer) && rest > 1 {
			lines = append(lines, " "+s.faint.Render(fmt.Sprintf("and %d more", rest)))
			break
		}
		lines = append(lines, m.pool(p, top, w))
	}
	return append(lines[:min(len(lines), max(h-len(footer), 1))], footer...)
}

// pool draws one pool: name, bar against the largest peak, bytes, peak, past.
func (m *machinePanel) pool(p engine.PoolUse, top int64, w int) string {
	s := m.styles
	name, figures, spark := 10, 20, sparkCells
	cells := w - name - figures - spark - 4
	if cells < 4 {
		cells, spark = cells+spark, 0
	}
	figure := padLeft(size(p.Bytes), 8) + " / " + pad(size(p.Peak), figures-11)
	past := sparkline(m.history[p.Pool], spark)
	return " " + s.soft.Render(pad(sanitize(p.Pool), name)) + " " +
		bar(float64(p.Bytes)/float64(top), max(cells, 1), s.bar, s.barRest) + " " +
		s.soft.Render(figure) + " " + s.accent.Render(past)
}

// footer says what the whole process and the index on disk take.
func (m *machinePanel) footer(w int) []string {
	if m.status == nil {
		return nil
	}
	s := m.styles
	var facts []string
	if m.status.RSS > 0 {
		facts = append(facts, "process "+size(m.status.RSS))
	}
	facts = append(facts, "index "+size(m.status.Bytes["total"]))
	var parts []string
	for name, n := range m.status.Bytes {
		if name != "total" && n > 0 {
			parts = append(parts, name)
		}
	}
	sort.Slice(parts, func(i, j int) bool {
		a, b := m.status.Bytes[parts[i]], m.status.Bytes[parts[j]]
		return a > b || a == b && parts[i] < parts[j]
	})
	for i, name := range parts {
		parts[i] = sanitize(name) + " " + size(m.status.Bytes[name])
	}
	lines := []string{" " + s.text.Render(strings.Join(facts, " · "))}
	if len(parts) > 0 {
		lines = append(lines, fit(" "+s.faint.Render(strings.Join(parts, ", ")), w))
	}
	return lines
}

func (m *machinePanel) stages(w, h int) []string {
	s := m.styles
	lines := []string{heading("last search", w, s)}
	if m.stats == nil {
		return append(lines, " "+s.faint.Render("none yet"))
	}
	longest, named := 0.0, 8
	for _, stage := range m.stats.Stages {
		longest = max(longest, stage.Millis)
	}
	cells := max(w-named-9-22-4, 3)
	summary := m.summary()
	if len(summary) > 1 && 1+len(m.stats.Stages)+len(summary) > h {
		summary = summary[:1]
	}
	room := max(h-1-len(summary), 0)
	for _, stage := range m.stats.Stages[:min(len(m.stats.Stages), room)] {
		flow := s.faint.Render(padLeft(count(stage.In), 9) + " → " + count(stage.Out))
		lines = append(lines, " "+s.soft.Render(pad(sanitize(stage.Name), named))+" "+
			bar(share(stage.Millis, longest), cells, s.bar, s.barRest)+" "+
			s.soft.Render(padLeft(millis(stage.Millis), 8))+" "+flow)
	}
	return append(lines, summary...)
}

// summary is the last lines of the stages: the whole, and how it was ranked.
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
