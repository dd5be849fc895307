package draft

// trust is how far the counters' probabilities hold in this text: an answer
// from the model's knowledge takes less from the sources than one that copies.
// It is the ratio of right to expected guesses, overall and by source and
// depth, with a prior of a few guesses.
type trust struct {
	all   tally
	kinds [int(sources) * trustDepths]tally
}

// tally counts expected and right guesses, fading with age.
type tally struct {
	expected, came float32
}

const (
	// trustDepths are the depths told apart; the last one covers all below.
	trustDepths = 3
	// allPrior and kindPrior are a tally's initial guesses.
	allPrior  = 2
	kindPrior = 4
	// trustDecay is the fading of a guess with every later one.
	trustDecay = 0.99
)

func (t tally) ratio(prior, before float32) float32 {
	return (t.came + prior*before) / (t.expected + prior)
}

func (t *tally) add(expected float32, came bool) {
	t.expected = trustDecay*t.expected + expected
	t.came *= trustDecay
	if came {
		t.came++
	}
}

func kindOf(from source, depth int) int {
	return int(from)*trustDepths + min(depth, trustDepths-1)
}

// factor returns what a probability is multiplied by.
func (t *trust) factor(from source, depth int) float32 {
	return t.kinds[kindOf(from, depth)].ratio(kindPrior, t.all.ratio(allPrior, 1))
}

// learn adds a guess, its expected probability and whether it came true.
func (t *trust) learn(from source, depth int, expected float32, came bool) {
	t.all.add(expected, came)
	t.kinds[kindOf(from, depth)].add(expected, came)
}
