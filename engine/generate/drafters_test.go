package generate_test

import (
	"math/rand/v2"

	"dowse/engine/generate/draft"
)

// proposer drafts whatever its function says: tokens that may come after those
// of the text so far.
type proposer struct {
	text    []int32
	tree    draft.Tree
	propose func(text []int32, nodes int) draft.Tree
}

func (p *proposer) Begin(text []int32) { p.text = append([]int32(nil), text...) }

func (p *proposer) Propose(root int32, nodes int) draft.Tree {
	p.text = append(p.text, root)
	p.tree = p.propose(p.text, nodes)
	return p.tree
}

func (p *proposer) Accept(path, wanted []int32) {
	if len(wanted) != p.tree.Len() {
		panic("not every node has a prediction")
	}
	for _, node := range path[1:] {
		p.text = append(p.text, p.tree.Tokens[node])
	}
}

// chain drafts tokens one after the other.
func chain(root int32, tokens []int32, nodes int) draft.Tree {
	t, at := draft.NewTree(root), int32(0)
	for _, token := range tokens {
		if t.Len() < nodes {
			at = t.Add(at, token)
		}
	}
	return t
}

// drafters are ways of guessing a text whose tokens are known, by name.
func drafters(truth []int32, vocabulary int, stop int32, rng *rand.Rand) map[string]*proposer {
	known := func(text []int32) []int32 { return truth[min(len(text), len(truth)):] }
	last := func(text []int32) int32 { return text[len(text)-1] }
	bush := func(text []int32, nodes int, right float64) draft.Tree {
		t, rest := draft.NewTree(last(text)), known(text)
		for t.Len() < nodes {
			parent := int32(rng.IntN(t.Len()))
			token := int32(rng.IntN(vocabulary))
			if depth := t.Depth(parent); depth < len(rest) && rng.Float64() < right {
				token = rest[depth]
			}
			if before := t.Len(); t.Add(parent, token) < int32(before) && rng.IntN(8) == 0 {
				break // a tree that has it already: now and then a small one
			}
		}
		return t
	}
	return map[string]*proposer{
		"nothing": {propose: func(text []int32, _ int) draft.Tree { return draft.NewTree(last(text)) }},
		"oracle":  {propose: func(text []int32, nodes int) draft.Tree { return chain(last(text), known(text), nodes) }},
		"noise":   {propose: func(text []int32, nodes int) draft.Tree { return bush(text, nodes, 0) }},
		"half right": {propose: func(text []int32, nodes int) draft.Tree {
			return bush(text, nodes, 0.5)
		}},
		"wrong at last": {propose: func(text []int32, nodes int) draft.Tree {
			rest := append([]int32(nil), known(text)...)
			if at := rng.IntN(nodes + 1); at < len(rest) {
				rest[at] = (rest[at] + 1) % int32(vocabulary)
			}
			return chain(last(text), rest, nodes)
		}},
		"an end inside": {propose: func(text []int32, nodes int) draft.Tree {
			rest := append([]int32(nil), known(text)...)
			if at := rng.IntN(nodes + 1); at < len(rest) {
				rest = append(rest[:at:at], append([]int32{stop}, rest[at:]...)...)
			}
			return chain(last(text), rest, nodes)
		}},
		"behind the end": {propose: func(text []int32, nodes int) draft.Tree {
			return chain(last(text), append(append([]int32(nil), known(text)...), stop, 7, 8, 9, stop), nodes)
		}},
	}
}
