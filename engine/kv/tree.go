package kv

import (
	"fmt"
	"slices"

	"dowse/engine/kernel"
)

// MaxTree is the most nodes of a Tree.
const MaxTree = 128

// Tree holds tokens that may follow a text, several at each place. Node 0, the root, is the
// certain next token; every other node follows its parent. A node stands as many places
// after the text as it has ancestors.
type Tree struct {
	Tokens  []int32
	Parents []int32 // a smaller node number each; -1 for the root

	observed []uint64 // attention of the root to the text's tokens (see Cache.ObserveRoot)
}

// Check returns an error for an invalid tree.
func (t Tree) Check() error {
	if len(t.Tokens) == 0 || len(t.Tokens) > MaxTree {
		return fmt.Errorf("a tree of %d nodes, want 1 to %d", len(t.Tokens), MaxTree)
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

// Paths lists for each node the path from the root to it, as kernel.CausalInput wants it.
func (t Tree) Paths() [][]int32 {
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

// ReserveTree makes room for a tree and drops the previous one.
func (c *Cache) ReserveTree() error {
	c.tree = Tree{}
	if c.draft.buffer != nil {
		return nil
	}
	made, err := c.newChunk(MaxTree, Level8)
	if err == nil {
		c.draft = made
	}
	return err
}

// Draft returns the keys and values of the nodes [from, to) of a tree in a layer.
func (c *Cache) Draft(layer, from, to int) kernel.KeyValues {
	return c.draft.layers[layer].Span(from, to)
}

// SetTree records a tree whose keys and values were written to Draft, for Keep.
func (c *Cache) SetTree(t Tree) {
	c.tree = Tree{Tokens: slices.Clone(t.Tokens), Parents: slices.Clone(t.Parents)}
}

// FreeTree frees the memory of trees until ReserveTree.
func (c *Cache) FreeTree() error {
	err := c.give(&c.draft)
	c.draft, c.tree = chunk{}, Tree{}
	return err
}

// DropTree forgets the tree.
func (c *Cache) DropTree() { c.tree = Tree{} }

// Keep appends a path of the recorded tree, with its keys and values, and drops the rest.
// path starts at the root, each node the parent of the next; an empty one drops all.
func (c *Cache) Keep(path []int32) error {
	t := c.tree
	for i, node := range path {
		if node < 0 || int(node) >= len(t.Tokens) {
			return fmt.Errorf("node %d of a tree of %d", node, len(t.Tokens))
		}
		if i == 0 && node != 0 || i > 0 && t.Parents[node] != path[i-1] {
			return fmt.Errorf("nodes %v are no path from the root of a tree", path)
		}
	}
	if err := c.Reserve(c.Len() + len(path)); err != nil {
		return err
	}
	for _, node := range path {
		at := c.Len()
		chunk, row := c.chunks[at/c.shape.ChunkTokens], at%c.shape.ChunkTokens
		for l := range c.shape.Layers {
			from, to := c.Draft(l, int(node), int(node)+1), chunk.layers[l].Span(row, row+1)
			copyRows(to.K, from.K)
			copyRows(to.V, from.V)
		}
		c.tokens = append(c.tokens, t.Tokens[node])
	}
	if len(path) > 0 {
		c.density.add(t.observed, c.Len()-len(path), 1)
	}
	return c.Shrink()
}

func copyRows(to, from kernel.HeadRows) {
	copy(to.Bytes, from.Bytes)
	copy(to.Scale, from.Scale)
}
