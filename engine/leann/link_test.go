package leann

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// TestLink: all chunks become nodes, links take about the bytes wanted, and recall over
// them is what a graph should give.
func TestLink(t *testing.T) {
	c := newCloud(seeded(t, 51), 1500, 16)
	for _, wanted := range []float64{3, 5, 10} {
		m := newMemory(t, c.dim)
		m.add(seeded(t, 52), c, 0, c.size())
		done := m.link(LinkOptions{linkBytes: wanted})
		m.sound(below(1500), 1500)
		g, head := m.graph(), m.head()
		if done.added != 1500 || head.Nodes != 1500 || g.Nodes() != 1500 || head.Links != g.Links() || head.Hubs != g.Hubs() {
			t.Fatalf("%+v, %+v, a graph of %d nodes", done, head, g.Nodes())
		}
		got := float64(m.size()) / 1500
		t.Logf("%.0f bytes wanted, %.2f taken, %.2f links a node, %d hubs", wanted, got, degree(g), g.Hubs())
		if math.Abs(got-wanted) > 0.2*wanted+0.3 {
			t.Errorf("links of %.2f bytes a chunk, %.0f were wanted", got, wanted)
		}
		if again := m.linker(LinkOptions{}); again.Due() {
			t.Errorf("there is still something to link: %+v", again.done)
		}
	}
}

func (m *memory) head() GraphHead {
	m.t.Helper()
	h, err := ReadGraphHead(m)
	if err != nil {
		m.t.Fatal(err)
	}
	return h
}

// TestLinkInSteps: whatever step a build is cut off after, the one that goes on makes
// the same graph to the bit. So does a second one from the start.
func TestLinkInSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c := newCloud(seeded(t, 53), 1400, 16)
	fresh := newMemory(t, c.dim)
	fresh.add(seeded(t, 54), c, 0, c.size())
	want := fresh.clone()
	want.link(LinkOptions{})
	steps := 0
	m := fresh.clone()
	for l := m.linker(LinkOptions{}); l.Due(); l = m.linker(LinkOptions{}) {
		m.step(l) // and the process ends
		m.sound(below(1400), 1400)
		steps++
	}
	if steps < 5 || !m.equal(want) {
		t.Errorf("after %d builds that were cut off the graph is another one", steps)
	}
}

// TestLinkGrows: new chunks are linked to old ones that have codes, and search by
// links finds them.
func TestLinkGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	c := newCloud(seeded(t, 55), 1800, 16)
	m := newMemory(t, c.dim)
	m.add(seeded(t, 56), c, 0, 1300)
	m.link(LinkOptions{})
	m.quantize(QuantizeOptions{CodeBytes: 8})
	before := m.head()
	m.add(seeded(t, 57), c, 1300, 1800)
	m.sound(below(1800), 1800)
	if done := m.link(LinkOptions{}); done.added != 500 {
		t.Errorf("%+v", done)
	}
	m.sound(below(1800), 1800)
	after := m.head()
	if after.Stamp == before.Stamp || after.Nodes != 1800 {
		t.Errorf("head %+v, before %+v", after, before)
	}
	found, graph := 0.0, m.graph()
	queries := c.queries(seeded(t, 58), 40)
	for _, q := range queries {
		found += recall(bestFirst(c, graph, q, 5, 60, nil), c.best(q, 5, nil)) / float64(len(queries))
	}
	t.Logf("recall@5 %.3f", found)
	if found < 0.9 {
		t.Errorf("recall@5 over links is %.3f", found)
	}
}

// TestLinkOfLittle: an index that has no codes yet has no graph.
func TestLinkOfLittle(t *testing.T) {
	c := newCloud(seeded(t, 59), MinChunks, 8)
	m := newMemory(t, c.dim)
	m.add(seeded(t, 60), c, 0, MinChunks-1)
	if l := m.linker(LinkOptions{}); l.Due() {
		t.Errorf("%d chunks are to be linked", len(l.fresh))
	}
	m.add(seeded(t, 60), c, MinChunks-1, MinChunks)
	if done := m.link(LinkOptions{}); done.added != MinChunks {
		t.Errorf("%+v", done)
	}
}

// TestLinkDuplicates: the copies of a vector, as of repeated text, prefer each other.
func TestLinkDuplicates(t *testing.T) {
	c := newCloud(seeded(t, 61), 300, 16)
	for range 300 {
		c.of = append(c.of, c.Vector(7)...)
	}
	m := newMemory(t, c.dim)
	m.add(seeded(t, 62), c, 0, c.size())
	m.link(LinkOptions{least: 1})
	m.sound(below(600), 600)
}

// TestDeadNodes: who is gone stays as a tombstone until a block has a fifth of them,
// and then leaves no trace; ids that are given again are other nodes.
func TestDeadNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 63)
	c := newCloud(rng, 1500, 16)
	m := newMemory(t, c.dim)
	m.add(seeded(t, 64), c, 0, c.size())
	m.link(LinkOptions{})
	m.quantize(QuantizeOptions{CodeBytes: 8})
	gone := without{}
	for len(gone) < 200 {
		gone[uint32(rng.IntN(1500))] = true
	}
	opts := LinkOptions{Live: gone, DeadShare: VacuumShare}
	if l := m.linker(opts); l.Due() {
		t.Errorf("%d dead nodes are to be removed", len(l.dead))
	}
	m.sound(gone, 1500)
	for node := range uint32(700) {
		gone[node] = true
	}
	before, dead := m.clone(), len(gone)
	if done := m.link(opts); done.removed != dead || done.added != 0 {
		t.Errorf("%+v, want %d removed", done, dead)
	}
	m.sound(gone, 1500)
	g := m.graph()
	for node := range gone {
		if g.Has(node) {
			t.Errorf("node %d is still there", node)
		}
	}
	t.Logf("%.2f links a node, before %.2f", degree(g), degree(before.graph()))
	if degree(g) < 0.8*degree(before.graph()) {
		t.Errorf("%.2f links a node, before %.2f", degree(g), degree(before.graph()))
	}
	// Cut off after any step, the graph is sound, and what is dead goes in the end.
	all := LinkOptions{Live: gone}
	for l := before.linker(all); l.Due(); l = before.linker(all) {
		before.step(l)
		before.sound(gone, 1500)
	}
	if before.graph().Nodes() != g.Nodes() {
		t.Errorf("%d nodes after cuts, want %d", before.graph().Nodes(), g.Nodes())
	}
	// Number 3 is given again.
	delete(gone, 3)
	m.put(3, c.Vector(1234))
	if _, err := m.index().Vacuum(t.Context(), m, without{3: true}, 0); err != nil {
		t.Fatal(err)
	}
	if done := m.link(opts); done.added != 1 {
		t.Errorf("%+v", done)
	}
	if !slices.Contains(m.graph().levels[0].neighbours(3), 1234) {
		t.Errorf("chunk 3 is linked to %v", m.graph().levels[0].neighbours(3))
	}
}

// TestAllDead: nothing is left of a graph whose chunks are all gone.
func TestAllDead(t *testing.T) {
	c := newCloud(seeded(t, 65), 300, 8)
	m := newMemory(t, c.dim)
	m.add(seeded(t, 66), c, 0, c.size())
	m.link(LinkOptions{least: 1})
	m.link(LinkOptions{Live: below(0)})
	if len(m.blocks[Links]) > 0 || len(m.blocks[UpperLinks]) != 1 || m.graph().Nodes() != 0 {
		t.Errorf("%d and %d blocks are left", len(m.blocks[Links]), len(m.blocks[UpperLinks]))
	}
	if err := m.index().DropGraph(m); err != nil || m.graph() != nil {
		t.Errorf("dropped: %v", err)
	}
}

func TestHeldNodes(t *testing.T) {
	c := newCloud(seeded(t, 67), 40, 8)
	m := newMemory(t, c.dim)
	m.put(8, c.of[:10*c.dim])
	m.put(5000, c.of[10*c.dim:])
	m.link(LinkOptions{least: 1})
	var got []uint32
	if err := m.index().Held(m, func(chunk uint32) { got = append(got, chunk) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 40 || got[0] != 8 || got[10] != 5000 || !slices.IsSorted(got) {
		t.Errorf("nodes %v", got)
	}
}

func TestLinkEndsWithContext(t *testing.T) {
	c := newCloud(seeded(t, 68), 300, 8)
	m := newMemory(t, c.dim)
	m.add(seeded(t, 69), c, 0, c.size())
	ctx, cancel := context.WithCancel(t.Context())
	l := m.linker(LinkOptions{least: 1})
	cancel()
	if err := l.Step(ctx, m); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled step ended with %v", err)
	}
	if len(m.blocks[Links]) > 0 {
		t.Error("it left blocks")
	}
}
