package leann

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// degree returns the mean number of links of a node on level 0, in both directions.
func degree(g *Graph) float64 { return 2 * float64(g.levels[0].links) / float64(max(g.Nodes(), 1)) }

func TestLevels(t *testing.T) {
	const n = 1 << 20
	var count [maxLevel + 1]int
	for node := range uint32(n) {
		for level := range levelOf(node) + 1 {
			count[level]++
		}
	}
	for level, want := 1, n/levelShare; want > 100; level, want = level+1, want/levelShare {
		if got := count[level]; got < want*8/10 || got > want*12/10 {
			t.Errorf("%d of %d nodes on level %d, want about %d", got, n, level, want)
		}
	}
}

func TestGraphOfNothing(t *testing.T) {
	g := newGraph()
	if g.Has(0) || g.Nodes() != 0 || g.entry() != none || g.top() != 0 || g.Hubs() != 0 || g.Links() != 0 {
		t.Errorf("an empty graph has %d nodes below %d", g.Nodes(), g.size)
	}
	m := newMemory(t, 8)
	if m.graph() != nil {
		t.Error("an index without a graph has one")
	}
	m.sound(below(0), 0)
	if m.link(LinkOptions{}) != (linked{}) || len(m.blocks[UpperLinks]) > 0 {
		t.Error("nothing was linked")
	}
}

// TestLayerIsASetOfLinks compares with a map of pairs.
func TestLayerIsASetOfLinks(t *testing.T) {
	rng := seeded(t, 11)
	g, owned := newGraph(), map[[2]uint32]bool{}
	const n = 40
	for node := range uint32(n) {
		g.add(node)
	}
	l := &g.levels[0]
	for range 4000 {
		a, b := uint32(rng.IntN(n)), uint32(rng.IntN(n))
		if a == b {
			continue
		}
		switch {
		case owned[[2]uint32{a, b}] && rng.IntN(2) == 0:
			l.unlink(a, b)
			delete(owned, [2]uint32{a, b})
		case !owned[[2]uint32{a, b}] && !owned[[2]uint32{b, a}]:
			l.link(a, b)
			owned[[2]uint32{a, b}] = true
		}
	}
	if l.links != len(owned) || len(owned) == 0 {
		t.Fatalf("%d links, want %d", l.links, len(owned))
	}
	for a := range uint32(n) {
		var own, all []uint32
		for b := range uint32(n) {
			if owned[[2]uint32{a, b}] {
				own = append(own, b)
			}
			linked, owner := l.linked(a, b)
			if linked != (owned[[2]uint32{a, b}] || owned[[2]uint32{b, a}]) || linked && !owned[[2]uint32{owner, a + b - owner}] {
				t.Fatalf("%d and %d are linked by %d: %v", a, b, owner, linked)
			}
			if linked {
				all = append(all, b)
			}
		}
		if !slices.Equal(l.own(a), own) || !slices.Equal(l.neighbours(a), all) || l.degree(a) != len(all) {
			t.Fatalf("node %d owns %v of %v, want %v of %v", a, l.own(a), l.neighbours(a), own, all)
		}
	}
	for node := range uint32(n) {
		g.remove(node)
	}
	if g.Nodes() != 0 || g.Links() != 0 {
		t.Errorf("%d nodes and %d links are left", g.Nodes(), g.Links())
	}
}

// randomLists draws the lists of a block: missing nodes, lists of all lengths, near and
// far links.
func randomLists(rng *rand.Rand, place blockPlace, degree int) []linkList {
	level, first, span, _ := place.level()
	var lists []linkList
	slots(level, first, span, func(_ int, id uint32) bool {
		if rng.IntN(9) == 0 {
			return true
		}
		l := linkList{node: id}
		for range rng.IntN(degree + 1) {
			x := id + 1<<rng.IntN(32)*(1-2*uint32(rng.IntN(2))) + uint32(rng.IntN(3))
			if x != id && x != none {
				l.to = append(l.to, x)
			}
		}
		slices.Sort(l.to)
		l.to = slices.Compact(l.to)
		lists = append(lists, l)
		return len(lists) < 300
	})
	return lists
}

func sameLists(a, b []linkList) bool {
	return slices.EqualFunc(a, b, func(x, y linkList) bool { return x.node == y.node && slices.Equal(x.to, y.to) })
}

func TestLinksRoundTrip(t *testing.T) {
	rng := seeded(t, 12)
	last := blockPlace{Links, 1<<(32-blockBits) - 1}
	for _, place := range []blockPlace{{Links, 0}, {Links, 7}, {Links, 1 << 19}, last, placeOf(1, 0), placeOf(2, 1<<30), placeOf(maxLevel, none-1)} {
		for range 6 {
			lists := randomLists(rng, place, 1+rng.IntN(30))
			b, err := appendLinks([]byte("before"), place, lists)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(b, []byte("before")) {
				t.Fatal("what stood before is gone")
			}
			got, err := parseLinks(place, b[len("before"):])
			if err != nil || !sameLists(got, lists) {
				t.Fatalf("%v: wrote %v, read %v, %v", place, lists, got, err)
			}
		}
	}
	full := linkList{node: 5}
	for i := range uint32(maxOwn) {
		full.to = append(full.to, 6+i*(1<<24))
	}
	b, err := appendLinks(nil, blockPlace{Links, 0}, []linkList{full})
	if got, bad := parseLinks(blockPlace{Links, 0}, b); err != nil || bad != nil || !sameLists(got, []linkList{full}) {
		t.Errorf("the longest list: %v, %v", err, bad)
	}
	if _, err := appendLinks(nil, blockPlace{Links, 0}, []linkList{{node: blockSize}}); err == nil {
		t.Error("a node of another block was written")
	}
}

// FuzzLinks: any bytes are refused or read as lists that are written as such again.
func FuzzLinks(f *testing.F) {
	rng := rand.New(rand.NewPCG(13, 0))
	for _, place := range []blockPlace{{Links, 3}, placeOf(1, 0)} {
		b, err := appendLinks(nil, place, randomLists(rng, place, 6))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(place.part), place.key, b)
	}
	f.Add(uint8(Links), uint32(1<<20), []byte{1, 0})
	f.Add(uint8(UpperLinks), uint32(1<<31), []byte{1, 0})
	f.Fuzz(func(t *testing.T, part uint8, key uint32, value []byte) {
		place := blockPlace{Part(part), key}
		lists, err := parseLinks(place, value)
		if err != nil {
			return
		}
		for _, l := range lists {
			if !ascending(l) {
				t.Fatalf("node %d has links %v", l.node, l.to)
			}
		}
		b, err := appendLinks(nil, place, lists)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseLinks(place, b)
		if err != nil || !sameLists(again, lists) {
			t.Fatalf("read %v, then %v, %v", lists, again, err)
		}
	})
}

// graphDamage is a way to spoil a graph, and what Check says of it when ids are below end.
type graphDamage struct {
	want string
	end  uint32
	do   func(m *memory)
}

// relist changes the lists of a block.
func (m *memory) relist(place blockPlace, change func(lists []linkList) []linkList) {
	m.t.Helper()
	lists, err := parseLinks(place, m.blocks[place.part][place.key])
	if err != nil {
		m.t.Fatal(err)
	}
	value, err := appendLinks(nil, place, change(lists))
	if err != nil {
		m.t.Fatal(err)
	}
	m.blocks[place.part][place.key] = value
}

// lastOwner returns the last list that has links.
func lastOwner(lists []linkList) *linkList {
	for i := len(lists) - 1; ; i-- {
		if len(lists[i].to) > 0 {
			return &lists[i]
		}
	}
}

// graphDamages are all the ways that Check knows to tell apart.
func graphDamages() []graphDamage {
	base, upper := placeOf(0, 0), placeOf(1, 0)
	return []graphDamage{
		{"cannot have been written", 600, func(m *memory) { m.blocks[Links][0] = m.blocks[Links][0][:200] }},
		{"cannot have been written", 600, func(m *memory) { m.blocks[Links][0][0]++ }},
		{"cannot have been written", 600, func(m *memory) { m.blocks[Links][0] = append(m.blocks[Links][0], "more than was written"...) }},
		{"cut short", 600, func(m *memory) { m.blocks[UpperLinks][0] = m.blocks[UpperLinks][0][:4] }},
		{"has no head", 600, func(m *memory) { delete(m.blocks[UpperLinks], 0) }},
		{"its head says", 600, func(m *memory) {
			m.relist(base, func(l []linkList) []linkList { lastOwner(l).to = lastOwner(l).to[1:]; return l })
		}},
		{"which is no node there", 600, func(m *memory) {
			m.relist(base, func(l []linkList) []linkList { lastOwner(l).to = []uint32{3000}; return l })
		}},
		{"two links", 600, func(m *memory) {
			m.relist(base, func(l []linkList) []linkList {
				owner := lastOwner(l)
				back := &l[owner.to[0]]
				back.to = append(back.to, owner.node)
				slices.Sort(back.to)
				return l
			})
		}},
		{"is not on all levels", 600, func(m *memory) {
			m.relist(upper, func(l []linkList) []linkList { return l[:len(l)-1] })
		}},
		{"never given", 500, func(*memory) {}},
		{"no links lead to node", 600, func(m *memory) {
			l := m.linker(LinkOptions{least: 1})
			for _, x := range l.graph.levels[0].neighbours(77) {
				l.graph.levels[0].unlink(77, x)
				l.graph.levels[0].unlink(x, 77)
				l.touch(0, x)
			}
			l.touch(0, 77)
			if err := l.Write(m); err != nil {
				m.t.Fatal(err)
			}
		}},
	}
}

// TestCheckFindsDamageOfGraph spoils a graph in every way. A repair and a Linker leave
// nothing of it.
func TestCheckFindsDamageOfGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c := newCloud(seeded(t, 14), 600, 16)
	whole := newMemory(t, c.dim)
	whole.add(seeded(t, 15), c, 0, c.size())
	whole.link(LinkOptions{least: 1})
	whole.sound(below(600), 600)
	for _, damage := range graphDamages() {
		m := whole.clone()
		damage.do(m)
		found := m.problems(below(600), damage.end)
		if !slices.ContainsFunc(found, func(what string) bool { return strings.Contains(what, damage.want) }) {
			t.Errorf("want %q, found %q", damage.want, found)
		}
		if damage.end < 600 {
			continue
		}
		if damage.want != "no links lead to node" { // which only Check looks for
			again := m.clone()
			again.link(LinkOptions{least: 1})
			again.sound(below(600), 600)
		}
		if err := m.index().Repair(t.Context(), m, below(600), 600); err != nil {
			t.Fatal(err)
		}
		m.sound(below(600), 600)
		m.link(LinkOptions{least: 1})
		m.sound(below(600), 600)
		if g := m.graph(); g.Nodes() != 600 {
			t.Errorf("%s: %d nodes after the repair", damage.want, g.Nodes())
		}
	}
}
