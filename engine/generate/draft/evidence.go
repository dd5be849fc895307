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
