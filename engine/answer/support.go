package answer

// supportFeatures counts what the support of an answer is judged by.
const supportFeatures = 14

// supportModel is a logistic regression: how likely passages answer a
// question.
type supportModel struct {
	Weights   [supportFeatures]float32 // the first is of the constant 1
	Threshold float32                  // below it the answer is declined
}

// probability is the support of what has these features.
func (m *supportModel) probability(x [supportFeatures]float64) float64 {
	z := 0.0
	for i, w := range m.Weights {
		z += float64(w) * x[i]
	}
	return logistic(z)
}
