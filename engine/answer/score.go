package answer

import (
	"math"
	"slices"
)

// scored is a reading with what a model says of it.
type scored struct {
	*reading
	sentence []float64 // probability of each part to hold the answer
	raw      []float64 // score of each part, before probabilities
	spans    []span
	chance   []float64 // probability of each span
	topSpan  float64   // best score of a span
	best     int       // the part that answers best, -1 where there is none
	short    int       // the best span within the best part, -1 where there is none
	shortF1  float64   // what it shares with all others, weighted by their probabilities
}

// cosineWeight is what a sentence's closeness in meaning adds to its score,
// for each unit of cosine above the mean of the sentences compared.
const cosineWeight = 6

// score rates the parts and spans of a reading. cosine, when not nil, tells
// how close in meaning each part is, above the mean.
func (m *Model) score(r *reading, cosine []float64) *scored {
	s := &scored{reading: r, best: -1, short: -1}
	var active []uint16
	shared := make([]int, len(r.parts)) // of the span model
	s.raw = make([]float64, len(r.parts))
	for i := range r.parts {
		active = r.sentenceFeatures(active[:0], &r.parts[i])
		s.raw[i] = float64(sum(&m.sentence, active)) * weightScale
		shared[i] = sum(&m.span, active)
		if cosine != nil {
			s.raw[i] += cosineWeight * cosine[i]
		}
		s.raw[i] += r.kindScore(i) + r.prior(i)
	}
	s.sentence = softmax(s.raw)
	var scores []float64
	for _, n := range r.spanParts() {
		for _, found := range r.spans(n) {
			score := float64(shared[n]+sum(&m.span, found.active)) * weightScale
			if cosine != nil {
				score += cosineWeight * cosine[n]
			}
			s.spans = append(s.spans, found)
			scores = append(scores, score)
			s.topSpan = max(s.topSpan, score)
		}
	}
	s.chance = softmax(scores)
	s.choose()
	return s
}

// What the kind of a part adds to its score, where the weights, fitted to
// articles, do not know.
const (
	headingPenalty = 8 // a heading answers only where nothing else can
	codeBonus      = 3 // who asks how to do something wants the command
)

func (r *reading) kindScore(i int) float64 {
	p := &r.parts[i]
	if p.Kind == Heading || isLink(r.passages[p.passage].Text, p.Piece) {
		return -headingPenalty
	}
	leads := i+1 < len(r.parts) && r.parts[i+1].passage == p.passage && r.parts[i+1].Kind == Code
	if r.q.kind == asksToDo && (leads || r.code(p)) {
		return codeBonus
	}
	return 0
}

// prior is the logarithm of how much less often than the first passage of a
// search the passage of a part holds the answer: the n-th does 1/n as often, or
// 1/n^2 where the question is how to do something, which notes are named after.
func (r *reading) prior(i int) float64 {
	below := math.Log(float64(1 + r.held[r.parts[i].passage].below))
	if r.q.kind == asksToDo {
		below *= 2
	}
	return -below
}

// softmax turns scores into probabilities.
func softmax(scores []float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	top, total := math.Inf(-1), 0.0
	for _, v := range scores {
		top = max(top, v)
	}
	p := make([]float64, len(scores))
	for i, v := range scores {
		p[i] = math.Exp(v - top)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// riskSpans is how many of the likeliest spans are compared with each other.
const riskSpans = 48

// choose picks the part and, within it, the span.
func (s *scored) choose() {
	if len(s.parts) == 0 {
		return
	}
	total := slices.Clone(s.sentence)
	if s.q.short() {
		for i, p := range s.chance {
			total[s.spans[i].part] += p
		}
	}
	s.best = 0
	for i, t := range total {
		if t > total[s.best] {
			s.best = i
		}
	}
	s.chooseSpan()
}

// chooseSpan takes the span of the best part that shares most words with the
// likely spans of all parts, weighted by their probability.
func (s *scored) chooseSpan() {
	order := rankBy(len(s.spans), func(i int) float64 { return s.chance[i] })
	order = order[:min(len(order), riskSpans)]
	words := make([][]string, len(order))
	for k, i := range order {
		sp := &s.spans[i]
		words[k] = Normalize(s.words(&s.parts[sp.part], sp.first, sp.count))
	}
	for k, i := range order {
		if s.spans[i].part != s.best {
			continue
		}
		shared := 0.0
		for j, other := range order {
			shared += s.chance[other] * F1(words[k], words[j])
		}
		if s.short < 0 || shared > s.shortF1 {
			s.short, s.shortF1 = i, shared
		}
	}
}

// features are what the support of the answer is judged by.
func (s *scored) features() [supportFeatures]float64 {
	x := [supportFeatures]float64{1}
	if s.best < 0 {
		return x
	}
	p := &s.parts[s.best]
	h := s.held[p.passage]
	top := 0.0
	for _, other := range s.held {
		top = max(top, other.coverage)
	}
	x[1] = p.coverage
	x[2] = p.nearby
	x[3] = h.coverage
	x[4] = top
	x[5] = s.raw[s.best] / 8
	x[6] = s.topSpan / 8
	x[7] = s.sentence[s.best]
	x[8] = s.shortF1
	x[9] = float64(s.missingNames(h.names))
	if !s.suits(p) {
		x[10] = 1
	}
	x[11] = s.q.total * (1 - h.coverage) / 10
	x[12] = 1 / float64(1+len(s.q.terms))
	x[13] = h.missing / 10
	return x
}

// suits says whether a part holds a thing of the kind that the question asks
// for and that is not the question's own: a name, or a number.
func (s *scored) suits(p *part) bool {
	for i := range p.tokens {
		t := &p.tokens[i]
		name := t.class.isName() || t.class == classFirst || t.class == classMixed
		number := t.class.isNumeric() || t.class == classNumberWord || t.class == classMagnitude
		if t.match == 1 {
			continue
		}
		switch s.q.kind {
		case asksWho, asksPerson:
			if name {
				return true
			}
		case asksHowMany, asksHowMuch, asksShare, asksYear, asksHowLong:
			if number {
				return true
			}
		case asksWhen:
			if number || t.class == classMonth || t.class == classWeekday {
				return true
			}
		default:
			return true
		}
	}
	return false
}
