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

func extendCalibration(c *calibration, tokens ...int32) {
	for _, token := range tokens {
		c.extend(token)
	}
}

// T-S5: "Clinton's security detail has arrived at Des Moines" becomes "Clinton
// arrived at".
func TestCalibrationDraftsAsTheModelWouldWrite(t *testing.T) {
	c := newCalibration()
	extendCalibration(c, clinton, apostrophe, security, detail, has, arrived, at, des, moines)
	c.observe(0, []Candidate{{arrived, .5}, {has, .3}, {apostrophe, .1}})
	c.observe(5, []Candidate{{at, .7}, {in, .2}, {moines, .04}})
	c.observe(6, []Candidate{{des, .9}})
	tree, p := c.search(moines, clinton)
	best := slices.Index(tree.Tokens, at)
	if best < 0 || !slices.Equal(pathTo(tree, int32(best)), []int32{arrived, at}) {
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
	c := newCalibration()
	extendCalibration(c, 1, 5, 9, 2, 5, 8)
	c.observe(1, []Candidate{{20, .9}})
	c.observe(4, []Candidate{{30, .9}})
	for previous, want := range map[int32][]int32{1: {20}, 2: {30}, 3: {20, 30}} {
		tree, _ := c.search(previous, 5)
		got := slices.Clone(tree.Tokens[1:])
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("after %d 5: %v, want %v", previous, got, want)
		}
	}
}

// A successor goes on at its nearest occurrence after the place, else before it.
func TestCalibrationGoesOnNearby(t *testing.T) {
	c := newCalibration()
	extendCalibration(c, 7, 1, 2, 7, 3, 7, 4)
	for place, token := range []int32{0, 0, 0, 30, 0, 50} {
		c.observe(place, []Candidate{{token, .8}})
	}
	c.observe(1, []Candidate{{7, .9}})
	tree, _ := c.search(9, 1)
	if !slices.Equal(tree.Tokens, []int32{1, 7, 30}) {
		t.Errorf("drafted %v, want 7 and what follows it after the place", tree.Tokens)
	}
	c.observe(6, []Candidate{{2, .9}})
	c.observe(2, []Candidate{{60, .9}})
	tree, _ = c.search(9, 4)
	if !slices.Equal(tree.Tokens, []int32{4, 2, 60}) {
		t.Errorf("drafted %v, want 2 and what follows it before the place", tree.Tokens)
	}
}

func TestCalibrationIsBounded(t *testing.T) {
	c := newCalibration()
	for i := range int32(300) {
		c.extend(i % 7)
	}
	for place := range 300 {
		next := int32(place % 7)
		c.observe(place, []Candidate{{(next + 1) % 7, .3}, {(next + 2) % 7, .3}, {(next + 3) % 7, .3}, {next, .1}})
	}
	tree, p := c.search(0, 1)
	if tree.Len() != calibrationNodes+1 || len(p) != tree.Len() {
		t.Fatalf("%d nodes and %d probabilities, want %d", tree.Len(), len(p), calibrationNodes+1)
	}
	if err := checkTree(tree); err != nil {
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
	c := newCalibration()
	extendCalibration(c, 1, 2)
	c.observe(0, []Candidate{{2, .9}})
	c.observe(7, []Candidate{{2, .9}}) // no such place: ignored
	c.reset()
	extendCalibration(c, 1, 2)
	if tree, _ := c.search(0, 1); tree.Len() != 1 {
		t.Errorf("drafted %v from the request before", tree.Tokens)
	}
}
