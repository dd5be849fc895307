package draft

import (
	"slices"
	"testing"
)

func TestTreeMergesCommonPrefixes(t *testing.T) {
	tree := NewTree(1)
	a := tree.Add(0, 2)
	b := tree.Add(a, 3)
	if again := tree.Add(0, 2); again != a || tree.Len() != 3 {
		t.Errorf("the same token twice: node %d of %d, want %d of 3", again, tree.Len(), a)
	}
	c := tree.Add(a, 4)
	if tree.Depth(c) != 2 || !slices.Equal(tree.Path(b), []int32{2, 3}) || tree.Child(a, 9) != -1 {
		t.Errorf("depth %d, path %v", tree.Depth(c), tree.Path(b))
	}
	if err := tree.Check(); err != nil {
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

func TestTreeCheckRefuses(t *testing.T) {
	for name, tree := range map[string]Tree{
		"nothing":               {},
		"no parents":            {Tokens: []int32{1}},
		"a root with a parent":  {Tokens: []int32{1}, Parents: []int32{0}},
		"a parent that is late": {Tokens: []int32{1, 2, 3}, Parents: []int32{-1, 2, 0}},
		"itself as parent":      {Tokens: []int32{1, 2}, Parents: []int32{-1, 1}},
		"a second root":         {Tokens: []int32{1, 2}, Parents: []int32{-1, -1}},
		"the same child twice":  {Tokens: []int32{1, 2, 2}, Parents: []int32{-1, 0, 0}},
	} {
		if tree.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
