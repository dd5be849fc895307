package answer

import "math"

// learner fits the weights of one table by AdaGrad (Duchi, Hazan, Singer,
// "Adaptive Subgradient Methods", 2011) and gives their mean over all steps
// (Polyak, Juditsky, "Acceleration of Stochastic Approximation by Averaging",
// 1992).
type learner struct {
	weights []float64
	squares []float64 // of slopes, summed
	total   []float64 // of weights over steps, up to since
	since   []int     // the step at which a weight last changed
	step    int
	rate    float64
	decay   float64
	slope   []float64
	touched []uint16
	scores  []float64
}

func newLearner(o FitOptions) *learner {
	return &learner{
		weights: make([]float64, features), squares: make([]float64, features),
		total: make([]float64, features), since: make([]int, features), slope: make([]float64, features),
		rate: o.Rate, decay: o.Decay,
	}
}

// learn takes a step down the slope of -log(sum of probability * value), where
// active gives the features of each alternative, in two lists.
func (l *learner) learn(value []float64, active func(int) [2][]uint16) {
	l.scores = l.scores[:0]
	for i := range value {
		score := 0.0
		for _, list := range active(i) {
			for _, f := range list {
				score += l.weights[f]
			}
		}
		l.scores = append(l.scores, score)
	}
	p := softmax(l.scores)
	expected := 0.0
	for i := range p {
		expected += p[i] * value[i]
	}
	if expected < 1e-12 {
		return
	}
	for i := range p {
		slope := p[i] * (1 - value[i]/expected)
		if math.Abs(slope) < 1e-4 {
			continue
		}
		for _, list := range active(i) {
			for _, f := range list {
				if l.slope[f] == 0 {
					l.touched = append(l.touched, f)
				}
				l.slope[f] += slope
			}
		}
	}
	l.descend()
}

// descend moves the touched weights.
func (l *learner) descend() {
	l.step++
	for _, f := range l.touched {
		slope := l.slope[f]
		if slope == 0 {
			continue // noted twice, or in balance
		}
		l.slope[f] = 0
		slope += l.decay * l.weights[f]
		l.total[f] += l.weights[f] * float64(l.step-l.since[f])
		l.since[f] = l.step
		l.squares[f] += slope * slope
		l.weights[f] -= l.rate * slope / (math.Sqrt(l.squares[f]) + 1e-6)
	}
	l.touched = l.touched[:0]
}

// quantize writes the mean weights.
func (l *learner) quantize(dst *[features]int16) {
	for i, w := range l.weights {
		if l.step > 0 {
			w = (l.total[i] + w*float64(l.step-l.since[i])) / float64(l.step)
		}
		dst[i] = int16(math.Round(min(max(w/weightScale, math.MinInt16), math.MaxInt16)))
	}
}
