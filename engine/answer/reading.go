package answer

import (
	"strings"
)

// reading is a question and its passages, cut up and compared.
type reading struct {
	q           *question
	passages    []Passage
	parts       []part  // all pieces of all passages, in order
	held        []held  // by passage
	topCoverage float64 // of a part
	weigh       func(term string) float64
}

// part is a piece of a passage.
type part struct {
	Piece
	passage  int // index in passages
	index    int // among the pieces of its passage
	tokens   []token
	coverage float64 // share of the question's weight that it holds
	nearby   float64 // with its neighbours
	pairs    int     // pairs of neighbouring terms of the question that are close here
	names    int     // names of the question that it holds
	rarest   int     // which of the three rarest terms it holds, as bits
	rank     int     // by coverage, from 0, among all parts
}

// held is what a whole passage and its headings hold of a question.
type held struct {
	coverage float64
	heading  float64
	names    int // of the question, heading included
	rarest   int
	terms    map[string]bool // of the heading
	missing  float64         // weight of the rarest term of the question that is in none of it
	rank     int             // by coverage, from 0
	below    int             // how many passages retrieval scores higher
}

// minPrefix is the length from which words that begin alike count as related:
// inventor and invention.
const minPrefix = 5

// relatedMatch is how much a related word counts.
const relatedMatch = 0.5

// read cuts up passages and compares them with the question.
func (m *Model) read(question string, passages []Passage, analyzer Analyzer) *reading {
	q := parseQuestion(question, analyzer, m.weigh)
	r := &reading{q: q, passages: passages, held: make([]held, len(passages)), weigh: m.weigh}
	for i, p := range passages {
		r.readPassage(i, p, analyzer)
	}
	order := rankBy(len(r.parts), func(i int) float64 { return r.parts[i].nearby + r.parts[i].coverage })
	for rank, i := range order {
		r.parts[i].rank = rank
	}
	if len(order) > 0 {
		for i := range r.parts {
			r.topCoverage = max(r.topCoverage, r.parts[i].coverage)
		}
	}
	for rank, i := range rankBy(len(passages), func(i int) float64 { return r.held[i].coverage }) {
		r.held[i].rank = rank
		for _, other := range passages {
			if other.Score > passages[i].Score {
				r.held[i].below++
			}
		}
	}
	return r
}

func (r *reading) readPassage(i int, p Passage, analyzer Analyzer) {
	headingTerms := make(map[string]bool)
	for _, t := range analyzer.Append(nil, p.Heading) {
		headingTerms[t] = true
	}
	heading := r.matches(analyzer.Append(nil, p.Heading))
	all := append([]float64(nil), heading...)
	first := len(r.parts)
	var each [][]float64
	for n, piece := range Split(p.Text) {
		part := part{Piece: piece, passage: i, index: n}
		matched := r.fill(&part, p.Text, analyzer)
		part.coverage = r.coverage(matched)
		part.names = r.names(matched)
		part.rarest = r.rarest(matched)
		merge(all, matched)
		each = append(each, matched)
		r.parts = append(r.parts, part)
	}
	for n := range each {
		near := append([]float64(nil), each[n]...)
		if n > 0 {
			merge(near, each[n-1])
		}
		if n+1 < len(each) {
			merge(near, each[n+1])
		}
		r.parts[first+n].nearby = r.coverage(near)
	}
	r.held[i] = held{coverage: r.coverage(all), heading: r.coverage(heading), names: r.names(all), rarest: r.rarest(all), terms: headingTerms}
	for n, m := range all {
		if m == 0 {
			r.held[i].missing = max(r.held[i].missing, r.q.terms[n].weight)
		}
	}
}

// fill cuts a part into tokens and returns to what degree it holds each term
// of the question.
func (r *reading) fill(p *part, text string, analyzer Analyzer) []float64 {
	p.tokens = tokenize(text, p.Range)
	matched := make([]float64, len(r.q.terms))
	var terms []string
	last, lastAt := -1, -10
	for i := range p.tokens {
		t := &p.tokens[i]
		word := text[t.Start:t.End]
		t.class = classify(word, i == 0)
		terms = analyzer.Append(terms[:0], word)
		for k, term := range terms {
			if k == 0 {
				t.term, t.weight = term, r.weigh(term)
			}
			asked, degree := r.q.match(term)
			if degree > t.match {
				t.match, t.asked = degree, asked
			}
			if degree > 0 {
				matched[asked] = max(matched[asked], degree)
			}
		}
		if t.match > 0 {
			if t.asked == last+1 && i-lastAt <= 3 {
				p.pairs++
			}
			last, lastAt = t.asked, i
		}
	}
	return matched
}

// matches tells to what degree terms hold each term of the question.
func (r *reading) matches(terms []string) []float64 {
	matched := make([]float64, len(r.q.terms))
	for _, term := range terms {
		if asked, degree := r.q.match(term); degree > 0 {
			matched[asked] = max(matched[asked], degree)
		}
	}
	return matched
}

// match finds the term of the question that a term equals or is related to.
func (q *question) match(term string) (asked int, degree float64) {
	for i := range q.terms {
		if q.terms[i].term == term {
			return i, 1
		}
	}
	if len(term) < minPrefix {
		return 0, 0
	}
	for i := range q.terms {
		other := q.terms[i].term
		if len(other) >= minPrefix && related(term, other) {
			return i, relatedMatch
		}
	}
	return 0, 0
}

// related says whether two terms begin alike for most of their length.
func related(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= minPrefix && 3*n >= 2*max(len(a), len(b))
}

// coverage is the share of the question's weight in matched terms.
func (r *reading) coverage(matched []float64) float64 {
	if r.q.total == 0 {
		return 0
	}
	held := 0.0
	for i, m := range matched {
		held += m * r.q.terms[i].weight
	}
	return held / r.q.total
}

func (r *reading) names(matched []float64) int {
	n := 0
	for i, m := range matched {
		if r.q.terms[i].name && m == 1 {
			n++
		}
	}
	return n
}

// rarest tells, as bits, which of the three rarest terms are matched.
func (r *reading) rarest(matched []float64) int {
	bits := 0
	for i, m := range matched {
		if rank := r.q.terms[i].rank; m > 0 && rank < 3 {
			bits |= 1 << rank
		}
	}
	return bits
}

// merge raises each value of dst to that of src.
func merge(dst, src []float64) {
	for i, v := range src {
		dst[i] = max(dst[i], v)
	}
}

// rankBy gives 0..n-1 by descending score; equal ones stay in order.
func rankBy(n int, score func(int) float64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sortStable(order, score)
	return order
}

// words gives the text of some of a part's tokens.
func (r *reading) words(p *part, first, count int) string {
	text := r.passages[p.passage].Text
	return text[p.tokens[first].Start:p.tokens[first+count-1].End]
}

// code says whether a text looks like something to type in: a piece of code,
// or a sentence with some between backticks.
func (r *reading) code(p *part) bool {
	text := r.passages[p.passage].Text[p.Start:p.End]
	return p.Kind == Code || strings.Count(text, "`") >= 2
}
