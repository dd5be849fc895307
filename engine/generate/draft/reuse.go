package draft

import "slices"

const (
	leastRun     = 2 // tokens of a rejected draft that are worth another try
	reuseTries   = 2 // steps that a branch may fail
	mostBranches = 4
)

// Reuse keeps what was plausible in drafts that were rejected: the longest run
// after the mismatch whose tokens the model predicted too, each after the wrong
// ones before it (CoordGen's draft reuse). A model that leaves a word out, puts
// one in, or takes another word often goes on as the draft did.
type Reuse struct {
	branches []branch
}

type branch struct {
	tokens []int32
	failed int // steps
}

// Reset forgets all branches.
func (r *Reuse) Reset() { r.branches = r.branches[:0] }

// Branches calls yield with the tokens that each kept run proposes after the
// root, until it returns false. The slices stay the receiver's.
func (r *Reuse) Branches(yield func(tokens []int32) bool) {
	for _, b := range r.branches {
		if !yield(b.tokens) {
			return
		}
	}
}

// Verified is told of a step: the tree, the token that the model predicted after
// each node, and the path that was accepted, the root first. Branches that
// proposed nothing of what was emitted have failed; those that did are used up.
// Then runs of the rejected branches are kept, of all together at most limit
// tokens.
func (r *Reuse) Verified(tree Tree, predictions, path []int32, limit int) {
	end := path[len(path)-1]
	first := predictions[0]
	r.branches = slices.DeleteFunc(r.branches, func(b branch) bool { return b.tokens[0] == first || b.failed+1 >= reuseTries })
	for i := range r.branches {
		r.branches[i].failed++
	}
	missed, run := longestRun(tree, predictions, end)
	if run == nil {
		return
	}
	kept := []branch{{tokens: run}}
	if missed >= 0 {
		kept = append(kept, branch{tokens: append([]int32{missed}, run...)})
	}
	r.branches = append(kept, r.branches...)
	total := 0
	for i, b := range r.branches {
		total += len(b.tokens)
		if i >= mostBranches || i > 0 && total > limit {
			r.branches = r.branches[:i]
			break
		}
	}
}

// longestRun returns the longest run of tokens below the rejected children of
// node end that the model predicted at their places, of equally long ones the
// first; nil if none has two. missed is the rejected child itself where the run
// begins right after it, else -1.
func longestRun(tree Tree, predictions []int32, end int32) (missed int32, run []int32) {
	// length[i] is that of the run that ends with node i.
	length := make([]int, tree.Len())
	below := make([]bool, tree.Len())
	best, longest := int32(-1), leastRun-1
	for i := int(end) + 1; i < tree.Len(); i++ {
		parent := tree.Parents[i]
		if parent == end {
			below[i] = true
			continue
		}
		if !below[parent] {
			continue
		}
		below[i] = true
		if predictions[parent] == tree.Tokens[i] {
			length[i] = length[parent] + 1
		}
		if length[i] > longest {
			best, longest = int32(i), length[i]
		}
	}
	if best < 0 {
		return -1, nil
	}
	run = make([]int32, longest)
	node := best
	for i := longest - 1; i >= 0; i-- {
		run[i] = tree.Tokens[node]
		node = tree.Parents[node]
	}
	if tree.Parents[node] == end {
		return tree.Tokens[node], run
	}
	return -1, run
}
