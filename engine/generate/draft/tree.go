package draft

// Tree is a draft after the last emitted token, node 0. Node i follows node
// Parents[i] < i. Siblings have different tokens.
type Tree struct {
	Tokens  []int32
	Parents []int32 // -1 for the root
}

// NewTree returns a tree of the root alone.
func NewTree(root int32) Tree {
	return Tree{Tokens: []int32{root}, Parents: []int32{-1}}
}

// Len counts the nodes with the root.
func (t Tree) Len() int { return len(t.Tokens) }

// Child returns the child of a node that has the token, or -1.
func (t Tree) Child(parent, token int32) int32 {
	for i := int(parent) + 1; i < len(t.Tokens); i++ {
		if t.Parents[i] == parent && t.Tokens[i] == token {
			return int32(i)
		}
	}
	return -1
}

// Add returns the child of parent with the token, appending it if there is
// none.
func (t *Tree) Add(parent, token int32) int32 {
	if child := t.Child(parent, token); child >= 0 {
		return child
	}
	t.Tokens = append(t.Tokens, token)
	t.Parents = append(t.Parents, parent)
	return int32(len(t.Tokens) - 1)
}

// Depth returns a node's distance from the root.
func (t Tree) Depth(node int32) int {
	depth := 0
	for t.Parents[node] >= 0 {
		node = t.Parents[node]
		depth++
	}
	return depth
}

// Walk follows the predictions after each node from the root and returns the
// passed nodes. The emitted tokens are those of the nodes after the root, and
// the prediction after the last.
func (t Tree) Walk(predictions []int32) []int32 {
	path := []int32{0}
	for {
		last := path[len(path)-1]
		child := t.Child(last, predictions[last])
		if child < 0 {
			return path
		}
		path = append(path, child)
	}
}
