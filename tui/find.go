package tui

import (
	"strings"

	"dowse/engine"
	"dowse/internal/fold"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const findPrompt = " find ❯ "

// finding is the state while a text is looked for in the preview.
type finding struct {
	open    bool
	walking bool // the text is typed: n and N go from place to place
}

// finds are the places in a preview that hold a text.
type finds struct {
	open   bool // it is looked for
	text   string
	places []findPlace // by line
	at     int         // of the one in sight
}

// findPlace is a stretch of a line, by its index.
type findPlace struct {
	line int
	engine.Range
}

// startFinding borrows the query line for a text to look for in the preview, of
// which the whole file is read.
func (m *model) startFinding() tea.Cmd {
	if m.layout.preview.empty() || !m.preview.shown {
		return m.notify("there is no preview to look in; "+keyFor(m.keys.togglePreview)+" shows it", false)
	}
	m.finding = finding{open: true}
	m.borrowLine(findPrompt, "a text in the preview", m.preview.finds.text)
	m.preview.find(m.preview.finds.text)
	if m.preview.reach == wholeFile {
		return nil
	}
	m.preview.reach = wholeFile
	return m.askPreview()
}

func (m *model) stopFinding() tea.Cmd {
	m.finding = finding{}
	m.preview.finds.open, m.preview.finds.places = false, nil
	m.returnLine()
	return nil
}

// findingKey types the text, and then goes from place to place.
func (m *model) findingKey(msg tea.KeyMsg) tea.Cmd {
	p := &m.preview
	typed := ""
	if msg.Type == tea.KeyRunes && !msg.Paste {
		typed = string(msg.Runes)
	}
	switch {
	case !m.finding.walking && key.Matches(msg, m.keys.open):
		m.finding.walking = len(p.finds.places) > 0
	case m.finding.walking && typed == "/":
		m.finding.walking = false
	case key.Matches(msg, m.keys.down), m.finding.walking && (typed == "n" || key.Matches(msg, m.keys.open)):
		p.walk(1)
	case key.Matches(msg, m.keys.up), m.finding.walking && typed == "N":
		p.walk(-1)
	default:
		if cmd, taken := m.previewKey(msg); taken {
			return cmd
		}
		if m.finding.walking {
			return nil
		}
		before := m.line()
		cmd := m.edit(msg)
		if m.line() != before {
			p.find(m.line())
		}
		return cmd
	}
	return nil
}

// findAdvice says what was found, and which keys go on.
func (m *model) findAdvice() string {
	f := &m.preview.finds
	switch {
	case f.text == "" || m.preview.data == nil:
		return "looks in " + m.names.short(m.preview.passage.Path, m.width/2)
	case len(f.places) == 0:
		return "not in this file"
	}
	return count(f.at+1) + " of " + counted(len(f.places), "place")
}

// findHints lists the keys while a text is looked for.
func (m *model) findHints() []hint {
	back := fixed("esc", "back", 4)
	if m.finding.walking {
		return []hint{fixed("n", "next", 5), fixed("N", "before", 5), fixed("/", "another text", 3), back}
	}
	return []hint{bound(m.keys.open, "go from place to place", 5), back}
}

// find looks for a text, without regard to case and accents, and shows the first
// place from the passage on.
func (p *previewPane) find(text string) {
	p.finds = finds{open: true, text: text}
	f, wanted := &p.finds, fold.String(text)
	if wanted == "" || p.data == nil {
		return
	}
	found := false
	for i, line := range p.lines {
		for _, r := range foundIn(line.text, wanted) {
			if !found && p.data.FirstLine+i >= p.data.LineStart {
				f.at, found = len(f.places), true
			}
			f.places = append(f.places, findPlace{i, r})
		}
	}
	p.walk(0)
}

// foundIn returns where a line holds a folded text.
func foundIn(line, wanted string) (ranges []engine.Range) {
	of := fold.Of(line)
	for at := 0; ; {
		i := strings.Index(of.Folded[at:], wanted)
		if i < 0 {
			return ranges
		}
		if from, to, ok := of.Range(at+i, at+i+len(wanted)); ok {
			ranges = append(ranges, engine.Range{Start: from, End: to})
		}
		at += i + len(wanted)
	}
}

// walk shows the place n places on; behind the last one comes the first.
func (p *previewPane) walk(n int) {
	f := &p.finds
	if len(f.places) == 0 {
		return
	}
	f.at = (f.at + n + len(f.places)) % len(f.places)
	place := f.places[f.at]
	for i, r := range p.rows {
		if r.line == place.line && r.text.end >= place.End {
			p.top = i - p.rowsInSight()/3
			break
		}
	}
	p.clamp()
}

// found returns the line to draw with the places that are looked for in it, and
// whether the place in sight is one of them.
func (p *previewPane) found(line int) (m marked, here bool) {
	m = p.lines[line]
	f := &p.finds
	if len(f.places) == 0 {
		return m, false
	}
	m.hits = nil
	for i, place := range f.places {
		if place.line == line {
			m.hits = append(m.hits, place.Range)
			here = here || i == f.at
		}
	}
	return m, here
}

// nextMatched goes n matched passages on in the file of the chosen one.
func (m *model) nextMatched(n int) tea.Cmd {
	passage, ok := m.results.selected()
	if !ok {
		return nil
	}
	next, ok := m.results.matchedAfter(passage, n)
	if !ok {
		return m.notify("no matched passage further that way in this file", false)
	}
	m.results.chooseRank(next.Rank)
	return m.showPreview()
}

// matchedAfter returns the passage next to one in the same file, before it where
// n is negative.
func (l *resultList) matchedAfter(from engine.Passage, n int) (next engine.Passage, ok bool) {
	consider := func(p engine.Passage) {
		ahead := (p.LineStart - from.LineStart) * n
		if p.Path == from.Path && ahead > 0 && (!ok || ahead < (next.LineStart-from.LineStart)*n) {
			next, ok = p, true
		}
	}
	for _, p := range l.passages {
		consider(p)
		for _, under := range l.folds.under[p.ChunkID] {
			consider(under)
		}
	}
	return next, ok
}
