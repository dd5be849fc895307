package answer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// stretch is a run of neighbouring pieces of a passage: [first, last].
type stretch struct{ passage, first, last int }

// stretches joins neighbouring pieces in reading order, the best piece's
// passage first.
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
		found = appendStretch(found, stretch{c.passage, c.piece, c.piece})
	}
	return found
}

// appendStretch appends a stretch, or extends the last one.
func appendStretch(list []stretch, s stretch) []stretch {
	if n := len(list) - 1; n >= 0 && list[n].passage == s.passage && s.first <= list[n].last+1 {
		list[n].last = max(list[n].last, s.last)
		return list
	}
	return append(list, s)
}

// compose writes the answer of chosen pieces.
func (m *marked) compose(chosen []candidate) Answer {
	q := quoted{Answer: Answer{Short: m.short(chosen[0])}}
	for _, s := range m.completed(m.stretches(chosen)) {
		pieces := m.pieces[s.passage]
		q.add(m.said(s), m.cite(s), pieces[s.first].Kind, pieces[s.last].Kind)
	}
	return q.answer()
}

// mostAdded bounds the pieces that completed adds to a stretch.
const mostAdded = 6

// completed adds to each stretch what it cannot be read without: the sentence
// that announces code or explains a pronoun, and the list or code that a colon
// announces.
func (m *marked) completed(list []stretch) []stretch {
	var done []stretch
	for _, s := range list {
		pieces := m.pieces[s.passage]
		if s.first > 0 && (m.announces(s.passage, s.first-1) || leansOn(m.passages[s.passage].Text, pieces[s.first-1], pieces[s.first])) {
			s.first--
		}
		if m.announces(s.passage, s.last) {
			next := s.last + 1
			for s.last = next; s.last+1 < len(pieces) && s.last-next+1 < mostAdded && belongs(pieces[next], pieces[s.last+1]); s.last++ {
			}
		}
		done = appendStretch(done, s)
	}
	return done
}

// belongs reports whether a piece continues the list, table or code of another.
func belongs(first, next Piece) bool {
	return first.Kind == next.Kind && (first.Kind == Item || first.Kind == Row || first.Kind == Code)
}

// announces reports whether a piece only leads to the next: a colon ends it, or
// code follows words.
func (m *marked) announces(passage, i int) bool {
	pieces := m.pieces[passage]
	if i+1 >= len(pieces) || pieces[i].Kind == Heading || pieces[i].Kind == Code {
		return false
	}
	next := pieces[i+1].Kind
	return next == Code || strings.HasSuffix(m.textOf(passage, pieces[i]), ":") && next != Heading
}

func (m *marked) cite(s stretch) Citation {
	pieces := m.pieces[s.passage]
	c := cite(&m.passages[s.passage], Range{Start: pieces[s.first].Start, End: pieces[s.last].End}, pieces[s.first].Kind)
	c.Text = m.words(s, func(i int) string { return m.plain(s.passage, i) })
	return c
}

// said renders a stretch alone: a row with its column names, an item below its
// heading and what it is nested in (lead.go).
func (m *marked) said(s stretch) string {
	body := m.words(s, func(i int) string {
		if m.pieces[s.passage][i].Kind == Row {
			return m.row(s.passage, i)
		}
		return m.plain(s.passage, i)
	})
	if lead := m.lead(s); lead != "" {
		body = lead + ": " + body
	}
	if heading := m.headingOf(s); heading != "" {
		return heading + ": " + body
	}
	return body
}

func (m *marked) plain(passage, i int) string {
	p := m.pieces[passage][i]
	return plain(m.textOf(passage, p), p.Kind)
}

// words joins the pieces of a stretch.
func (m *marked) words(s stretch, say func(i int) string) string {
	var text strings.Builder
	for i := s.first; i <= s.last; i++ {
		if i > s.first {
			text.WriteString(joint(m.pieces[s.passage][i-1], m.pieces[s.passage][i]))
		}
		text.WriteString(say(i))
	}
	return text.String()
}

// joint separates neighbouring pieces: a space within a paragraph or item,
// otherwise a new line.
func joint(before, p Piece) string {
	if before.Block == p.Block && p.Kind != Code && p.Kind != Row {
		return " "
	}
	return "\n"
}

// headingOf is the heading of a stretch that begins with an item; "" where none
// is near.
func (m *marked) headingOf(s stretch) string {
	pieces := m.pieces[s.passage]
	if pieces[s.first].Kind != Item {
		return ""
	}
	for i := s.first - 1; i >= 0; i-- {
		if pieces[i].Kind == Heading {
			return m.dated(s.passage, i, strings.TrimRight(m.plain(s.passage, i), ":"))
		}
	}
	levels := strings.Split(m.passages[s.passage].Heading, " > ")
	return m.dated(s.passage, 0, strings.TrimRight(plain(levels[len(levels)-1], Heading), ":"))
}

// short is the reader's short answer within the best piece; nil if it points
// nowhere or at most of the piece.
func (m *marked) short(best candidate) *Citation {
	p := m.pieces[best.passage][best.piece]
	marks := &m.marks.Passages[best.passage]
	at, ok := marks.span(p.Range)
	if r := m.keyed.row(best.passage, best.piece); r != nil && len(r.cells) > 1 {
		at, ok = r.short(marks)
	}
	if !ok || p.Kind == Code || float64(at.End-at.Start) > shortShare*float64(p.End-p.Start) {
		return nil
	}
	c := cite(&m.passages[best.passage], at, p.Kind)
	if p.Kind == Row {
		c.Text = unbarred(c.Text)
	}
	return &c
}

// shortShare is the greatest share of its sentence that a short answer has.
const shortShare = 0.7

// quoted builds an Answer from quotations, each with its passage's number.
type quoted struct {
	Answer
	text strings.Builder
}

// add appends a quotation that begins with a piece of kind first and ends with
// one of kind last: after code the number has a line of its own.
func (q *quoted) add(said string, cited Citation, first, last Kind) {
	if q.text.Len() > 0 {
		q.text.WriteString(separator(first))
	}
	start := q.text.Len()
	q.text.WriteString(said)
	mark := " [" + strconv.Itoa(cited.N) + "]"
	if last == Code {
		mark = "\n" + mark[1:]
	}
	q.text.WriteString(mark)
	q.Sentences = append(q.Sentences, Sentence{Range: Range{Start: start, End: q.text.Len()}, Citations: []int{cited.N}})
	q.Citations = append(q.Citations, cited)
}

func (q *quoted) answer() Answer {
	q.Text = q.text.String()
	return q.Answer
}

// Quoted returns the quoted passages cut to the quotations, for a model to
// write from. They have no line numbers.
func (a *Answer) Quoted(passages []Passage) []Passage {
	var found []Passage
	for i, s := range a.Sentences {
		number := s.Citations[0]
		said := strings.TrimRight(strings.TrimSuffix(a.Text[s.Start:s.End], "["+strconv.Itoa(number)+"]"), " \n")
		at := slices.IndexFunc(found, func(p Passage) bool { return p.Number == number })
		if at >= 0 {
			found[at].Text += "\n" + said
			continue
		}
		p := Passage{Number: number, Path: a.Citations[i].Path, Text: said}
		if at := slices.IndexFunc(passages, func(p Passage) bool { return p.Number == number }); at >= 0 {
			p.Heading, p.Score = passages[at].Heading, passages[at].Score
		}
		found = append(found, p)
	}
	return found
}

// separator precedes a quotation that begins with kind k.
func separator(k Kind) string {
	if k == Prose {
		return " "
	}
	return "\n"
}
