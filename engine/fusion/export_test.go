package fusion

// Combine returns the sum of two ranked lists under weights that the test chooses.
func Combine(lexical, vector []Scored, w Weights) []Scored {
	lexical, vector = ranked(lexical), ranked(vector)
	return combine(relative(lexical), vector, lexicalFloor(lexical), w)
}

// Standout returns the feature of a list in any order.
func Standout(list []Scored) float64 { return standout(ranked(list)) }
