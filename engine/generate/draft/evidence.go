package draft

// source is where a drafted token comes from.
type source uint8

const (
	fromLongest        source = iota // the longest suffix of this request's text that occurs earlier
	fromShorter                      // a shorter one
	fromHistory                      // the longest suffix that occurs in past answers
	fromShorterHistory               // a shorter one
	fromCalibration                  // what the model would put there
	fromReuse                        // a run of a rejected draft
	fromTrail                        // the text from where the answer left it
	sources
)

const (
	lengthBuckets = 8
	shareBuckets  = 8
)

// evidence is what is known of a drafted token before it is verified: tokens
// with the same evidence share a counter.
type evidence uint16

const evidences = int(sources) * lengthBuckets * shareBuckets

// source is where the token comes from.
func (e evidence) source() source { return source(e / (lengthBuckets * shareBuckets)) }

// matched is the evidence of a token that followed a match of the given length
// in count of total cases; latest says that it did so the last time.
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

// calibrated is the evidence of a token at a depth of the calibrated tree,
// with its probability given its parent.
func calibrated(probability float32, depth int) evidence {
	share := min(int(probability*shareBuckets), shareBuckets-1)
	return evidence((int(fromCalibration)*lengthBuckets+min(depth, lengthBuckets-1))*shareBuckets + share)
}

// reused is the evidence of a token at a place of a kept run of some length.
func reused(place, length int) evidence {
	return evidence((int(fromReuse)*lengthBuckets+min(place, lengthBuckets-1))*shareBuckets + min(length, shareBuckets) - 1)
}

// resumed is the evidence of a token some places after the last one that the
// answer took from the text, left tokens ago.
func resumed(skipped, left int) evidence {
	return evidence((int(fromTrail)*lengthBuckets+min(left, lengthBuckets-1))*shareBuckets + min(skipped, shareBuckets-1))
}

// Counters learn how often drafted tokens are accepted: for each source, length
// of the match and share of the cases a Beta distribution. They begin with what
// replays of recorded answers gave, worth some trials, and learn from every
// verified step of this person's answers. The zero value is not ready.
type Counters struct {
	accepted [evidences]float32
	trials   [evidences]float32
}

// mostTrials bounds the weight of the past: then old trials count less and less.
const mostTrials = 2000

// NewCounters returns counters that know what replays gave.
func NewCounters() *Counters {
	c := &Counters{}
	for i := range c.trials {
		e := evidence(i)
		c.trials[i] = priorTrials(e)
		c.accepted[i] = prior(e) * c.trials[i]
	}
	return c
}

// probability is the mean of the distribution.
func (c *Counters) probability(e evidence) float32 { return c.accepted[e] / c.trials[e] }

// learn adds a trial.
func (c *Counters) learn(e evidence, accepted bool) {
	if c.trials[e] >= mostTrials {
		c.accepted[e] /= 2
		c.trials[e] /= 2
	}
	c.trials[e]++
	if accepted {
		c.accepted[e]++
	}
}

// Shares returns the probability of each kind of evidence as it stands, in the
// order of the priors.
func (c *Counters) Shares() []float32 {
	shares := make([]float32, evidences)
	for i := range shares {
		shares[i] = c.probability(evidence(i))
	}
	return shares
}
