package tui

import (
	"fmt"
	"path/filepath"
	"time"

	"dowse/engine"
)

// progressLine shows on one line how far indexing has come.
type progressLine struct {
	styles styles
	names  *names
	last   *engine.Progress
	at     time.Time           // when last arrived
	change *engine.ModelChange // to another embedder, or nil
}

func (p *progressLine) set(progress *engine.Progress, at time.Time) {
	p.last, p.at = progress, at
}

func (p *progressLine) setChange(change *engine.ModelChange) {
	if p.change = change; change != nil && change.Over {
		p.change = nil
	}
}

func (p *progressLine) active() bool { return p.indexing() || p.change != nil }

// indexing reports whether a run is under way.
func (p *progressLine) indexing() bool {
	return p.last != nil && p.last.Phase != engine.Idle && p.last.Phase != ""
}

// done returns the finished share of the work.
func (p *progressLine) done() float64 { return p.last.Done() }

// remaining estimates the time left; 0 when it is too early to say.
func (p *progressLine) remaining() time.Duration { return p.last.Left(p.at) }

// rate is chunks per second; 0 when it is too early to say.
func (p *progressLine) rate() float64 {
	elapsed := p.at.Sub(p.last.Started).Seconds()
	if p.last.Started.IsZero() || elapsed < 1 {
		return 0
	}
	return float64(p.last.Chunks) / elapsed
}

func (p *progressLine) phase() string {
	switch p.last.Phase {
	case engine.Scanning:
		return "looking"
	case engine.Indexing:
		return "indexing"
	case engine.Embedding:
		return "embedding"
	case engine.Merging:
		return "tidying"
	default:
		return sanitize(string(p.last.Phase))
	}
}

// facts returns what is known, the most important first.
func (p *progressLine) facts() []string {
	files := counted(p.last.FilesDone, "file")
	if p.last.FilesTotal > 0 {
		files = count(p.last.FilesDone) + "/" + counted(p.last.FilesTotal, "file")
	}
	facts := []string{files}
	if p.last.Phase == engine.Embedding {
		facts = []string{"found by words meanwhile"}
	}
	if left := p.remaining(); left > 0 {
		facts = append(facts, span(left)+" left")
	}
	if rate := p.rate(); rate > 0 {
		facts = append(facts, fmt.Sprintf("%s chunks/s", count(int(rate+0.5))))
	}
	if n := total(p.last.Skipped); n > 0 {
		facts = append(facts, count(n)+" skipped")
	}
	return facts
}

// Render draws the line in w cells; facts that do not fit are left out whole.
func (p *progressLine) Render(w int) string {
	if !p.active() {
		return blanks(w)
	}
	if !p.indexing() {
		return p.renderChange(w)
	}
	s := p.styles
	line := " " + s.accent.Render(p.phase()) + " "
	if p.last.FilesTotal > 0 || p.last.Phase == engine.Embedding {
		line += bar(p.done(), max(w/8, 6), s.bar, s.barRest) + s.soft.Render(fmt.Sprintf(" %3.0f%%", 100*p.done()))
	}
	for _, fact := range p.facts() {
		if width(line)+width(fact)+4 > w {
			return pad(line, w)
		}
		line += s.line.Render(" · ") + s.soft.Render(fact)
	}
	if room := w - width(line) - 5; p.last.Current != "" && room >= 12 {
		name := filepath.Base(p.last.Current)
		if p.last.Part != "" {
			name += ", " + p.last.Part
		}
		line += s.line.Render(" · ") + s.faint.Render(p.names.short(name, room))
	}
	return pad(line, w)
}

// renderChange draws the progress of a change of embedder.
func (p *progressLine) renderChange(w int) string {
	s := p.styles
	line := " "
	if p.change.All > 0 && w >= 60 {
		line += bar(min(1, float64(p.change.Done)/float64(p.change.All)), max(w/12, 6), s.bar, s.barRest) + " "
	}
	return pad(line+s.soft.Render(fit(sanitize(p.change.String()), w-width(line)-1)), w)
}
