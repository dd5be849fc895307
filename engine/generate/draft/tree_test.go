package draft

import (
	"fmt"
	"slices"
	"testing"
)

// pathTo returns the tokens from below the root to a node.
func pathTo(t Tree, node int32) []int32 {
	var path []int32
	for t.Parents[node] >= 0 {
		path = append(path, t.Tokens[node])
		node = t.Parents[node]
	}
	slices.Reverse(path)
	return path
}

// checkTree returns what is wrong with a tree.
func checkTree(t Tree) error {
	if len(t.Tokens) == 0 || len(t.Tokens) != len(t.Parents) || t.Parents[0] != -1 {
		return fmt.Errorf("draft tree: %d tokens and %d parents; want as many, and a root without parent", len(t.Tokens), len(t.Parents))
	}
	for i, parent := range t.Parents[1:] {
		if parent < 0 || int(parent) > i {
			return fmt.Errorf("draft tree: node %d has parent %d; a parent comes before its children", i+1, parent)
		}
		if t.Child(parent, t.Tokens[i+1]) != int32(i+1) {
			return fmt.Errorf("draft tree: two children of node %d have token %d", parent, t.Tokens[i+1])
		}
	}
	return nil
}

func TestTreeMergesCommonPrefixes(t *testing.T) {
	tree := NewTree(1)
	a := tree.Add(0, 2)
	b := tree.Add(a, 3)
	if again := tree.Add(0, 2); again != a || tree.Len() != 3 {
		t.Errorf("the same token twice: node %d of %d, want %d of 3", again, tree.Len(), a)
	}
	c := tree.Add(a, 4)
	if tree.Depth(c) != 2 || !slices.Equal(pathTo(tree, b), []int32{2, 3}) || tree.Child(a, 9) != -1 {
		t.Errorf("depth %d, path %v", tree.Depth(c), pathTo(tree, b))
	}
	if err := checkTree(tree); err != nil {
		t.Error(err)
	}
}

func TestTreeWalksThePredictions(t *testing.T) {
	tree := Tree{Tokens: []int32{1, 2, 5, 3, 6}, Parents: []int32{-1, 0, 0, 1, 3}}
	for _, test := range []struct{ predictions, want []int32 }{
		{[]int32{2, 3, 0, 6, 7}, []int32{0, 1, 3, 4}},
		{[]int32{5, 3, 3, 6, 7}, []int32{0, 2}},
		{[]int32{9, 3, 0, 6, 7}, []int32{0}},
	} {
		if got := tree.Walk(test.predictions); !slices.Equal(got, test.want) {
			t.Errorf("after %v walked %v, want %v", test.predictions, got, test.want)
		}
	}
}
