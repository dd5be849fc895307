package draft

// source is where a drafted token comes from.
type source uint8

const (
	fromText        source = iota // the longest suffix of this request's text that occurs earlier
	fromHistory                   // the longest suffix that occurs in past answers
	fromCalibration               // what the model would put there
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

// source returns where the token comes from.
func (e evidence) source() source { return source(e / (lengthBuckets * shareBuckets)) }

// matched returns the evidence of a token that followed a match of the given length
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

// calibrated returns the evidence of a token at a depth of the calibrated tree,
// with its probability given its parent.
func calibrated(probability float32, depth int) evidence {
	share := min(int(probability*shareBuckets), shareBuckets-1)
	return evidence((int(fromCalibration)*lengthBuckets+min(depth, lengthBuckets-1))*shareBuckets + share)
}

// counters learn how often drafted tokens are accepted: for each source, length
// of the match and share of the cases a Beta distribution. They begin with what
// replays of recorded answers gave, worth some trials, and learn from every
// verified step of this person's answers. The zero value is not ready.
type counters struct {
	accepted [evidences]float32
	trials   [evidences]float32
}

// mostTrials bounds the weight of the past: then old trials count less and less.
const mostTrials = 2000

// newCounters returns counters that know what replays gave.
func newCounters() *counters {
	c := &counters{}
	for i := range c.trials {
		e := evidence(i)
		c.trials[i] = priorTrials(e)
		c.accepted[i] = prior(e) * c.trials[i]
	}
	return c
}

// probability returns the mean of the distribution.
func (c *counters) probability(e evidence) float32 { return c.accepted[e] / c.trials[e] }

// learn adds a trial.
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
