package leann

import (
	"context"
	"slices"
)

// Space gives the vectors that a graph is built over. Both methods are called
// from one goroutine.
type Space interface {
	// Vector returns the vector of a node, of unit length or near it. The
	// slice is valid until Vector was called spaceVectors times more.
	Vector(node uint32) []float32
	// Dot is the inner product of two vectors.
	Dot(a, b []float32) float32
}

// spaceVectors is how many vectors of a Space are held at a time.
const spaceVectors = 4

// Shape says how many links nodes get.
type Shape struct {
	Own  int // links that a node chooses when it is inserted (HNSW's M)
	Cap  int // links that level 0 holds at most after others linked back
	Beam int // candidates looked at for each node (HNSW's efConstruction)
}

// Builder inserts nodes into a graph.
type Builder struct {
	graph *Graph
	space Space
	// shape gives the bounds of a node: hub-preserving pruning has two kinds.
	shape func(node uint32) Shape
	seen  marks
	open  queue // to be expanded, best first
	found queue // best so far, worst at the root
}

// NewBuilder returns a Builder for nodes of one shape.
func NewBuilder(g *Graph, space Space, shape Shape) *Builder {
	return newBuilder(g, space, func(uint32) Shape { return shape })
}

func newBuilder(g *Graph, space Space, shape func(uint32) Shape) *Builder {
	return &Builder{graph: g, space: space, shape: shape, found: queue{worst: true}}
}

// Insert adds nodes in order. step, if not nil, is called after each; it may
// wait, to leave the processor to others.
func (b *Builder) Insert(ctx context.Context, nodes []uint32, step func(done int)) error {
	for i, node := range nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.insert(node)
		if step != nil {
			step(i + 1)
		}
	}
	return nil
}

// insert is HNSW's Algorithm 1 (Malkov and Yashunin): descend to the node's
// level, and from there on link it on every level to the candidates that the
// diversity heuristic leaves.
func (b *Builder) insert(node uint32) {
	g := b.graph
	g.add(node)
	if g.entry == none {
		g.raise(node)
		return
	}
	query := slices.Clone(b.space.Vector(node))
	at := scored{g.entry, b.space.Dot(query, b.space.Vector(g.entry))}
	level := len(g.upper[node])
	for l := g.top(); l > level; l-- {
		at = b.greedy(query, at, l)
	}
	shape := b.shape(node)
	for l := min(level, g.top()); l >= 0; l-- {
		near := b.search(query, at, l, shape.Beam)
		links := b.diverse(near, shape.Own)
		numbers := make([]uint32, len(links))
		for i, s := range links {
			numbers[i] = s.node
		}
		g.set(node, l, numbers)
		for _, s := range links {
			b.linkBack(s.node, node, s.score, l)
		}
		at = near[0]
	}
	g.raise(node)
}

// greedy walks one level to the node nearest to query.
func (b *Builder) greedy(query []float32, at scored, level int) scored {
	for moved := true; moved; {
		moved = false
		for _, n := range b.graph.Links(at.node, level) {
			if s := (scored{n, b.space.Dot(query, b.space.Vector(n))}); s.before(at) {
				at, moved = s, true
			}
		}
	}
	return at
}

// search is the beam search of one level (HNSW's Algorithm 2): the best width
// nodes found, best first.
func (b *Builder) search(query []float32, from scored, level, width int) []scored {
	b.seen.reset(b.graph.Size())
	b.open.clear()
	b.found.clear()
	b.seen.add(from.node)
	b.open.push(from)
	b.found.push(from)
	for b.open.len() > 0 {
		at := b.open.pop()
		if b.found.len() >= width && b.found.root().before(at) {
			break
		}
		for _, n := range b.graph.Links(at.node, level) {
			if !b.seen.add(n) {
				continue
			}
			s := scored{n, b.space.Dot(query, b.space.Vector(n))}
			if b.found.offer(s, width) {
				b.open.push(s)
			}
		}
	}
	near := slices.Clone(b.found.items)
	slices.SortFunc(near, compareScored)
	return near
}

// diverse is HNSW's heuristic (Algorithm 4): of the candidates, best first,
// keep one only if it is nearer to the node than to all kept before, and then
// fill up with the best of those left out.
func (b *Builder) diverse(near []scored, n int) []scored {
	if len(near) <= n {
		return near
	}
	kept := make([]scored, 0, n)
	vectors := make([][]float32, 0, n)
	var left []scored
	for _, s := range near {
		if len(kept) == n {
			break
		}
		vector := b.space.Vector(s.node)
		if b.covered(vector, s.score, vectors) {
			left = append(left, s)
			continue
		}
		kept = append(kept, s)
		vectors = append(vectors, slices.Clone(vector))
	}
	// Filling up keeps groups of near-duplicates connected to each other.
	return append(kept, left[:min(len(left), n-len(kept))]...)
}

// covered reports whether a vector is nearer to one of the kept than score.
func (b *Builder) covered(vector []float32, score float32, kept [][]float32) bool {
	for _, k := range kept {
		if b.space.Dot(vector, k) > score {
			return true
		}
	}
	return false
}

// linkBack adds the link at -> node, and if at then has too many keeps a
// diverse choice.
func (b *Builder) linkBack(at, node uint32, score float32, level int) {
	links := b.graph.Links(at, level)
	if slices.Contains(links, node) {
		return
	}
	shape := b.shape(at)
	most := shape.Own
	if level == 0 {
		most = shape.Cap
	}
	if len(links) < most {
		b.graph.set(at, level, append(slices.Clone(links), node))
		return
	}
	vector := slices.Clone(b.space.Vector(at))
	near := make([]scored, 0, len(links)+1)
	for _, n := range links {
		near = append(near, scored{n, b.space.Dot(vector, b.space.Vector(n))})
	}
	near = append(near, scored{node, score})
	slices.SortFunc(near, compareScored)
	kept := b.diverse(near, most)
	numbers := make([]uint32, len(kept))
	for i, s := range kept {
		numbers[i] = s.node
	}
	b.graph.set(at, level, numbers)
}
