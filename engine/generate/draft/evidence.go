package draft

type source uint8

const (
	fromText        source = iota // the longest suffix that occurs earlier in this text
	fromHistory                   // the longest suffix that occurs in past answers
	fromCalibration               // the model's own successors
	sources
)

const (
	lengthBuckets = 8
	shareBuckets  = 8
)

// evidence is what is known of a drafted token before verification; equal
// evidence shares a counter.
type evidence uint16

const evidences = int(sources) * lengthBuckets * shareBuckets

func (e evidence) source() source { return source(e / (lengthBuckets * shareBuckets)) }

// matched returns the evidence of a token that followed a match of that length
// in count of total cases; latest: it did the last time.
func matched(from source, length, count, total int32, latest bool) evidence {
	return evidence((int(from)*lengthBuckets+lengthBucket(length))*shareBuckets + shareBucket(count, total, latest))
}

func lengthBucket(length int32) int {
	switch {
	case length <= 4:
		return max(int(length)-1, 0)
	case length <= 6:
		return 4
	case length <= 9:
		return 5
	case length <= 15:
		return 6
	default:
		return 7
	}
}

func shareBucket(count, total int32, latest bool) int {
	switch {
	case count == total && count > 1:
		return 7
	case count == total:
		return 6
	case 2*count >= total && latest:
		return 5
	case 2*count >= total:
		return 4
	case latest:
		return 3
	case 4*count >= total:
		return 2
	case 10*count >= total:
		return 1
	default:
		return 0
	}
}

// calibrated returns the evidence of a token at a depth of the calibrated tree,
// with its probability given its parent.
func calibrated(probability float32, depth int) evidence {
	share := min(int(probability*shareBuckets), shareBuckets-1)
	return evidence((int(fromCalibration)*lengthBuckets+min(depth, lengthBuckets-1))*shareBuckets + share)
}

// counters learn how often drafted tokens are accepted: a Beta distribution per
// source, match length and share. They begin with priors from replays and learn
// from every verified step.
type counters struct {
	accepted [evidences]float32
	trials   [evidences]float32
}

// mostTrials bounds the past's weight: old trials fade.
const mostTrials = 2000

func newCounters() *counters {
	c := &counters{}
	for i := range c.trials {
		e := evidence(i)
		c.trials[i] = priorTrials(e)
		c.accepted[i] = prior(e) * c.trials[i]
	}
	return c
}

// probability returns the distribution's mean.
func (c *counters) probability(e evidence) float32 { return c.accepted[e] / c.trials[e] }

func (c *counters) learn(e evidence, accepted bool) {
	if c.trials[e] >= mostTrials {
		c.accepted[e] /= 2
		c.trials[e] /= 2
	}
	c.trials[e]++
	if accepted {
		c.accepted[e]++
	}
}

// Trials that a prior is worth: of recordings, and of calibration, whose
// recordings lack logits. With equal trials a small model drafted so much that
// it answered chats and sums at .64 to .99 of its plain speed.
const (
	recordedTrials = 60
	standInTrials  = 6
)

func priorTrials(e evidence) float32 {
	if e.source() == fromCalibration {
		return standInTrials
	}
	return recordedTrials
}

// prior returns the probability of acceptance before any verification.
func prior(e evidence) float32 { return float32(priors[e]) / 1000 }

// priors are accepted shares, in thousandths, of replayed answers of
// Mistral-7B-Instruct to the even half of recorded prompts (summaries,
// questions about passages, chats; see replay_test.go): by source, a line per
// match length, a column per share of the cases.
var priors = [evidences]uint16{
	// the longest match in the text
	19, 62, 119, 88, 219, 251, 383, 609,
	33, 73, 153, 143, 240, 247, 551, 772,
	62, 108, 173, 129, 244, 246, 656, 829,
	8, 107, 174, 129, 310, 195, 740, 843,
	26, 72, 198, 122, 189, 294, 786, 894,
	29, 52, 193, 301, 186, 208, 805, 893,
	32, 53, 138, 263, 349, 615, 852, 834,
	35, 105, 269, 187, 544, 560, 962, 910,
	// the longest match in past answers
	5, 33, 76, 56, 91, 199, 130, 243,
	8, 35, 54, 76, 120, 201, 240, 442,
	11, 38, 45, 135, 123, 251, 391, 579,
	5, 17, 79, 120, 141, 183, 526, 690,
	5, 45, 37, 122, 152, 340, 678, 692,
	29, 70, 157, 241, 240, 461, 840, 727,
	32, 96, 224, 192, 470, 537, 902, 862,
	35, 105, 245, 210, 612, 700, 983, 875,
	// calibration; the shares are probabilities
	22, 73, 222, 403, 500, 577, 635, 804,
	102, 322, 462, 666, 470, 822, 851, 942,
	96, 134, 328, 721, 621, 870, 885, 979,
	95, 188, 353, 756, 547, 878, 901, 966,
	113, 211, 364, 787, 534, 934, 940, 949,
	109, 205, 354, 780, 614, 930, 947, 823,
	100, 200, 300, 400, 500, 600, 700, 800,
	100, 200, 300, 400, 500, 600, 700, 800,
}

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
