package answer

import (
	"slices"
)

// maxSpan bounds a short answer, in tokens.
const maxSpan = 8

// maxSpanParts is in how many parts short answers are looked for.
const maxSpanParts = 10

// span is a run of tokens of a part that may be a short answer.
type span struct {
	part   int // index in reading.parts
	first  int // token
	count  int
	active []uint16 // features of its own, those of its part apart
}

// spanParts chooses the parts in which short answers are looked for: the best
// by coverage.
func (r *reading) spanParts() []int {
	var chosen []int
	for i := range r.parts {
		p := &r.parts[i]
		if p.rank < maxSpanParts && p.Kind != Heading && p.Kind != Code {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// spans lists the runs of a part that read like an answer, with features.
func (r *reading) spans(n int) []span {
	p := &r.parts[n]
	var found []span
	s := spanScanner{r: r, p: p}
	for first := range p.tokens {
		if !canBegin(p.tokens[first].class) {
			continue
		}
		for count := 1; count <= maxSpan && first+count <= len(p.tokens); count++ {
			last := p.tokens[first+count-1].class
			if endsRun(last) {
				break
			}
			if !canEnd(last) {
				continue
			}
			if !r.isNews(p.tokens[first : first+count]) {
				continue
			}
			found = append(found, span{n, first, count, s.describe(first, count)})
		}
	}
	return found
}

// isNews says whether a run holds a word that the question does not.
func (r *reading) isNews(run []token) bool {
	for i := range run {
		if run[i].match < 1 && !run[i].class.isOwn() {
			return true
		}
	}
	return false
}

var (
	endings = classSet(`; : ( ) [ ] “ ” " ! ? . is are was were has had`)
	// Articles are not part of an answer when it is compared with another.
	breaksClause = classSet(`, ; : ( ) - – — "`)
	notFirst     = classSet(`a an the and or but nor , - – — ' ’ % / * $ & of that which who whom whose where when`)
	notLast      = classSet(`a an the and or but nor , - – — ' ’ / * $ & of in on at by for from to with into onto as than
		his her its their our my your that which who whom whose where when while although though because if is are
		was were be been being has have had will would can could may might must`)
)

func classSet(words string) [256]bool {
	var set [256]bool
	for w := range wordSet(words) {
		set[ownClasses[w]] = true
	}
	set[noClass] = false
	return set
}

func endsRun(c class) bool  { return endings[c] }
func canBegin(c class) bool { return !notFirst[c] && !endings[c] && c != classPunctuation }
func canEnd(c class) bool   { return !notLast[c] && c != classPunctuation }

// spanScanner describes the runs of one part.
type spanScanner struct {
	r *reading
	p *part
}

func (s *spanScanner) class(at int) int {
	if at < 0 || at >= len(s.p.tokens) {
		return int(noClass)
	}
	return int(s.p.tokens[at].class)
}

// term is the stem of a token as a value of a feature, or its class where it
// has none.
func (s *spanScanner) term(at int) int {
	if at < 0 || at >= len(s.p.tokens) || s.p.tokens[at].term == "" {
		return s.class(at)
	}
	return stringValue(s.p.tokens[at].term)
}

// describe lists the features of a run.
func (s *spanScanner) describe(first, count int) []uint16 {
	q, tokens := s.r.q, s.p.tokens
	run, asks, end := tokens[first:first+count], int(q.kind), first+count
	shape := form(run)
	left, right := s.class(first-1), s.class(end)
	begins, ends := s.class(first), s.class(end-1)
	length := min(count, 8)
	dst := make([]uint16, 0, 40)
	dst = append(dst,
		feature(spanForm, shape, asks, 0),
		feature(spanForm, shape, asks, length),
		feature(spanLength, length, asks, 0),
		feature(spanLeft, left, begins, 0),
		feature(spanRight, right, ends, 0),
		feature(spanLeftAsked, left, asks, 0),
		feature(spanRightAsked, right, asks, 0),
		feature(spanFirst, begins, asks, 0),
		feature(spanLast, ends, asks, 0),
		feature(spanNameCut, s.nameCut(first, end), 0, 0),
		feature(spanEdge, cond(first == 0, 1, 0), cond(end >= len(tokens)-1, 1, 0), asks),
		feature(spanLeftTwo, s.class(first-2), left, 0),
		feature(spanRightTwo, right, s.class(end+1), 0),
	)
	if q.focus != "" {
		focus := stringValue(q.focus)
		dst = append(dst, feature(spanFocusForm, shape, focus, 0),
			feature(spanFocusNear, s.focusNear(first, end), asks, 0),
			feature(spanFocusLast, focus, stringValue(run[count-1].term), 0))
	}
	dst = s.insideFeatures(dst, run)
	return s.distanceFeatures(dst, first, end, shape)
}

// nameCut says whether a run begins or ends within a name or a number.
func (s *spanScanner) nameCut(first, end int) int {
	cut := 0
	if joined(s.class(first-1), s.class(first)) {
		cut = 1
	}
	if joined(s.class(end-1), s.class(end)) {
		cut += 2
	}
	return cut
}

// joined says whether two neighbouring tokens are of one name or number.
func joined(a, b int) bool {
	x, y := class(a), class(b)
	name := func(c class) bool { return c.isName() || c == classFirst || c == classMixed }
	number := func(c class) bool {
		return c.isNumeric() || c == classNumberWord || c == classMagnitude || c == classMonth
	}
	return name(x) && name(y) || number(x) && number(y)
}

// focusNear says where the noun after what or which stands: 1 within the
// run, 2 right before, 3 right after, 4 near, 0 elsewhere.
func (s *spanScanner) focusNear(first, end int) int {
	tokens, focus := s.p.tokens, s.r.q.focus
	near := 0
	for i := max(first-3, 0); i < min(end+3, len(tokens)); i++ {
		if tokens[i].term != focus {
			continue
		}
		switch {
		case i == end-1:
			return 5
		case i >= first && i < end:
			return 1
		case i == first-1:
			near = 2
		case i == end:
			near = 3
		case near == 0:
			near = 4
		}
	}
	return near
}

// insideFeatures tells what a run is made of.
func (s *spanScanner) insideFeatures(dst []uint16, run []token) []uint16 {
	asked, content, given, weight := 0, 0, 0, 0.0
	for i := range run {
		if i > 0 && i+1 < len(run) && run[i].class.isOwn() {
			f := feature(spanInside, int(run[i].class), min(len(run), 5), 0)
			if !slices.Contains(dst, f) {
				dst = append(dst, f)
			}
		}
		if run[i].class.isOwn() {
			continue
		}
		content++
		weight += run[i].weight
		if s.r.held[s.p.passage].terms[run[i].term] {
			given++
		}
		if run[i].match == 1 {
			asked++
		}
	}
	return append(dst,
		feature(spanAsked, min(asked, 3), min(content, 4), 0),
		feature(spanAsked, min(asked, 2), int(s.r.q.kind), 1),
		feature(spanInside, content, len(run), 1),
		feature(spanGiven, min(given, 3), min(content, 3), 0),
		feature(spanRarity, int(weight/float64(max(content, 1))), int(s.r.q.kind), 0),
		feature(spanRarity, int(weight/float64(max(content, 1))), form(run), 1))
}

// distanceFeatures tells how far the question's words are from a run.
func (s *spanScanner) distanceFeatures(dst []uint16, first, end, shape int) []uint16 {
	tokens, q := s.p.tokens, s.r.q
	asks := int(q.kind)
	left, leftPlace, right, rightPlace := 9, 8, 9, 8
	leftName, rightName := 0, 0
	breaks := 0
	for i := first - 1; i >= 0 && first-i < 9; i-- {
		breaks |= cond(breaksClause[tokens[i].class], 1, 0)
		if tokens[i].match > 0 {
			t := &q.terms[tokens[i].asked]
			left, leftPlace, leftName = first-i, t.place, cond(t.name, 2, 1)
			break
		}
	}
	for i := end; i < len(tokens) && i-end < 8; i++ {
		breaks |= cond(breaksClause[tokens[i].class], 2, 0)
		if tokens[i].match > 0 {
			t := &q.terms[tokens[i].asked]
			right, rightPlace, rightName = i-end+1, t.place, cond(t.name, 2, 1)
			break
		}
	}
	window, whole := 0.0, 0.0
	seen := uint64(0)
	for i := max(first-6, 0); i < min(end+6, len(tokens)); i++ {
		if t := &tokens[i]; t.match > 0 && (i < first || i >= end) && seen&(1<<(t.asked&63)) == 0 {
			seen |= 1 << (t.asked & 63)
			window += t.match * q.terms[t.asked].weight
		}
	}
	if q.total > 0 {
		whole = window / q.total
	}
	return append(dst,
		feature(spanDistance, left, right, 0),
		feature(spanDistance, min(left, right), asks, 1),
		feature(spanWindow, bucket(whole), 0, 0),
		feature(spanNamed, leftName*3+rightName, min(left, 4)*8+min(right, 4), asks),
		feature(spanNamed, leftName*3+rightName, shape, 1<<8),
		feature(spanLeftTerm, asks, s.term(first-1), 0),
		feature(spanRightTerm, asks, s.term(end), 0),
		feature(spanClause, breaks, min(left, right), 0),
		feature(spanFormNear, shape, min(left, right)/2, 0),
		feature(spanLeftPlace, leftPlace, left/2, asks),
		feature(spanRightPlace, rightPlace, right/2, asks),
	)
}
