package answer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// stretch is a run of neighbouring pieces of a passage: [first, last].
type stretch struct{ passage, first, last int }

// stretches joins neighbouring pieces, in the order in which they are read: the
// passage of the best piece first, and from top to bottom.
func (m *marked) stretches(chosen []candidate) []stretch {
	place := make(map[int]int)
	for _, c := range chosen {
		if _, ok := place[c.passage]; !ok {
			place[c.passage] = len(place)
		}
	}
	sorted := slices.SortedFunc(slices.Values(chosen), func(a, b candidate) int {
		return cmp.Or(cmp.Compare(place[a.passage], place[b.passage]), cmp.Compare(a.piece, b.piece))
	})
	var found []stretch
	for _, c := range sorted {
		if n := len(found) - 1; n >= 0 && found[n].passage == c.passage && c.piece <= found[n].last+1 {
			found[n].last = max(found[n].last, c.piece)
			continue
		}
		found = append(found, stretch{c.passage, c.piece, c.piece})
	}
	return found
}

// compose writes the answer of the pieces that were chosen.
func (m *marked) compose(chosen []candidate) Answer {
	var a Answer
	var text strings.Builder
	for _, s := range m.completed(m.stretches(chosen)) {
		kind := m.pieces[s.passage][s.first].Kind
		if text.Len() > 0 {
			text.WriteString(separator(kind))
		}
		start := text.Len()
		text.WriteString(m.said(s))
		cited := m.cite(s)
		mark := " [" + strconv.Itoa(cited.Number) + "]"
		if m.pieces[s.passage][s.last].Kind == Code {
			mark = "\n" + mark[1:]
		}
		text.WriteString(mark)
		a.Sentences = append(a.Sentences, Sentence{Range: Range{start, text.Len()}, Citations: []int{cited.Number}})
		a.Citations = append(a.Citations, cited)
	}
	a.Text, a.Short = text.String(), m.short(chosen[0])
	return a
}

// mostAdded bounds what completed adds to a stretch, in pieces.
const mostAdded = 6

// completed adds to each stretch what it cannot be read without: the sentence
// that announces code or that a pronoun leans on, and the list or the code that
// a colon announces.
func (m *marked) completed(list []stretch) []stretch {
	var done []stretch
	for _, s := range list {
		pieces := m.pieces[s.passage]
		if s.first > 0 && (m.announces(s.passage, s.first-1) || m.refersBack(s.passage, s.first)) {
			s.first--
		}
		if m.announces(s.passage, s.last) {
			next := s.last + 1
			for s.last = next; s.last+1 < len(pieces) && s.last-next+1 < mostAdded && belongs(pieces[next], pieces[s.last+1]); s.last++ {
			}
		}
		if n := len(done) - 1; n >= 0 && done[n].passage == s.passage && s.first <= done[n].last+1 {
			done[n].last = max(done[n].last, s.last)
			continue
		}
		done = append(done, s)
	}
	return done
}

// belongs says whether a piece goes on with the list, the table or the code that
// another one began.
func belongs(first, next Piece) bool {
	return first.Kind == next.Kind && (first.Kind == Item || first.Kind == Row || first.Kind == Code)
}

// announces says whether a piece only leads to the next one: a colon before it,
// or words before code.
func (m *marked) announces(passage, i int) bool {
	pieces := m.pieces[passage]
	if i+1 >= len(pieces) || pieces[i].Kind == Heading || pieces[i].Kind == Code {
		return false
	}
	p, next := pieces[i], pieces[i+1]
	body := m.passages[passage].Text[p.Start:p.End]
	return next.Kind == Code || strings.HasSuffix(body, ":") && next.Kind != Heading
}

// refersBack says whether a piece cannot be understood without the one before it.
func (m *marked) refersBack(passage, i int) bool {
	p, before := m.pieces[passage][i], m.pieces[passage][i-1]
	return p.Kind != Code && before.Block == p.Block && pronouns[strings.ToLower(firstWord(m.passages[passage].Text[p.Start:p.End]))]
}

// cite makes the citation of a stretch.
func (m *marked) cite(s stretch) Citation {
	pieces, p := m.pieces[s.passage], &m.passages[s.passage]
	whole := Range{pieces[s.first].Start, pieces[s.last].End}
	c := cite(p, whole, pieces[s.first].Kind)
	c.Text = m.words(s, func(_ int, p Piece) string { return plain(m.passages[s.passage].Text[p.Start:p.End], p.Kind) })
	return c
}

// said is what a stretch says by itself: a row with the names of its columns, an
// item below its heading.
func (m *marked) said(s stretch) string {
	body := m.words(s, func(i int, p Piece) string {
		if p.Kind == Row {
			return m.row(s.passage, i)
		}
		return plain(m.passages[s.passage].Text[p.Start:p.End], p.Kind)
	})
	if heading := m.headingOf(s); heading != "" {
		return heading + ": " + body
	}
	return body
}

// words joins the pieces of a stretch.
func (m *marked) words(s stretch, say func(i int, p Piece) string) string {
	var text strings.Builder
	for i := s.first; i <= s.last; i++ {
		p := m.pieces[s.passage][i]
		if i > s.first {
			before := m.pieces[s.passage][i-1]
			text.WriteString(joint(before, p))
		}
		text.WriteString(say(i, p))
	}
	return text.String()
}

// joint stands between two neighbouring pieces: a space within a paragraph or an
// item, otherwise a new line.
func joint(before, p Piece) string {
	if before.Block == p.Block && p.Kind != Code {
		return " "
	}
	return "\n"
}

// headingOf is the heading of a stretch that begins with an item, which says less
// alone; "" where none is near.
func (m *marked) headingOf(s stretch) string {
	pieces, p := m.pieces[s.passage], &m.passages[s.passage]
	if pieces[s.first].Kind != Item {
		return ""
	}
	for i := s.first - 1; i >= 0; i-- {
		if pieces[i].Kind == Heading {
			return strings.TrimRight(plain(p.Text[pieces[i].Start:pieces[i].End], Heading), ":")
		}
	}
	levels := strings.Split(p.Heading, " > ")
	return strings.TrimRight(plain(levels[len(levels)-1], Heading), ":")
}

// short is the short answer within the best piece, nil where the reader points at
// none or at most of it.
func (m *marked) short(best candidate) *Citation {
	p := m.pieces[best.passage][best.piece]
	at, ok := m.marks.Passages[best.passage].span(p.Range)
	if !ok || p.Kind == Code || float64(at.End-at.Start) > shortShare*float64(p.End-p.Start) {
		return nil
	}
	c := cite(&m.passages[best.passage], at, p.Kind)
	return &c
}

// shortShare of its sentence is what a short answer has at most.
const shortShare = 0.7
