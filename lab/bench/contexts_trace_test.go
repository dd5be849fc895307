package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func smallTrace(pattern string) traceOptions {
	return traceOptions{
		conversations: 6, pattern: pattern, calls: 400, tokens: 1024, scale: .25, written: 16,
		pause: time.Minute, seed: 7,
	}
}

func TestTrace(t *testing.T) {
	for _, pattern := range Patterns {
		o := smallTrace(pattern)
		tr := newTrace(o)
		if again := newTrace(o); fmt.Sprint(again) != fmt.Sprint(tr) {
			t.Errorf("%s: the same options draw another trace", pattern)
		}
		lengths, last, fresh, pause := append([]int{}, tr.histories...), 0, 0, time.Duration(0)
		for i, c := range tr.calls {
			if c.conversation == last && i > 0 {
				t.Fatalf("%s: call %d is of the conversation of the call before it", pattern, i)
			}
			last = c.conversation
			want := lengths[last]
			if c.fresh {
				want, fresh = 0, fresh+1
			}
			kind := tasks[last%len(tasks)]
			if c.before != want || c.after() > o.tokens || c.written != o.written ||
				c.delta < kind.least/4 || c.delta > kind.most/4 {
				t.Fatalf("%s: call %d is %+v, want %d tokens before it and %v/4 in it", pattern, i, c, want, kind)
			}
			lengths[last], pause = c.after(), pause+c.pause
		}
		if mean := pause / time.Duration(len(tr.calls)); mean < 50*time.Second || mean > 70*time.Second {
			t.Errorf("%s: pauses of %v in the mean, want about a minute", pattern, mean)
		}
		if fresh == 0 || fresh > len(tr.calls)/2 {
			t.Errorf("%s: %d of %d calls begin a conversation anew", pattern, fresh, len(tr.calls))
		}
		for i, n := range tr.longest() {
			if n > o.tokens || n < tr.histories[i] {
				t.Errorf("%s: conversation %d comes to %d tokens", pattern, i, n)
			}
		}
	}
}

// With one conversation of two tokens and another one that grows from one to three.
func TestWorkingSet(t *testing.T) {
	tr := &trace{histories: []int{2, 1}, calls: []call{{conversation: 1, before: 1, delta: 1, written: 1}, {conversation: 0, fresh: true, delta: 1}}}
	if got := tr.workingSet(func(tokens int) int64 { return int64(10 * tokens) }); got != 50 {
		t.Errorf("%d bytes, want 50", got)
	}
}

// frequencies returns how often each conversation is drawn.
func frequencies(pattern string, conversations, draws int) []float64 {
	rng, s, seen := rand.New(rand.NewPCG(1, 2)), newSwitcher(pattern, conversations), make([]float64, conversations)
	for range draws {
		seen[s.draw(rng)] += 1 / float64(draws)
	}
	return seen
}

func TestSwitching(t *testing.T) {
	for i, share := range frequencies(RandomPattern, 4, 20000) {
		if math.Abs(share-.25) > .02 {
			t.Errorf("random: conversation %d is drawn %.2f of the time", i, share)
		}
	}
	// The one used before the last is drawn with 1 in 1 + 1/2 + 1/4.
	rng, s, again := rand.New(rand.NewPCG(1, 2)), newSwitcher(MarkovPattern, 4), 0
	for range 20000 {
		before := s.recent[1]
		countIf(&again, s.draw(rng) == before)
	}
	if share := float64(again) / 20000; math.Abs(share-4.0/7) > .02 {
		t.Errorf("markov: the one before the last is drawn %.2f of the time, want %.2f", share, 4.0/7)
	}
	gaussian := frequencies(GaussianPattern, 6, 20000)
	if gaussian[1] > gaussian[3]/2 || gaussian[3] < gaussian[5] {
		t.Errorf("gaussian: %.2f; want comprehension, of moderate length, well ahead of summaries", gaussian)
	}
}

func TestCheckPatterns(t *testing.T) {
	if err := checkPatterns(Patterns); err != nil {
		t.Error(err)
	}
	if err := checkPatterns([]string{"heron"}); err == nil {
		t.Error("heron is a pattern")
	}
}
