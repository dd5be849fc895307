package draft

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A profile of a busy moment, and one whose wide passes are dearer than it says,
// are put right by what passes take, whatever else the machine does.
func TestClockLearnsWhatPassesTake(t *testing.T) {
	profile := linear(16, 1, .02)
	truth := func(rows int) float64 { return .007 * (1 + .07*float64(rows-1)) }
	r := rand.New(rand.NewPCG(7, 7))
	var c clock
	for step := range 1500 {
		rows := []int{1, 1, 2, 4, 8, 12, 16}[r.IntN(7)]
		seconds := truth(rows) * (1 + .0003*float64(step)) * math.Exp(.1*r.NormFloat64()) // the context grows
		if r.IntN(20) == 0 {
			seconds *= 5 // and now and then somebody else has the machine
		}
		c.took(profile, rows, seconds)
	}
	cost := c.cost(profile)
	for _, rows := range []int{2, 4, 6, 8, 12, 16} {
		got, want := cost[rows-1]/cost[0], truth(rows)/truth(1)
		if math.Abs(got/want-1) > .12 {
			t.Errorf("%d rows cost %.2f of one, want %.2f", rows, got, want)
		}
	}
}

func TestClockKeepsAProfileThatHolds(t *testing.T) {
	profile := []float64{7, 7, 8, 9, 12}
	var c clock
	if got := c.cost(profile); !slices.Equal(got, profile) {
		t.Errorf("%v before anything was seen, want %v", got, profile)
	}
	for i := range 500 {
		rows := 1 + i%5
		c.took(profile, rows, profile[rows-1]*3)
	}
	for i, got := range c.cost(profile) {
		if math.Abs(got-profile[i]) > 1e-9 {
			t.Errorf("%d rows cost %f, want %f", i+1, got, profile[i])
		}
	}
	for _, bad := range []struct {
		rows    int
		seconds float64
	}{{0, 1}, {6, 1}, {2, 0}, {2, -1}, {2, math.NaN()}, {2, math.Inf(1)}} {
		c.took(profile, bad.rows, bad.seconds)
	}
	if got := c.cost(profile)[1]; math.Abs(got-7) > 1e-9 {
		t.Errorf("a pass that cannot be changed the cost to %f", got)
	}
}

// A drafter drafts less once passes turn out dearer.
func TestDrafterLearnsItsCosts(t *testing.T) {
	text := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2}
	nodes := func(d *Drafter) int {
		d.Begin(text)
		return d.Propose(3, 16).Len()
	}
	d := NewDrafter(Options{Budget: Budget{Cost: linear(16, 1, .01)}})
	cheap := nodes(d)
	for i := range 3000 {
		rows := 1 + i%16
		d.Took(rows, 1+1.5*float64(rows-1))
	}
	if dear := nodes(d); cheap < 5 || dear >= cheap {
		t.Errorf("%d nodes while they are cheap, %d when they turned out dear", cheap, dear)
	}
}
