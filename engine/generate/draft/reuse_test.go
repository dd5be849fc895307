package draft

import (
	"slices"
	"testing"
)

// chain returns a tree of one path.
func chain(root int32, tokens ...int32) Tree {
	tree, node := NewTree(root), int32(0)
	for _, token := range tokens {
		node = tree.Add(node, token)
	}
	return tree
}

func branches(r *Reuse) [][]int32 {
	var all [][]int32
	r.Branches(func(tokens []int32) bool {
		all = append(all, tokens)
		return true
	})
	return all
}

func wantBranches(t *testing.T, r *Reuse, want ...[]int32) {
	t.Helper()
	if got := branches(r); !slices.EqualFunc(got, want, slices.Equal[[]int32]) {
		t.Errorf("branches %v, want %v", got, want)
	}
}

// T-S6: x = a b c d e f, y = a q c d e g. The mismatch is at b; c d e is kept,
// and b c d e as well, in case the model only put something in.
func TestReuseWorkedExample(t *testing.T) {
	const a, b, c, d, e, f, g, q = 1, 2, 3, 4, 5, 6, 7, 8
	var r Reuse
	tree := chain(0, a, b, c, d, e, f)
	predictions := []int32{a, q, c, d, e, g, 9}
	r.Verified(tree, predictions, tree.Walk(predictions), DefaultRows)
	wantBranches(t, &r, []int32{c, d, e}, []int32{b, c, d, e})
}

func TestReuseKeepsTheLongestRun(t *testing.T) {
	var r Reuse
	tree := chain(0, 1, 2, 3, 4, 5, 6, 7, 8)
	predictions := []int32{9, 2, 3, 0, 5, 6, 7, 0, 0} // runs 2 3 and 5 6 7
	r.Verified(tree, predictions, tree.Walk(predictions), DefaultRows)
	wantBranches(t, &r, []int32{5, 6, 7})

	r.Reset()
	predictions = []int32{9, 2, 3, 0, 5, 0, 7, 8, 0} // 2 3 and 7 8: the first
	r.Verified(tree, predictions, tree.Walk(predictions), DefaultRows)
	wantBranches(t, &r, []int32{2, 3}, []int32{1, 2, 3})
}

func TestReuseOfSingleTokensAndOfNothing(t *testing.T) {
	var r Reuse
	tree := chain(0, 1, 2, 3, 4)
	r.Verified(tree, []int32{9, 2, 0, 4, 0}, []int32{0}, DefaultRows)
	wantBranches(t, &r)
	r.Verified(tree, []int32{1, 2, 3, 4, 5}, []int32{0, 1, 2, 3, 4}, DefaultRows)
	wantBranches(t, &r)
	r.Verified(tree, []int32{9, -1, -1, -1, -1}, []int32{0}, DefaultRows) // not known
	wantBranches(t, &r)
}

func TestReuseLooksIntoAllBranches(t *testing.T) {
	var r Reuse
	tree := Tree{Tokens: []int32{0, 1, 5, 2, 6, 7}, Parents: []int32{-1, 0, 0, 1, 2, 4}}
	predictions := []int32{9, 2, 6, 0, 7, 0}
	r.Verified(tree, predictions, []int32{0}, DefaultRows)
	wantBranches(t, &r, []int32{6, 7}, []int32{5, 6, 7})
}

func TestReuseExpires(t *testing.T) {
	var r Reuse
	tree := chain(0, 1, 2, 3)
	r.Verified(tree, []int32{9, 2, 3, 4}, []int32{0}, DefaultRows)
	wantBranches(t, &r, []int32{2, 3}, []int32{1, 2, 3})
	nothing := NewTree(9)
	r.Verified(nothing, []int32{50}, []int32{0}, DefaultRows)
	wantBranches(t, &r, []int32{2, 3}, []int32{1, 2, 3}) // failed once
	r.Verified(nothing, []int32{51}, []int32{0}, DefaultRows)
	wantBranches(t, &r) // and twice
}

func TestReuseIsUsedUp(t *testing.T) {
	var r Reuse
	r.Verified(chain(0, 1, 2, 3), []int32{9, 2, 3, 4}, []int32{0}, DefaultRows)
	accepted := chain(9, 2, 3)
	r.Verified(accepted, []int32{2, 3, 4}, []int32{0, 1, 2}, DefaultRows)
	wantBranches(t, &r, []int32{1, 2, 3})
}

func TestReuseIsBounded(t *testing.T) {
	var r Reuse
	tree := chain(0, 1, 2, 3, 4, 5, 6)
	r.Verified(tree, []int32{9, 2, 3, 4, 5, 6, 7}, []int32{0}, 8)
	wantBranches(t, &r, []int32{2, 3, 4, 5, 6}) // 1 2 3 4 5 6 would be 11 together
}
