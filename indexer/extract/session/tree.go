package session

import (
	"maps"
	"slices"
	"strings"
)

// node is a message of a tree.
type node struct {
	parent   string
	children []string
	turn     turn
}

// walk returns the turns of a tree: those on the way to current first, then each way that left another one, as a branch
// of its own. Each message is read once, whatever the tree says.
func walk(nodes map[string]*node, current string) (turns []turn) {
	onWay, seen := map[string]bool{}, map[string]bool{}
	for id := current; nodes[id] != nil && !onWay[id]; id = nodes[id].parent {
		onWay[id] = true
	}
	ways := slices.DeleteFunc(slices.Sorted(maps.Keys(nodes)), func(id string) bool { return nodes[nodes[id].parent] != nil })
	slices.SortStableFunc(ways, func(a, b string) int { return order(onWay[b]) - order(onWay[a]) })
	for branch := 1; len(ways) > 0; {
		id := ways[0]
		ways = ways[1:]
		before := len(turns)
		for n := nodes[id]; n != nil && !seen[id]; n = nodes[id] {
			seen[id] = true
			if n.turn.who != "" && strings.TrimSpace(n.turn.text) != "" {
				n.turn.branch = branch
				turns = append(turns, n.turn)
			}
			id = ""
			for _, child := range n.children {
				if id == "" || onWay[child] && !onWay[id] {
					id, child = child, id
				}
				if child != "" {
					ways = append(ways, child)
				}
			}
		}
		if len(turns) > before {
			branch++
		}
	}
	return turns
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
}
