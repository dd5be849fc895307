package answer

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Example is a question whose answer is known.
type Example struct {
	Question string
	Passages []Passage
	Answers  []string // equally right ones; none where the passages do not answer
	Gold     int      // Number of the passage that answers; 0 for none
	Group    string   // examples that must not be in training and test at once
}

// FitOptions say how a model is fitted.
type FitOptions struct {
	Analyzer Analyzer
	Texts    []string // general text, for the rarity of terms
	Epochs   int      // passes over the examples
	Rate     float64  // of learning
	Decay    float64  // of weights at each update
	Folds    int      // parts of the cross-validation
	Seed     uint64
	// Threshold chooses the support below which answers are declined, from
	// supports of held-out examples and whether these are answered by their
	// passages.
	Threshold func(support []float64, answerable []bool) float64
}

// FitReport is what cross-validation saw: of each example its held-out answer
// and support.
type FitReport struct {
	Answers []Answer // in the order of the examples
	Weights [supportFeatures]float32
}

// Fit fits a model to examples. Support and its threshold are fitted to
// scores of models that have not seen the example's group.
func Fit(examples []Example, o FitOptions) (*Model, *FitReport, error) {
	base := &Model{}
	base.countTerms(o.Texts, o.Analyzer)
	cases := make([]fitCase, len(examples))
	for i, e := range examples {
		cases[i] = newCase(base, e, o.Analyzer)
	}
	fold := foldsOf(examples, o.Folds)
	inputs := make([][supportFeatures]float64, len(cases))
	answerable := make([]bool, len(cases))
	held := make([]*scored, len(cases))
	for f := range o.Folds {
		m := *base
		m.fitWeights(cases, func(i int) bool { return fold[i] != f }, o)
		for i := range cases {
			if fold[i] == f {
				held[i] = m.score(cases[i].r, nil)
				inputs[i] = held[i].features()
				answerable[i] = examples[i].Gold > 0
			}
		}
	}
	base.support.fit(inputs, answerable)
	support := make([]float64, len(cases))
	for i := range inputs {
		support[i] = base.support.probability(inputs[i])
	}
	base.support.Threshold = float32(o.Threshold(support, answerable))
	report := &FitReport{Answers: make([]Answer, len(cases)), Weights: base.support.Weights}
	for i, s := range held {
		report.Answers[i] = base.compose(s)
	}
	base.fitWeights(cases, func(int) bool { return true }, o)
	return base, report, nil
}

// foldsOf deals groups out to folds, in order of first appearance.
func foldsOf(examples []Example, folds int) []int {
	of := make(map[string]int)
	dealt := make([]int, len(examples))
	for i, e := range examples {
		if _, ok := of[e.Group]; !ok {
			of[e.Group] = len(of) % folds
		}
		dealt[i] = of[e.Group]
	}
	return dealt
}

// fitCase is an example in the form that weights are fitted to.
type fitCase struct {
	r         *reading
	parts     [][]uint16 // features of each part
	holds     []float64  // 1 for parts that hold the answer
	spans     []span
	agreement []float64 // F1 of each span with the answers
	learnable bool
}

func newCase(m *Model, e Example, analyzer Analyzer) fitCase {
	c := fitCase{r: m.read(e.Question, e.Passages, analyzer)}
	if e.Gold == 0 {
		return c
	}
	var answers [][]string
	for _, a := range e.Answers {
		answers = append(answers, Normalize(a))
	}
	c.parts, c.holds = make([][]uint16, len(c.r.parts)), make([]float64, len(c.r.parts))
	for i := range c.r.parts {
		p := &c.r.parts[i]
		c.parts[i] = c.r.sentenceFeatures(nil, p)
		if passage := &e.Passages[p.passage]; passage.Number == e.Gold {
			c.holds[i] = holds(Normalize(passage.Text[p.Start:p.End]), answers)
			c.learnable = c.learnable || c.holds[i] > 0
		}
	}
	for _, n := range c.r.spanParts() {
		for _, s := range c.r.spans(n) {
			agreement := 0.0
			if c.holds[n] > 0 {
				agreement = bestF1(Normalize(c.r.words(&c.r.parts[n], s.first, s.count)), answers)
			}
			c.spans, c.agreement = append(c.spans, s), append(c.agreement, agreement)
		}
	}
	return c
}

// holds is 1 when words hold one of the answers as a run.
func holds(words []string, answers [][]string) float64 {
	for _, a := range answers {
		for i := 0; len(a) > 0 && i+len(a) <= len(words); i++ {
			if slices.Equal(words[i:i+len(a)], a) {
				return 1
			}
		}
	}
	return 0
}

// fitWeights fits both tables of weights to the chosen cases.
func (m *Model) fitWeights(cases []fitCase, chosen func(int) bool, o FitOptions) {
	sentence, spans := newLearner(o), newLearner(o)
	var order []int
	for i := range cases {
		if chosen(i) && cases[i].learnable {
			order = append(order, i)
		}
	}
	rng := rand.New(rand.NewPCG(o.Seed, 1))
	for range o.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			c := &cases[i]
			sentence.learn(c.holds, func(k int) [2][]uint16 { return [2][]uint16{c.parts[k]} })
			spans.learn(c.agreement, func(k int) [2][]uint16 { return [2][]uint16{c.parts[c.spans[k].part], c.spans[k].active} })
		}
	}
	sentence.quantize(&m.sentence)
	spans.quantize(&m.span)
}

// keptTerms bounds the table of rarities.
const keptTerms = 6000

// countTerms fills the table of rarities: ln(texts / texts that hold a term).
func (m *Model) countTerms(texts []string, analyzer Analyzer) {
	counts := make(map[string]int)
	var terms []string
	for _, text := range texts {
		terms = analyzer.Append(terms[:0], text)
		slices.Sort(terms)
		for _, t := range slices.Compact(terms) {
			counts[t]++
		}
	}
	kept := make([]string, 0, len(counts))
	for t := range counts {
		kept = append(kept, t)
	}
	slices.SortFunc(kept, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		if a < b {
			return -1
		}
		return 1
	})
	kept = kept[:min(len(kept), keptTerms)]
	m.rarity = make(map[string]uint8, len(kept))
	for _, t := range kept {
		weight := math.Log(float64(len(texts)) / float64(counts[t]))
		m.rarity[t] = uint8(min(max(math.Round(16*weight), 1), 255))
		m.unknown = max(m.unknown, m.rarity[t])
	}
}

// fit fits the regression by gradient descent on the mean loss.
func (m *supportModel) fit(inputs [][supportFeatures]float64, positive []bool) {
	var w [supportFeatures]float64
	total := float64(len(inputs))
	for range 3000 {
		var slope [supportFeatures]float64
		m.set(w)
		for i := range inputs {
			miss := m.probability(inputs[i])
			if positive[i] {
				miss--
			}
			for k, x := range inputs[i] {
				slope[k] += miss * x / total
			}
		}
		for k := range w {
			w[k] -= 1.0 * (slope[k] + 1e-4*w[k])
		}
	}
	m.set(w)
}

func (m *supportModel) set(w [supportFeatures]float64) {
	for k := range w {
		m.Weights[k] = float32(w[k])
	}
}
