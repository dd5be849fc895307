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
	mapCells      = 35 // of a map that stands beside the stages: 30 candidates
)

// machinePanel shows what the machine does: memory by pool over time, the
// stages of the last search, and the map of the last reranking.
type machinePanel struct {
	styles styles

	pools   []engine.PoolUse // newest, largest peak first
	history map[string][]int64
	status  *engine.Status
	stats   *engine.Stats // of the last search; nil before the first
	rerank  rerankMap
	writing *engine.Generation // of the last answer that a model wrote; nil before
}

func newMachinePanel(s styles) machinePanel {
	return machinePanel{styles: s, history: map[string][]int64{}, rerank: rerankMap{styles: s}}
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

// searched takes what a search cost, and the layers of its reranking.
func (m *machinePanel) searched(stats *engine.Stats, layers []engine.RerankLayer) {
	m.stats = stats
	m.rerank.finish(stats, layers)
}

// part is something drawn into a part of the panel: lines for w times h cells.
type part func(w, h int) []string

// Render draws the panel as h lines of w cells: side by side what there is
// room for, the rest one above the other. The map of the reranking takes part
// once there is one, and is the first to go where it is narrow.
func (m *machinePanel) Render(w, h int) []string {
	memory, stages, rerank := part(m.memory), part(m.work), part(m.rerank.Render)
	third, half := (w-2*panelGap)/3, (w-panelGap)/2
	switch known := m.rerank.known(); {
	case w >= threeColumns && known:
		return beside(third-2, memory, beside(third, stages, rerank))(w, h)
	case w >= twoColumns && known:
		return beside(half, above(h/2, memory, rerank), stages)(w, h)
	case w >= twoColumns:
		return beside(half, memory, stages)(w, h)
	case w >= mapWidth && known:
		return above((h+1)/2, memory, beside(w-mapCells-panelGap, stages, rerank))(w, h)
	case known:
		figure := func(w, _ int) []string { return m.rerank.facts(w) }
		return above(h-1, above(h/2, memory, stages), figure)(w, h)
	default:
		return above((h+1)/2, memory, stages)(w, h)
	}
}

// beside draws two parts next to each other, the left one left cells wide.
func beside(left int, a, b part) part {
	return func(w, h int) []string {
		right := w - left - panelGap
		lines, other := block(a(left, h), left, h), block(b(right, h), right, h)
		for i := range lines {
			lines[i] += blanks(panelGap) + other[i]
		}
		return lines
	}
}

// above draws two parts one above the other, the upper one top lines high.
func above(top int, a, b part) part {
	return func(w, h int) []string {
		return append(block(a(w, top), w, top), block(b(w, h-top), w, h-top)...)
	}
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
	least := m.leastFooter()
	for len(footer) > least && 1+len(m.pools)+len(footer) > h {
		footer = footer[:len(footer)-1]
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

// leastFooter is how many lines of the footer stay where there is little room: the
// process, a budget that was lowered, the writer, and what conversations take.
func (m *machinePanel) leastFooter() int {
	least, st := 1, m.status
	if st == nil {
		return least
	}
	if b := st.Budget; b != nil && b.Bytes < b.Full {
		least++
	}
	if st.Writer != nil {
		least += len(writerLines(st.Writer))
	}
	if st.Conversations != nil && st.Conversations.Count > 0 {
		least++
	}
	return least
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

// footer returns what the whole process and the index on disk take.
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
	if b := m.status.Budget; b != nil && b.Bytes < b.Full {
		lines = append(lines, fit(" "+s.text.Render(fmt.Sprintf("budget %s of %s · F7 raises", size(b.Bytes), size(b.Full))), w))
	}
	if u := m.status.Writer; u != nil {
		for _, line := range writerLines(u) {
			lines = append(lines, fit(" "+s.text.Render(line), w))
		}
	}
	if c := m.status.Conversations; c != nil && c.Count > 0 {
		use := counted(c.Count, "conversation") + " " + size(c.Keys.Memory) + " · on disk " + size(c.Text+c.Keys.Disk)
		lines = append(lines, fit(" "+s.text.Render(use), w))
		if levels := levelsText(c.Keys.Levels); levels != "" {
			lines = append(lines, fit(" "+s.faint.Render(levels), w))
		}
	}
	if len(parts) > 0 {
		lines = append(lines, fit(" "+s.faint.Render(strings.Join(parts, ", ")), w))
	}
	return lines
}

// levelsText returns how many chunks of keys and values there are of how many bits.
func levelsText(levels []engine.LevelUse) string {
	var parts []string
	for _, l := range levels {
		switch {
		case l.Chunks == 0:
		case len(parts) == 0:
			parts = append(parts, fmt.Sprintf("%s at %d bits", count(l.Chunks), l.Bits))
		default:
			parts = append(parts, fmt.Sprintf("%s at %d", count(l.Chunks), l.Bits))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "chunks: " + strings.Join(parts, ", ")
}
