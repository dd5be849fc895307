package leann

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/internal/rangecode"
)

// randomLinks draws the links of n nodes from first on: missing nodes, lists
// of all lengths, near and far links, links that are returned.
func randomLinks(rng *rand.Rand, first uint32, n, degree int) [][]uint32 {
	links := make([][]uint32, n)
	for i := range links {
		if rng.IntN(9) == 0 {
			continue
		}
		links[i] = []uint32{}
	}
	for i := range links {
		if links[i] == nil {
			continue
		}
		node := first + uint32(i)
		for range rng.IntN(degree + 1) {
			x := node + 1<<rng.IntN(32)*(1-2*uint32(rng.IntN(2))) + uint32(rng.IntN(3))
			if rng.IntN(2) == 0 {
				x = first + uint32(rng.IntN(n))
			}
			if x == node {
				continue
			}
			links[i] = append(links[i], x)
			if j := int64(x) - int64(first); j >= 0 && j < int64(n) && links[j] != nil && rng.IntN(2) == 0 {
				links[j] = append(links[j], node)
			}
		}
	}
	for i, l := range links {
		slices.Sort(l)
		links[i] = slices.Compact(l)
	}
	return links
}

func sameLinks(a, b [][]uint32) bool {
	return slices.EqualFunc(a, b, func(x, y []uint32) bool { return (x == nil) == (y == nil) && slices.Equal(x, y) })
}

func TestLinksRoundTrip(t *testing.T) {
	rng := seeded(t, 11)
	for range 60 {
		first := uint32(rng.Uint64()) / 2
		switch rng.IntN(3) {
		case 0:
			first = 0
		case 1:
			first = none - linkBlock
		}
		links := randomLinks(rng, first, rng.IntN(200), 1+rng.IntN(40))
		before := []byte("before")
		b := appendLinks(before, first, links)
		if !bytes.HasPrefix(b, before) {
			t.Fatal("what stood before is gone")
		}
		got := parseLinks(t, b[len(before):], first)
		if !sameLinks(got, links) {
			t.Fatalf("from %d: wrote %v, read %v", first, links, got)
		}
	}
}

func TestLinksOfExtremeNodes(t *testing.T) {
	full := make([]uint32, maxDegree)
	for i := range full {
		full[i] = uint32(i) * (1 << 20)
	}
	all := make([][]uint32, linkBlock)
	all[linkBlock-1] = []uint32{0, none}
	for _, links := range [][][]uint32{nil, {nil}, {{}}, {{0, none}, nil}, {full}, make([][]uint32, linkBlock), all} {
		got := parseLinks(t, appendLinks(nil, 1<<31-1, links), 1<<31-1)
		if !sameLinks(got, links) {
			t.Errorf("%d nodes read as %d", len(links), len(got))
		}
	}
}

// TestGraphRoundTrip is T-L2's half about the codec: what is stored is the
// graph that was built.
func TestGraphRoundTrip(t *testing.T) {
	c := newCloud(seeded(t, 14), 5000, 8)
	full := NewGraph()
	nodes := slices.DeleteFunc(c.nodes(), func(node uint32) bool { return node%7 == 3 || node > 1000 && node < 3000 })
	if err := NewBuilder(full, c, Shape{3, 5, 12}).Insert(t.Context(), nodes, nil); err != nil {
		t.Fatal(err)
	}
	read, bytes := NewGraph(), 0
	for first := 0; first < full.Size(); first += linkBlock {
		b := appendLinks(nil, uint32(first), full.base[first:min(first+linkBlock, full.Size())])
		read.base = append(read.base, parseLinks(t, b, uint32(first))...)
		bytes += len(b)
	}
	b := appendUpper(nil, full)
	parseUpper(t, b, read)
	t.Logf("%d nodes of %.2f links: %.2f bytes each on level 0, %.2f above", full.nodes, degree(full),
		float64(bytes)/float64(full.nodes), float64(len(b))/float64(full.nodes))
	sameGraph(t, read, full)
}

// sameGraph fails unless both graphs hold the same links.
func sameGraph(t *testing.T, got, want *Graph) {
	t.Helper()
	if got.entry != want.entry || got.nodes != want.nodes || len(got.upper) != len(want.upper) {
		t.Fatalf("entry %d, %d nodes, %d of them high; want %d, %d, %d", got.entry, got.nodes, len(got.upper), want.entry, want.nodes, len(want.upper))
	}
	if !sameLinks(got.base, want.base) {
		t.Fatal("level 0 differs")
	}
	for node, levels := range want.upper {
		if !slices.EqualFunc(got.upper[node], levels, slices.Equal) {
			t.Fatalf("node %d has %v above, want %v", node, got.upper[node], levels)
		}
	}
}

func TestUpperOfSmallGraphs(t *testing.T) {
	c := newCloud(seeded(t, 15), 400, 8)
	for _, nodes := range [][]uint32{nil, {0}, {5, 399}, c.nodes()} {
		g := NewGraph()
		if err := NewBuilder(g, c, Shape{4, 6, 16}).Insert(t.Context(), nodes, nil); err != nil {
			t.Fatal(err)
		}
		b := appendUpper(nil, g)
		read := NewGraph()
		read.base = g.base
		parseUpper(t, b, read)
		sameGraph(t, read, g)
	}
}

// linkReader is the coder that reads what a linkWriter wrote.
type linkReader struct{ rangecode.Decoder }

func newLinkReader(in []byte) *linkReader { return &linkReader{rangecode.NewDecoder(in)} }

func (r *linkReader) code(p *chance, _ int) int {
	bit := r.Bit(p.Chance)
	p.Learn(bit, chanceRate)
	return bitOf(bit)
}

func (r *linkReader) plain(_ uint32, n int) uint32 { return uint32(r.Raw(uint(n))) }

// parseLinks reads what appendLinks wrote.
func parseLinks(t *testing.T, b []byte, first uint32) [][]uint32 {
	t.Helper()
	r, m := newLinkReader(b), newLinkModel()
	n := int(m.nodes.code(r, 0))
	c := newLinkCoder(r, m, first, n)
	for range n {
		c.optional(nil)
	}
	if !r.Ended() {
		t.Fatalf("the links of %d nodes from %d on take more or fewer bytes than were written", n, first)
	}
	return c.links
}

// parseUpper completes a graph of which only level 0 is there from what
// appendUpper wrote for the same nodes.
func parseUpper(t *testing.T, b []byte, g *Graph) {
	t.Helper()
	r, m, levels := newLinkReader(b), newLinkModel(), g.ranks()
	if top := levels[len(levels)-1]; len(top) > 0 {
		g.entry = top[m.nodes.code(r, 0)]
	}
	for _, nodes := range levels[1:] {
		c := newLinkCoder(r, m, 0, len(nodes))
		for _, node := range nodes {
			c.list(nil)
			links := slices.Clone(c.got) // the coder goes on to look at its own
			for i, rank := range links {
				links[i] = nodes[rank]
			}
			g.upper[node] = append(g.upper[node], links)
		}
	}
	if !r.Ended() {
		t.Fatal("the upper levels take more or fewer bytes than were written")
	}
	g.nodes = len(levels[0])
}
