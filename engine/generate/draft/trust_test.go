package draft

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Guesses that come half as often as the evidence says are believed half as
// much, those of another source as the evidence says.
func TestTrustFollowsWhatComes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var tr trust
	if f := tr.factor(fromText, 0); f != 1 {
		t.Errorf("a factor of %f before anything was seen", f)
	}
	for range 2000 {
		tr.learn(fromText, 0, .6, r.Float32() < .3)
		tr.learn(fromCalibration, 0, .2, r.Float32() < .2)
		tr.learn(fromText, 7, .5, r.Float32() < .5)
	}
	for _, c := range []struct {
		from  source
		depth int
		want  float64
	}{{fromText, 0, .5}, {fromCalibration, 0, 1}, {fromText, trustDepths - 1, 1}} {
		if f := tr.factor(c.from, c.depth); math.Abs(float64(f)-c.want) > .2 {
			t.Errorf("source %d at depth %d: factor %.2f, want %.2f", c.from, c.depth, f, c.want)
		}
	}
	if f, all := tr.factor(fromHistory, 0), tr.all.ratio(allPrior, 1); f != all {
		t.Errorf("a source that was never seen: factor %f, want that of all, %f", f, all)
	}
}

// Some twenty guesses that do not come are enough to guess much less, and it
// takes no more to be trusted again.
func TestTrustIsLostAndWonSoon(t *testing.T) {
	var tr trust
	for range 20 {
		tr.learn(fromText, 0, .7, false)
	}
	if f := tr.factor(fromText, 0); f > .1 || f <= 0 {
		t.Errorf("factor %f after twenty wrong guesses", f)
	}
	for range 60 {
		tr.learn(fromText, 0, .7, true)
	}
	if f := tr.factor(fromText, 0); f < .9 {
		t.Errorf("factor %f after sixty right guesses", f)
	}
}

// Where nothing that is offered ever comes, drafting ends; the same prompt and
// the same sources with a model that follows them are drafted.
func TestDrafterStopsWhereGuessesDoNotCome(t *testing.T) {
	prompt := randomText(rand.New(rand.NewPCG(3, 9)), 400, 40)
	last := map[bool]int{}
	for _, follows := range []bool{false, true} {
		d := NewDrafter(Options{Budget: Budget{Cost: linear(16, 1, .08)}})
		d.Begin(prompt)
		for step := range 80 {
			tree := d.Propose(prompt[(3*step)%300], 16)
			predictions := make([]int32, tree.Len())
			for i := range predictions {
				predictions[i] = 1000 + int32(step)
				for child := i + 1; follows && child < tree.Len(); child++ {
					if tree.Parents[child] == int32(i) {
						predictions[i] = tree.Tokens[child]
						break
					}
				}
			}
			if step >= 60 {
				last[follows] += tree.Len() - 1
			}
			d.Accept(tree.Walk(predictions), predictions)
		}
	}
	if last[false] > 5 || last[true] < 40 {
		t.Errorf("in the last 20 of 80 steps %d nodes are drafted where none is right, %d where they are", last[false], last[true])
	}
}

// Siblings are no more than certain together, however much evidence there is.
func TestSiblingsAddUpToCertainty(t *testing.T) {
	prompt := randomText(rand.New(rand.NewPCG(4, 9)), 600, 12)
	d := NewDrafter(Options{})
	d.Begin(prompt)
	for place := range prompt {
		d.Observe(place, []Candidate{{prompt[place], .6}, {prompt[(place+5)%600], .3}})
	}
	for _, root := range prompt[:100] {
		tree := d.Propose(root, 16)
		for node := range tree.Tokens {
			sum := float32(0)
			for _, o := range d.expanded[node].options {
				sum += o.probability
			}
			if sum > 1.0001 {
				t.Fatalf("the options of node %d add up to %f", node, sum)
			}
		}
		d.Accept([]int32{0}, make([]int32, tree.Len()))
	}
}
