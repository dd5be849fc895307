package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// task is a kind of work that people call a language model for, with the range of
// tokens that a call adds. They are those of Table 3 of "LLM as a System Service on
// Mobile Devices", whose window is one of 4,096 tokens.
type task struct {
	name        string
	least, most int
}

var tasks = []task{
	{"news classification", 200, 500},
	{"document summary", 1000, 2000},
	{"chat history summary", 100, 300},
	{"text comprehension", 500, 1000},
	{"translation", 100, 500},
	{"sentiment classification", 10, 100},
}

// mean is what a call of the task adds in the mean.
func (t task) mean() float64 { return float64(t.least+t.most) / 2 }

// The patterns by which people switch between conversations.
const (
	// RandomPattern: each of the others is as likely as any.
	RandomPattern = "random"
	// MarkovPattern: the one that was used last is twice as likely as the one before
	// it, and so on.
	MarkovPattern = "markov"
	// GaussianPattern: the closer what its calls add is to what calls add in the mean,
	// the likelier a conversation is.
	GaussianPattern = "gaussian"
)

// Patterns are all of them.
var Patterns = []string{RandomPattern, MarkovPattern, GaussianPattern}

// call is a question within a conversation, and its answer.
type call struct {
	conversation int
	fresh        bool          // the conversation was full: it is deleted, and another one begins in its place
	before       int           // tokens of the conversation before the call
	delta        int           // tokens of the question
	written      int           // tokens of the answer
	pause        time.Duration // since the call before it
}

// after returns the tokens of the conversation after the call.
func (c call) after() int { return c.before + c.delta + c.written }

// trace is a sequence of calls, each of them of another conversation than the one
// before it.
type trace struct {
	pattern   string
	histories []int // tokens of each conversation before the first call
	calls     []call
}

// traceOptions say what a trace is like.
type traceOptions struct {
	conversations int
	pattern       string
	calls         int
	tokens        int     // of a conversation at most
	scale         float64 // of the lengths of tasks
	written       int     // tokens of an answer
	pause         time.Duration
	seed          uint64
}

// newTrace draws a trace. The same options give the same one. Conversation i does the
// work of tasks[i%len(tasks)], and has a history of a quarter to a half of what it may
// have. Pauses are those of a Poisson process.
func newTrace(o traceOptions) *trace {
	rng := rand.New(rand.NewPCG(o.seed, uint64(o.conversations)))
	t := &trace{pattern: o.pattern, histories: make([]int, o.conversations)}
	for i := range t.histories {
		t.histories[i] = o.tokens/4 + rng.IntN(o.tokens/4+1)
	}
	lengths, next := slices.Clone(t.histories), newSwitcher(o.pattern, o.conversations)
	for range o.calls {
		at := next.draw(rng)
		c := call{
			conversation: at, before: lengths[at], written: o.written,
			delta: tasks[at%len(tasks)].draw(rng, o),
			pause: time.Duration(rng.ExpFloat64() * float64(o.pause)),
		}
		if c.after() > o.tokens {
			c.fresh, c.before = true, 0
		}
		lengths[at] = c.after()
		t.calls = append(t.calls, c)
	}
	return t
}

// draw draws how many tokens a call of the task adds: at least one, and with the
// answer at most half of what a conversation may have.
func (t task) draw(rng *rand.Rand, o traceOptions) int {
	n := float64(t.least) + rng.Float64()*float64(t.most-t.least)
	return max(1, min(int(n*o.scale), o.tokens/2-o.written))
}

// longest returns the most tokens that each conversation comes to have.
func (t *trace) longest() []int {
	most := slices.Clone(t.histories)
	for _, c := range t.calls {
		most[c.conversation] = max(most[c.conversation], c.after())
	}
	return most
}

// workingSet returns the most that all conversations together come to take at any one
// time, by what a conversation of so many tokens takes.
func (t *trace) workingSet(size func(tokens int) int64) int64 {
	lengths, total := slices.Clone(t.histories), int64(0)
	for _, n := range lengths {
		total += size(n)
	}
	most := total
	for _, c := range t.calls {
		total += size(c.after()) - size(lengths[c.conversation])
		lengths[c.conversation] = c.after()
		most = max(most, total)
	}
	return most
}

// switcher draws which conversation is called next, never the one of the last call.
type switcher struct {
	weights []float64 // of conversations; nil where recency decides
	recent  []int     // conversations, the one of the last call first
}

func newSwitcher(pattern string, conversations int) *switcher {
	s := &switcher{recent: make([]int, conversations)}
	for i := range s.recent {
		s.recent[i] = i
	}
	if pattern == MarkovPattern {
		return s
	}
	s.weights = make([]float64, conversations)
	mean, spread := moments(conversations)
	for i := range s.weights {
		s.weights[i] = 1
		if pattern == GaussianPattern && spread > 0 {
			z := (tasks[i%len(tasks)].mean() - mean) / spread
			s.weights[i] = math.Exp(-z * z / 2)
		}
	}
	return s
}

// moments returns the mean and the standard deviation of what calls of conversations
// add.
func moments(conversations int) (mean, spread float64) {
	for i := range conversations {
		mean += tasks[i%len(tasks)].mean() / float64(conversations)
	}
	for i := range conversations {
		d := tasks[i%len(tasks)].mean() - mean
		spread += d * d / float64(conversations)
	}
	return mean, math.Sqrt(spread)
}

// draw draws the next conversation.
func (s *switcher) draw(rng *rand.Rand) int {
	others := s.recent[1:]
	weight := func(rank int) float64 {
		if s.weights == nil {
			return math.Exp2(-float64(rank))
		}
		return s.weights[others[rank]]
	}
	total := 0.0
	for rank := range others {
		total += weight(rank)
	}
	left, chosen := rng.Float64()*total, len(others)-1
	for rank := range others {
		if left -= weight(rank); left < 0 {
			chosen = rank
			break
		}
	}
	at := others[chosen]
	copy(s.recent[1:chosen+2], s.recent[:chosen+1])
	s.recent[0] = at
	return at
}

// checkPatterns refuses names that are none.
func checkPatterns(names []string) error {
	for _, name := range names {
		if !slices.Contains(Patterns, name) {
			return fmt.Errorf("--patterns: there is no pattern %q; choose from %v", name, Patterns)
		}
	}
	return nil
}
