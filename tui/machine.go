package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

const (
	historyLength = 240 // samples kept for each pool
	sparkCells    = 12
	panelGap      = 3
	mapCells      = 35 // of a map beside the stages: 30 candidates
)

// machinePanel shows memory by pool over time, the stages of the last search,
// and the map of the last reranking.
type machinePanel struct {
	styles styles
	raise  string // the key that raises the budget

	pools   []engine.PoolUse // newest, largest peak first
	history map[string][]int64
	totals  []int64   // of all pools, as long as the longest history
	sampled time.Time // when the newest sample was taken
	status  *engine.Status
	stats   *engine.Stats // of the last search; nil before
	rerank  rerankMap
	writing *engine.Generation // of the last written answer; nil before
}

func newMachinePanel(s styles, keys keyMap) machinePanel {
	return machinePanel{styles: s, raise: keyFor(keys.raise), history: map[string][]int64{}, rerank: rerankMap{styles: s}}
}

// sampleEvery is the time that a column of the chart stands for. A sample comes
// where something has changed.
const sampleEvery = time.Second

// rest repeats the newest sample for the time up to a moment in which none came.
func (m *machinePanel) rest(until time.Time) {
	n := int(until.Sub(m.sampled) / sampleEvery)
	if len(m.totals) == 0 || n <= 0 {
		return
	}
	at := m.sampled.Add(time.Duration(n) * sampleEvery)
	for range min(n, historyLength) {
		m.sample(slices.Clone(m.pools), at)
	}
}

// sample takes what the pools hold at a moment.
func (m *machinePanel) sample(pools []engine.PoolUse, at time.Time) {
	m.sampled = at
	m.pools = append(m.pools[:0], pools...)
	sort.SliceStable(m.pools, func(i, j int) bool {
		if m.pools[i].Peak != m.pools[j].Peak {
			return m.pools[i].Peak > m.pools[j].Peak
		}
		return m.pools[i].Pool < m.pools[j].Pool
	})
	var sum int64
	for pool, past := range m.history {
		if !slices.ContainsFunc(pools, func(p engine.PoolUse) bool { return p.Pool == pool }) {
			m.history[pool] = keepLast(past, 0)
		}
	}
	for _, p := range pools {
		m.history[p.Pool] = keepLast(m.history[p.Pool], p.Bytes)
		sum += p.Bytes
	}
	m.totals = keepLast(m.totals, sum)
}

// keepLast appends a sample, and forgets the one before historyLength.
func keepLast(past []int64, n int64) []int64 {
	return append(past[max(len(past)-historyLength+1, 0):], n)
}

// setStatus takes a fresh status; its memory counts until an event comes.
func (m *machinePanel) setStatus(status *engine.Status, at time.Time) {
	m.status = status
	m.rest(at)
	if len(m.pools) > 0 {
		return
	}
	var pools []engine.PoolUse
	for name, p := range status.Memory {
		pools = append(pools, engine.PoolUse{Pool: name, Bytes: p.Bytes, Peak: p.Peak})
	}
	if len(pools) > 0 {
		m.sample(pools, at)
	}
}

// searched takes a search's figures and its reranking's layers.
func (m *machinePanel) searched(stats *engine.Stats, layers []engine.RerankLayer) {
	m.stats = stats
	m.rerank.finish(stats, layers)
}

// part draws into w times h cells.
type part func(w, h int) []string

// Render draws the panel as h lines of w cells: parts side by side where they
// fit, else stacked. The reranking map is the first to be left out.
func (m *machinePanel) Render(w, h int) []string {
	memory, stages, rerank := part(m.memory), part(m.work), part(m.rerank.Render)
	third, half := (w-2*panelGap)/3, (w-panelGap)/2
	switch known := m.rerank.known(); {
	case w >= threeColumns && known:
		return sideBySide(third-2, memory, sideBySide(third, stages, rerank))(w, h)
	case w >= twoColumns && known:
		return sideBySide(half, above(h/2, memory, rerank), stages)(w, h)
	case w >= twoColumns:
		return sideBySide(half, memory, stages)(w, h)
	case w >= mapWidth && known:
		return above((h+1)/2, memory, sideBySide(w-mapCells-panelGap, stages, rerank))(w, h)
	case known:
		figure := func(w, _ int) []string { return m.rerank.facts(w) }
		return above(h-1, above(h/2, memory, stages), figure)(w, h)
	default:
		return above((h+1)/2, memory, stages)(w, h)
	}
}

// sideBySide puts two parts next to each other, the left one left cells wide.
func sideBySide(left int, a, b part) part {
	return func(w, h int) []string {
		right := w - left - panelGap
		lines, other := block(a(left, h), left, h), block(b(right, h), right, h)
		for i := range lines {
			lines[i] += blanks(panelGap) + other[i]
		}
		return lines
	}
}

// above stacks two parts, the upper one top lines high.
func above(top int, a, b part) part {
	return func(w, h int) []string {
		return append(block(a(w, top), w, top), block(b(w, h-top), w, h-top)...)
	}
}

// heading draws a title as a rule.
func heading(title string, w int, s styles) string {
	return s.line.Render("─ ") + s.title.Render(title) + s.line.Render(" "+strings.Repeat("─", max(w-width(title)-3, 0)))
}

func (m *machinePanel) memory(w, h int) []string {
	s := m.styles
	lines := []string{heading(m.memoryTitle(), w, s)}
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
	lines = append(lines, m.chart(w, min(h-1-len(m.pools)-len(footer), chartMost))...)
	for i := range m.pools {
		if rest := len(m.pools) - i; len(lines) == h-1-len(footer) && rest > 1 {
			lines = append(lines, " "+s.faint.Render(fmt.Sprintf("and %d more", rest)))
			break
		}
		lines = append(lines, m.pool(i, top, w))
	}
	return append(lines[:min(len(lines), max(h-len(footer), 1))], footer...)
}

// leastFooter is how many lines of the footer stay on small screens: process,
// lowered budget, writer, conversations.
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

// pool draws the shade, name, bar, bytes, peak and history of a pool.
func (m *machinePanel) pool(at int, top int64, w int) string {
	s, p := m.styles, m.pools[at]
	name, figures, spark := 11, 20, sparkCells
	cells := w - name - figures - spark - 5
	if cells < 4 {
		cells, spark = cells+spark, 0
	}
	figure := padLeft(size(p.Bytes), 8) + " / " + pad(size(p.Peak), figures-11)
	past := sparkline(m.history[p.Pool], spark)
	return s.bar.Render(shade(at)) + " " + s.soft.Render(pad(sanitize(p.Pool), name)) + " " +
		bar(float64(p.Bytes)/float64(top), max(cells, 1), s.bar, s.barRest) + " " +
		s.soft.Render(figure) + " " + s.accent.Render(past)
}

// footer returns the memory of the process and the index's size on disk.
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
	parts := m.indexParts()
	for i, name := range parts {
		parts[i] = sanitize(name) + " " + size(m.status.Bytes[name])
	}
	lines := []string{" " + s.text.Render(strings.Join(facts, " · "))}
	if b := m.status.Budget; b != nil && b.Bytes < b.Full {
		lines = append(lines, fit(" "+s.text.Render(fmt.Sprintf("budget %s of %s · %s raises", size(b.Bytes), size(b.Full), m.raise)), w))
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

// indexParts names the parts of the index on disk, the largest first.
func (m *machinePanel) indexParts() []string {
	bytes := m.status.Bytes
	var parts []string
	for name, n := range bytes {
		if name != "total" && n > 0 {
			parts = append(parts, name)
		}
	}
	slices.SortFunc(parts, func(a, b string) int {
		return cmp.Or(cmp.Compare(bytes[b], bytes[a]), cmp.Compare(a, b))
	})
	return parts
}

// levelsText counts chunks of keys and values by bits.
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

// budgetPatience bounds a change of the budget: a model larger than the new one
// closes first.
const budgetPatience = time.Minute

// budgetDone is the outcome of a change.
type budgetDone struct {
	step *engine.BudgetStep
	err  error
}

// changeBudget lowers or raises the memory of models by a step.
func (m *model) changeBudget(change engine.BudgetChange) tea.Cmd {
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, budgetPatience)
		defer cancel()
		step, err := searcher.ChangeBudget(ctx, change)
		return budgetDone{step, err}
	}
}

func (m *model) onBudgetDone(msg budgetDone) tea.Cmd {
	if msg.err != nil {
		return m.notify(msg.err.Error(), true)
	}
	return tea.Batch(m.notify(budgetNotice(msg.step), false), m.askStatus())
}

// budgetNotice words the outcome of a change.
func budgetNotice(b *engine.BudgetStep) string {
	switch {
	case b.Changed() && b.Bytes == b.Full:
		return fmt.Sprintf("memory: %s again, as the settings say", size(b.Full))
	case b.Changed():
		return fmt.Sprintf("memory: %s now, %s by the settings", size(b.Bytes), size(b.Full))
	case b.Bytes == b.Full:
		return fmt.Sprintf("memory: %s, which is all that the settings give", size(b.Full))
	}
	return fmt.Sprintf("memory: %s, which is the least", size(b.Bytes))
}

// writerLines says how the writing model runs, in lines for a column of a
// narrow screen.
func writerLines(u *engine.ModelUse) (lines []string) {
	name := sanitize(u.Name) + " "
	switch u.Way {
	case engine.Resident:
		return []string{name + "in memory"}
	case engine.Streamed:
		lines = append(lines, name+"streamed", fmt.Sprintf("%s of %s kept", count(u.Kept), counted(u.Layers, "layer")))
	case engine.Swapped:
		lines = append(lines, name+"swapped by rows")
	case engine.Mixture:
		lines = append(lines, name+"reads experts")
	}
	cost := "cache " + size(u.Cache)
	if u.TokenBytes > 0 {
		cost += " · " + size(u.TokenBytes) + " a token"
	}
	lines = append(lines, cost)
	if rate, ok := u.HitRate(); ok {
		lines = append(lines, fmt.Sprintf("%s hits, %s misses (%.0f%%)", count(u.Hits), count(u.Misses), 100*rate))
	}
	if u.Sparsity > 0 {
		lines = append(lines, fmt.Sprintf("%.0f%% of its inputs left out", 100*u.Sparsity))
	}
	return lines
}
