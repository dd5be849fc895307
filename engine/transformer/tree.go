package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
)

// Tree is tokens that may follow a context, several at each place. Node 0, the
// root, is the token that comes next for certain; each other node follows its
// parent. A node stands as many places after the context as it has ancestors.
type Tree struct {
	Tokens  []int32
	Parents []int32 // of each node one before it; that of the root is -1
}

// check says what is wrong with a tree of at most so many nodes.
func (t Tree) check(most int) error {
	if len(t.Tokens) == 0 || len(t.Tokens) > most {
		return fmt.Errorf("a tree of %d nodes, want 1 to %d", len(t.Tokens), most)
	}
	if len(t.Parents) != len(t.Tokens) {
		return fmt.Errorf("a tree of %d nodes with %d parents", len(t.Tokens), len(t.Parents))
	}
	for i, parent := range t.Parents {
		if i == 0 && parent != -1 || i > 0 && (parent < 0 || int(parent) >= i) {
			return fmt.Errorf("node %d of a tree follows node %d, want one before it", i, parent)
		}
	}
	return nil
}

// paths lists for each node the nodes from the root to itself, ascending, as
// kernel.CausalInput wants them.
func (t Tree) paths() [][]int32 {
	depths, total := make([]int, len(t.Tokens)), 0
	for i, parent := range t.Parents {
		depths[i] = 1
		if i > 0 {
			depths[i] += depths[parent]
		}
		total += depths[i]
	}
	all, paths := make([]int32, 0, total), make([][]int32, len(t.Tokens))
	for i, parent := range t.Parents {
		from := len(all)
		if i > 0 {
			all = append(all, paths[parent]...)
		}
		all = append(all, int32(i))
		paths[i] = all[from:len(all):len(all)]
	}
	return paths
}

// draft is the tree of a Context that was computed last, with its keys and
// values in every layer, until Keep says which of its nodes stay.
type draft struct {
	tree   Tree
	memory contextMemory // of MaxTree tokens; none before the first Verify
}

// reserveDraft makes room for the keys and values of a tree.
func (c *Context) reserveDraft() error {
	if c.draft.memory.buffer != nil {
		return nil
	}
	m, err := c.newMemory(MaxTree)
	if err == nil {
		c.draft.memory = m
	}
	return err
}

// newMemory takes memory for so many tokens.
func (c *Context) newMemory(tokens int) (contextMemory, error) {
	size := tokens * c.shape.Stored
	buffer, err := memory.NewBuffer(c.ledger, ContextPool, c.layers*size)
	if err != nil {
		return contextMemory{}, err
	}
	c.owner.held.Add(weights.InPages(buffer.Size()))
	m := contextMemory{buffer: buffer}
	for l := range c.layers {
		m.layers = append(m.layers, layKeyValues(buffer.Bytes()[l*size:], tokens, c.shape.KVHeads, c.shape.HeadDim))
	}
	return m, nil
}

// Keep appends nodes of the tree that was verified last, with the keys and
// values that were computed then, and drops the rest of it. path is the nodes
// from the root on, each the parent of the next; an empty one drops all.
func (c *Context) Keep(path []int32) error {
	t := c.draft.tree
	for i, node := range path {
		if node < 0 || int(node) >= len(t.Tokens) {
			return fmt.Errorf("node %d of a tree of %d", node, len(t.Tokens))
		}
		if i == 0 && node != 0 || i > 0 && t.Parents[node] != path[i-1] {
			return fmt.Errorf("nodes %v are no path from the root of a tree", path)
		}
	}
	if err := c.reserve(c.Len() + len(path)); err != nil {
		return err
	}
	for _, node := range path {
		at := c.Len()
		for l := range c.layers {
			from := c.draft.memory.layers[l].span(int(node), int(node)+1)
			to := c.keep(l, at, at+1)
			copyRows(to.K, from.K)
			copyRows(to.V, from.V)
		}
		c.tokens = append(c.tokens, t.Tokens[node])
	}
	c.draft.tree = Tree{}
	return c.shrink()
}

func copyRows(to, from kernel.HeadRows) {
	copy(to.Bytes, from.Bytes)
	copy(to.Scale, from.Scale)
}
