package rich

import (
	"slices"
	"strings"

	"dowse/engine"
)

// Look is how a stretch of text is meant; looks add up.
type Look uint16

// The looks. Plain text has none.
const (
	Strong Look = 1 << iota
	Emphasis
	Code
	Link
	Strike
	Heading
	Comment
	String
	Number
	Keyword
	Faint // markup that is shown, such as rules
)

// Span is a stretch of a line's text, in bytes.
type Span struct {
	Start, End int
	Look       Look
}

// Line is a line to draw.
type Line struct {
	Text  string
	Spans []Span         // of looks, ascending and disjoint; what is between is plain
	Hits  []engine.Range // matched words, ascending and disjoint
	Marks []Mark         // of the source, moved along
}

// Mark is a stretch of a source that means something to the caller, such as a citation: an
// ID says what. Stretches are ascending and disjoint. None begins a link.
type Mark struct{ Start, End, ID int }

// maker makes a line out of stretches of its source.
type maker struct {
	src   string
	hits  []engine.Range // of src
	marks []Mark         // of src
	out   strings.Builder
	spans []Span
	moved []engine.Range
	kept  []Mark
}

// makerOf makes a line of a source.
func makerOf(of Source) *maker { return &maker{src: of.Text, hits: of.Hits, marks: of.Marks} }

func (m *maker) line() Line { return Line{m.out.String(), m.spans, m.moved, m.kept} }

// keep shows a stretch of the source.
func (m *maker) keep(from, to int, look Look) {
	if from >= to {
		return
	}
	base := m.out.Len() - from
	m.put(m.src[from:to], look)
	for _, h := range m.hits {
		start, end := max(h.Start, from)+base, min(h.End, to)+base
		if start >= end {
			continue
		}
		if n := len(m.moved); n > 0 && m.moved[n-1].End >= start {
			m.moved[n-1].End = max(m.moved[n-1].End, end)
			continue
		}
		m.moved = append(m.moved, engine.Range{Start: start, End: end})
	}
	for _, k := range m.marks {
		if start, end := max(k.Start, from)+base, min(k.End, to)+base; start < end {
			m.kept = append(m.kept, Mark{start, end, k.ID})
		}
	}
}

// marked reports whether a mark begins at a place of the source.
func (m *maker) marked(at int) bool {
	return slices.ContainsFunc(m.marks, func(k Mark) bool { return k.Start == at })
}

// put shows other text.
func (m *maker) put(text string, look Look) {
	start := m.out.Len()
	m.out.WriteString(text)
	end := m.out.Len()
	switch n := len(m.spans); {
	case look == 0 || start == end:
	case n > 0 && m.spans[n-1].End == start && m.spans[n-1].Look == look:
		m.spans[n-1].End = end
	default:
		m.spans = append(m.spans, Span{start, end, look})
	}
}
