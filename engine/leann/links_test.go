package leann

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
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
		got, err := parseLinks(b[len(before):], first)
		if err != nil {
			t.Fatal(err)
		}
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
		got, err := parseLinks(appendLinks(nil, 1<<31-1, links), 1<<31-1)
		if err != nil || !sameLinks(got, links) {
			t.Errorf("%d nodes read as %d, %v", len(links), len(got), err)
		}
	}
}

// TestLinksRefuseOtherBytes: what was cut or extended is refused, and what was
// changed unless it is what another graph is stored as.
func TestLinksRefuseOtherBytes(t *testing.T) {
	rng := seeded(t, 12)
	b := appendLinks(nil, 4096, randomLinks(rng, 4096, 60, 8))
	if _, err := parseLinks(append(slices.Clone(b), 0), 4096); err == nil {
		t.Error("a byte too many was taken")
	}
	for i := range b {
		if _, err := parseLinks(b[:i], 4096); err == nil {
			t.Errorf("%d of %d bytes were taken", i, len(b))
		}
		torn := slices.Clone(b)
		torn[i] ^= 1 << rng.IntN(8)
		if links, err := parseLinks(torn, 4096); err == nil && !bytes.Equal(appendLinks(nil, 4096, links), torn) {
			t.Errorf("byte %d was changed from %d to %d and taken", i, b[i], torn[i])
		}
	}
}

// TestLinksOfHostileBytes: memory grows with the input only.
func TestLinksOfHostileBytes(t *testing.T) {
	rng := seeded(t, 13)
	for _, fill := range []func() byte{
		func() byte { return 0 }, func() byte { return 0xff }, func() byte { return byte(rng.Uint32()) },
	} {
		for range 50 {
			b := make([]byte, 40)
			for i := range b {
				b[i] = fill()
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := parseLinks(b, 0)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Errorf("%x was taken", b)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
				t.Errorf("%x took %d bytes", b, used)
			}
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
		links, err := parseLinks(b, uint32(first))
		if err != nil {
			t.Fatal(err)
		}
		read.base = append(read.base, links...)
		bytes += len(b)
	}
	b := appendUpper(nil, full)
	if err := parseUpper(b, read); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d nodes of %.2f links: %.2f bytes each on level 0, %.2f above", full.Len(), full.Degree(),
		float64(bytes)/float64(full.Len()), float64(len(b))/float64(full.Len()))
	sameGraph(t, read, full)
}

// sameGraph fails unless both graphs hold the same links.
func sameGraph(t *testing.T, got, want *Graph) {
	t.Helper()
	if got.entry != want.entry || got.Len() != want.Len() || len(got.upper) != len(want.upper) {
		t.Fatalf("entry %d, %d nodes, %d of them high; want %d, %d, %d", got.entry, got.Len(), len(got.upper), want.entry, want.Len(), len(want.upper))
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
		if err := parseUpper(b, read); err != nil {
			t.Fatalf("%d nodes: %v", len(nodes), err)
		}
		sameGraph(t, read, g)
	}
}

func TestUpperRefuses(t *testing.T) {
	c := newCloud(seeded(t, 16), 2000, 4)
	g := c.graph(t, Shape{3, 5, 8})
	b := appendUpper(nil, g)
	for i := range b {
		read := NewGraph()
		read.base = g.base
		torn := slices.Clone(b)
		torn[i] ^= 0x10
		if parseUpper(b[:i], read) == nil {
			t.Errorf("%d of %d bytes were taken", i, len(b))
		}
		if read.entry != none || len(read.upper) != 0 || read.Len() != 0 {
			t.Fatal("a refused blob has changed the graph")
		}
		if parseUpper(torn, read) == nil && !bytes.Equal(appendUpper(nil, read), torn) {
			t.Errorf("byte %d was changed and taken", i)
		}
	}
	dangling := NewGraph()
	dangling.base = [][]uint32{{2}, nil, nil}
	if parseUpper(b, dangling) == nil {
		t.Error("a link to a missing node was taken")
	}
}

func FuzzParseLinks(f *testing.F) {
	rng := rand.New(rand.NewPCG(17, 0))
	for _, n := range []int{0, 1, 5, 60} {
		f.Add(appendLinks(nil, 70, randomLinks(rng, 70, n, 6)), uint32(70))
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff}, uint32(1<<31))
	f.Fuzz(func(t *testing.T, b []byte, first uint32) {
		links, err := parseLinks(b, first)
		if err != nil {
			return
		}
		for i, l := range links {
			for k, x := range l {
				if x == first+uint32(i) || k > 0 && x <= l[k-1] {
					t.Fatalf("node %d has links %v", first+uint32(i), l)
				}
			}
		}
		if again := appendLinks(nil, first, links); !bytes.Equal(again, b) {
			t.Fatalf("%x was taken for %x", b, again)
		}
	})
}

func FuzzParseUpper(f *testing.F) {
	c := newCloud(rand.New(rand.NewPCG(18, 0)), 700, 4)
	g := c.graph(f, Shape{3, 5, 8})
	b := appendUpper(nil, g)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		read := NewGraph()
		read.base = g.base
		if parseUpper(b, read) != nil {
			return
		}
		if again := appendUpper(nil, read); !bytes.Equal(again, b) {
			t.Fatalf("%x was taken for %x", b, again)
		}
	})
}

func BenchmarkParseLinks(b *testing.B) {
	c := newCloud(seeded(b, 19), linkBlock, 16)
	g := c.graph(b, Shape{4, 6, 32})
	coded := appendLinks(nil, 0, g.base)
	b.SetBytes(int64(len(coded)))
	for b.Loop() {
		if _, err := parseLinks(coded, 0); err != nil {
			b.Fatal(err)
		}
	}
}
