package draft

import (
	"math"
	"slices"
	"testing"
)

// The words of the paper's example, as tokens.
const (
	clinton int32 = iota + 1
	apostrophe
	security
	detail
	has
	arrived
	at
	in
	des
	moines
)

// T-S5: "Clinton's security detail has arrived at Des Moines" becomes "Clinton
// arrived at".
func TestCalibrationDraftsAsTheModelWouldWrite(t *testing.T) {
	c := NewCalibration()
	c.Extend(clinton, apostrophe, security, detail, has, arrived, at, des, moines)
	c.Observe(0, []Candidate{{arrived, .5}, {has, .3}, {apostrophe, .1}})
	c.Observe(5, []Candidate{{at, .7}, {in, .2}, {moines, .04}})
	c.Observe(6, []Candidate{{des, .9}})
	tree, p := c.Search(moines, clinton)
	best := slices.Index(tree.Tokens, at)
	if best < 0 || !slices.Equal(tree.Path(int32(best)), []int32{arrived, at}) {
		t.Fatalf("the tree is %v; want arrived, at in it", tree)
	}
	if math.Abs(float64(p[best])-.35) > 1e-3 {
		t.Errorf("arrived at has probability %f, want .35", p[best])
	}
	if tree.Tokens[1] != arrived || tree.Tokens[2] != at {
		t.Errorf("the most probable path does not come first: %v", tree.Tokens)
	}
	if slices.Contains(tree.Tokens, moines) {
		t.Error("a token of probability .04 is in the tree")
	}
}

func TestCalibrationPrefersThePair(t *testing.T) {
	c := NewCalibration()
	c.Extend(1, 5, 9, 2, 5, 8)
	c.Observe(1, []Candidate{{20, .9}})
	c.Observe(4, []Candidate{{30, .9}})
	for previous, want := range map[int32][]int32{1: {20}, 2: {30}, 3: {20, 30}} {
		tree, _ := c.Search(previous, 5)
		got := slices.Clone(tree.Tokens[1:])
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("after %d 5: %v, want %v", previous, got, want)
		}
	}
}

// A successor goes on at its nearest occurrence after the place, else before it.
func TestCalibrationGoesOnNearby(t *testing.T) {
	c := NewCalibration()
	c.Extend(7, 1, 2, 7, 3, 7, 4)
	for place, token := range []int32{0, 0, 0, 30, 0, 50} {
		c.Observe(place, []Candidate{{token, .8}})
	}
	c.Observe(1, []Candidate{{7, .9}})
	tree, _ := c.Search(9, 1)
	if !slices.Equal(tree.Tokens, []int32{1, 7, 30}) {
		t.Errorf("drafted %v, want 7 and what follows it after the place", tree.Tokens)
	}
	c.Observe(6, []Candidate{{2, .9}})
	c.Observe(2, []Candidate{{60, .9}})
	tree, _ = c.Search(9, 4)
	if !slices.Equal(tree.Tokens, []int32{4, 2, 60}) {
		t.Errorf("drafted %v, want 2 and what follows it before the place", tree.Tokens)
	}
}

func TestCalibrationIsBounded(t *testing.T) {
	c := NewCalibration()
	for i := range int32(300) {
		c.Extend(i % 7)
	}
	for place := range 300 {
		next := int32(place % 7)
		c.Observe(place, []Candidate{{(next + 1) % 7, .3}, {(next + 2) % 7, .3}, {(next + 3) % 7, .3}, {next, .1}})
	}
	tree, p := c.Search(0, 1)
	if tree.Len() != calibrationNodes+1 || len(p) != tree.Len() {
		t.Fatalf("%d nodes and %d probabilities, want %d", tree.Len(), len(p), calibrationNodes+1)
	}
	if err := tree.Check(); err != nil {
		t.Error(err)
	}
	for i := range tree.Tokens[1:] {
		node := int32(i + 1)
		if tree.Depth(node) > calibrationDepth || p[node] > p[tree.Parents[node]] {
			t.Errorf("node %d: depth %d, probability %f below %f", node, tree.Depth(node), p[node], p[tree.Parents[node]])
		}
	}
}

func TestCalibrationForgetsTheRequest(t *testing.T) {
	c := NewCalibration()
	c.Extend(1, 2)
	c.Observe(0, []Candidate{{2, .9}})
	c.Observe(7, []Candidate{{2, .9}}) // no such place: ignored
	c.Reset()
	c.Extend(1, 2)
	if tree, _ := c.Search(0, 1); tree.Len() != 1 {
		t.Errorf("drafted %v from the request before", tree.Tokens)
	}
}

func TestShortlist(t *testing.T) {
	frequent := make([]int32, 3000)
	for i := range frequent {
		frequent[i] = int32(i)
	}
	got := Shortlist([]int32{9000, 5, 2500, 9000}, frequent)
	if len(got) != DefaultFrequent+2 || !slices.IsSorted(got) || !slices.Contains(got, 2500) || slices.Contains(got, 2400) {
		t.Errorf("%d ids, the last %v", len(got), got[len(got)-3:])
	}
	best := Best(nil, []int32{10, 20, 30, 40, 50}, []float32{1, 3, 2, 3, -9})
	if len(best) != 3 || best[0].Token != 20 || best[1].Token != 40 || best[2].Token != 30 {
		t.Fatalf("best are %v", best)
	}
	sum := math.Exp(-2) + 2 + math.Exp(-1) + math.Exp(-12)
	if got, want := float64(best[2].Probability), math.Exp(-1)/sum; math.Abs(got-want) > 1e-6 {
		t.Errorf("probability %f, want %f", got, want)
	}
}
