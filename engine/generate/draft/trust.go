package draft

// trust is how far the probabilities of counters hold in the text at hand: an
// answer that tells what it knows takes less of what the sources offer than one
// that copies, whatever the evidence says. It is the number of guesses that came
// true over the number that was expected to, in all and for each source and
// depth, with a prior of a few guesses that come as often as expected.
type trust struct {
	all   tally
	kinds [int(sources) * trustDepths]tally
}

// tally is how many guesses were expected to come true and how many did, of
// which old ones count less and less.
type tally struct {
	expected, came float32
}

const (
	// trustDepths are the depths that are told apart; the last stands for all
	// below it.
	trustDepths = 3
	// allPrior and kindPrior are the guesses that a tally begins with.
	allPrior  = 2
	kindPrior = 4
	// trustDecay is how much less a guess counts with every later one.
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

// learn takes a guess, the probability with which it was expected to come true, and
// whether it did.
func (t *trust) learn(from source, depth int, expected float32, came bool) {
	t.all.add(expected, came)
	t.kinds[kindOf(from, depth)].add(expected, came)
}
