package tui

import (
	"fmt"
	"strings"

	"dowse/engine"
)

// rerankMap shows the last or running reranking: what each layer of the model
// did with each candidate, and what leaving early saved.
type rerankMap struct {
	styles     styles
	generation int // of the reranking search
	layers     []engine.RerankLayer
	stats      *engine.RerankStats // nil while it runs or if it was cancelled
	millis     float64
}

// fate is what a layer did with a candidate. Layers that share a row show the
// greatest.
type fate uint8

const (
	saved    fate = iota // left in an earlier layer
	ahead                // the layer was not reached
	computed             // computed, and goes on
	dropped              // computed, and certain not to be among the best
	selected             // computed, and certain to be among the best
)

// glyphs differ without colour.
var glyphs = [...]string{saved: "·", ahead: " ", computed: "█", dropped: "x", selected: "+"}

// fewestRows is the least height of a map.
const fewestRows = 2

// known reports whether there is something to show.
func (r *rerankMap) known() bool { return len(r.layers) > 0 || r.stats != nil }

// add appends layers of a generation's reranking.
func (r *rerankMap) add(generation int, layers []engine.RerankLayer) {
	if generation != r.generation {
		*r = rerankMap{styles: r.styles, generation: generation}
	}
	r.layers = append(r.layers, layers...)
}

// finish takes a search's outcome with all its layers.
func (r *rerankMap) finish(stats *engine.Stats, layers []engine.RerankLayer) {
	if stats.Rerank == nil {
		return
	}
	r.layers, r.stats, r.millis = layers, stats.Rerank, 0
	for _, stage := range stats.Stages {
		if stage.Name == "rerank" {
			r.millis = stage.Millis
		}
	}
}

// grid returns fates by layer and by candidate, n of them in their order before
// the reranking.
func (r *rerankMap) grid(n int) [][]fate {
	layers := r.depth()
	rows := make([][]fate, 0, layers)
	gone := make([]bool, n)
	mark := func(row []fate, candidates []int, f fate) {
		for _, c := range candidates {
			if c >= 0 && c < n {
				row[c], gone[c] = f, gone[c] || f > computed
			}
		}
	}
	for _, l := range r.layers {
		row := make([]fate, n)
		mark(row, l.Active, computed)
		mark(row, l.Dropped, dropped)
		mark(row, l.Selected, selected)
		rows = append(rows, row)
	}
	over := r.stats != nil && !r.stats.Cut
	for len(rows) < layers {
		row := make([]fate, n)
		for c := range row {
			if !over && !gone[c] {
				row[c] = ahead
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// merge draws several layers as one row.
func merge(rows [][]fate) []fate {
	out := make([]fate, len(rows[0]))
	for _, row := range rows {
		for c, f := range row {
			out[c] = max(out[c], f)
		}
	}
	return out
}

// Render draws at most h lines for w cells. Layers share lines where there are
// too many; without room for a map only figures are shown.
func (r *rerankMap) Render(w, h int) []string {
	title := "last rerank"
	if n := r.candidates(); n > 0 {
		title += ": " + counted(n, "candidate")
	}
	lines := []string{heading(title, w, r.styles)}
	if r.stats != nil && r.stats.Problem != "" {
		return append(lines, r.problem(w, h-len(lines))...)
	}
	facts := r.facts(w)
	if len(r.layers) > 0 {
		const legend = 1
		room := h - len(lines) - legend - len(facts)
		if room < min(r.depth(), fewestRows+1) && len(facts) > 1 {
			facts, room = facts[:1], room+len(facts)-1
		}
		if room >= fewestRows {
			lines = append(append(lines, r.rows(w, room)...), r.legend(w))
		}
	}
	return append(lines, facts...)
}

// depth returns the model's layers.
func (r *rerankMap) depth() int { return max(r.layers[0].Layers, len(r.layers)) }

func (r *rerankMap) candidates() int {
	switch {
	case len(r.layers) > 0:
		return r.layers[0].Candidates
	case r.stats != nil:
		return r.stats.Candidates
	}
	return 0
}

// rows draws the numbered layers in at most room lines. Candidates beyond the
// width are not drawn.
func (r *rerankMap) rows(w, room int) []string {
	layers := r.depth()
	per := (layers + room - 1) / room
	label := len(layerNumbers(layers-per, layers))
	grid := r.grid(max(min(r.candidates(), w-label-2), 0))
	var lines []string
	for first := 0; first < layers; first += per {
		end := min(first+per, layers)
		number := padLeft(layerNumbers(first, end), label)
		lines = append(lines, " "+r.styles.faint.Render(number)+" "+r.drawFates(merge(grid[first:end])))
	}
	return lines
}

// layerNumbers names the layers in [first, end), counting from 1.
func layerNumbers(first, end int) string {
	if end-first <= 1 {
		return fmt.Sprint(end)
	}
	return fmt.Sprintf("%d-%d", first+1, end)
}

// drawFates draws a row, equal fates in one go.
func (r *rerankMap) drawFates(row []fate) string {
	var out strings.Builder
	for start := 0; start < len(row); {
		end := start + 1
		for end < len(row) && row[end] == row[start] {
			end++
		}
		out.WriteString(r.drawFate(row[start], end-start))
		start = end
	}
	return out.String()
}

func (r *rerankMap) drawFate(f fate, n int) string {
	s, text := r.styles, strings.Repeat(glyphs[f], n)
	switch f {
	case computed:
		return s.bar.Render(text)
	case dropped:
		return s.warn.Render(text)
	case selected:
		return s.hit.Render(text)
	default:
		return s.barRest.Render(text)
	}
}

// legend explains the glyphs.
func (r *rerankMap) legend(w int) string {
	words := [...]string{computed: "computed", selected: "selected", dropped: "dropped", saved: "saved"}
	if w < mapCells+5 {
		words[computed] = "run"
	}
	line := ""
	for _, f := range []fate{computed, selected, dropped, saved} {
		line += " " + r.drawFate(f, 1) + " " + r.styles.faint.Render(words[f])
	}
	return fit(line, w)
}

// facts returns what was computed, the most telling line first.
func (r *rerankMap) facts(w int) []string {
	s := r.styles
	switch {
	case r.stats == nil:
		last := r.layers[len(r.layers)-1]
		return []string{" " + s.text.Render(fmt.Sprintf("layer %d of %d", last.Layer+1, last.Layers))}
	case r.stats.Problem != "":
		return r.problem(w, 1)
	}
	figure, timed := r.figure(w - 2)
	var more []string
	if !timed {
		more = append(more, millis(r.millis))
	}
	if r.stats.Cut {
		more = append(more, fmt.Sprintf("stopped after layer %d", len(r.layers)))
	}
	more = append(more, sanitize(r.stats.Model))
	if r.stats.BytesRead > 0 {
		more = append(more, size(r.stats.BytesRead)+" read")
	}
	return []string{fit(" "+s.text.Render(figure), w), fit(" "+s.faint.Render(strings.Join(more, " · ")), w)}
}

// problem says, in at most h lines, why there is no map.
func (r *rerankMap) problem(w, h int) []string {
	lines := wrapPlain(sanitize(r.stats.Problem), w-2, h)
	for i, line := range lines {
		lines[i] = " " + r.styles.problem.Render(line)
	}
	return lines
}

// figure returns the computed share of the model, in w cells, and whether it
// includes the time.
func (r *rerankMap) figure(w int) (text string, timed bool) {
	done, all, part := count(r.stats.ActiveLayers), count(r.stats.FullLayers), 0.0
	if r.stats.FullLayers > 0 {
		part = 100 * (1 - float64(r.stats.ActiveLayers)/float64(r.stats.FullLayers))
	}
	text = fmt.Sprintf("layers computed %s of %s (%.0f%% saved)", done, all, part)
	switch long := text + ", " + millis(r.millis); {
	case width(long) <= w:
		return long, true
	case width(text) <= w:
		return text, false
	}
	return fmt.Sprintf("%s of %s layers (%.0f%% saved)", done, all, part), false
}
