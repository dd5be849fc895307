package rtf

// maxGroups is how deep groups stand within each other; what is deeper is read as if it stood there.
const maxGroups = 10_000

// Groups keeps what ends with a group.
type Groups[T any] struct {
	Now   T // of the innermost group
	outer []T
	deep  int // groups beyond maxGroups
}

// Open begins a group; false where it is too deep to have anything of its own.
func (g *Groups[T]) Open() bool {
	if len(g.outer) >= maxGroups {
		g.deep++
		return false
	}
	g.outer = append(g.outer, g.Now)
	return true
}

// Close ends a group and returns what held in it; false where it had nothing of its own.
func (g *Groups[T]) Close() (ended T, ok bool) {
	switch n := len(g.outer); {
	case g.deep > 0:
		g.deep--
		return ended, false
	case n == 0:
		return ended, false
	default:
		ended, g.Now, g.outer = g.Now, g.outer[n-1], g.outer[:n-1]
		return ended, true
	}
}

// Depth is how many groups are open.
func (g *Groups[T]) Depth() int { return len(g.outer) }
