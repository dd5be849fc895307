package indexer_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/store"
)

// head reads what the index says of its graph.
func (b *bench) head() (head leann.GraphHead) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) (err error) {
		head, err = leann.ReadGraphHead(layout.VectorIndex{Tx: tx})
		return err
	}))
	return head
}

// TestGraphFollows: each chunk of an index that has codes is a node, whatever changes,
// and nothing is embedded for it.
func TestGraphFollows(t *testing.T) {
	b, rng := newBench(t), seeded(t, 301)
	f := b.fill(rng)
	r := b.run(b.root)
	if head := b.head(); head.Nodes != r.Chunks || head.Links < head.Nodes {
		t.Fatalf("%d chunks, graph %+v", r.Chunks, head)
	}
	b.must(b.db.View(func(tx *store.Tx) error {
		sizes, err := tx.Sizes()
		if sizes["graph"] < int64(2*r.Chunks) || sizes["graph"] > int64(8*r.Chunks) {
			t.Errorf("the graph of %d chunks takes %d bytes", r.Chunks, sizes["graph"])
		}
		return err
	}))
	b.embed.take()
	for range 4 {
		name := f.name(rng)
		f[name] = newSections(rng, 9)
		b.write(name, f[name].text())
		r = b.run()
		b.check()
		if again := b.embed.take(); len(again) != 9 {
			t.Errorf("%d chunks were embedded", len(again))
		}
		// What was replaced is erased, and its nodes go with it.
		if head := b.head(); head.Nodes != r.Chunks {
			t.Errorf("%d chunks, graph %+v", r.Chunks, head)
		}
	}
	options := b.options()
	options.NoGraph = true
	b.index = indexer.New(options)
	b.run()
	if head := b.head(); head.Stamp != 0 {
		t.Errorf("switched off, there is %+v", head)
	}
	b.index = indexer.New(b.options())
	if r = b.run(); b.head().Nodes != r.Chunks || len(b.embed.take()) > 0 {
		t.Errorf("%d chunks, switched on again there is %+v", r.Chunks, b.head())
	}
}

// TestGraphGoesOn: a run that ends in the middle of building leaves a sound graph,
// and the next one goes on where it was.
func TestGraphGoesOn(t *testing.T) {
	b, rng := newBench(t), seeded(t, 302)
	b.fill(rng)
	var nodes []int
	for {
		ctx, cancel := context.WithCancel(t.Context())
		// Each commit of the graph ends the run before the next step.
		before := b.head().Stamp
		options := b.options()
		options.Dot = &ending{Dotter: options.Dot, do: func() {
			if b.head().Stamp != before {
				cancel()
			}
		}}
		b.index = indexer.New(options)
		_, err := b.index.Run(ctx, []string{b.root})
		cancel()
		b.check()
		nodes = append(nodes, b.head().Nodes)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	t.Logf("nodes after each run: %v", nodes)
	if len(nodes) < 4 || !slices.IsSorted(nodes) || nodes[0] == nodes[len(nodes)-1] {
		t.Errorf("nodes after each run: %v", nodes)
	}
}

// ending is a Dotter that calls do now and then.
type ending struct {
	leann.Dotter
	calls int
	do    func()
}

func (e *ending) DotMany(scores, query []float32, raw []byte) {
	if e.calls++; e.calls%500 == 0 {
		e.do()
	}
	e.Dotter.DotMany(scores, query, raw)
}

// TestSearchWalks: searches by links give what searches by scan give where all vectors
// are recomputed, and the status tells which it is.
func TestSearchWalks(t *testing.T) {
	a := newArchive(t)
	if err := a.index(a.root); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(a.path, store.Options{Fingerprint: "test", ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	ledger := &memory.Ledger{}
	with := func(use string) *search.Engine {
		return search.New(search.Options{
			Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: a.embed, Vectors: vectorIndex, Graph: use, Ledger: ledger,
			Texts: a.texts, Model: "test", Memo: 1 << 20, Recompute: 1 << 16,
		})
	}
	on, off := with(layout.GraphOn), with(layout.GraphOff)
	for _, req := range archiveRequests {
		got, want := ask(on, req), ask(off, req)
		if got.err != nil || want.err != nil || !slices.Equal(got.passages, want.passages) {
			t.Errorf("%v gives %+v, by scan %+v", req, got, want)
		}
	}
	for e, walks := range map[*search.Engine]bool{on: true, off: false} {
		st, err := e.Status(t.Context())
		if err != nil || st.Graph == nil || st.Graph.Walks != walks || st.Graph.Nodes != st.Chunks || st.Bytes["graph"] == 0 {
			t.Errorf("status %+v, graph %+v, %v", st, st.Graph, err)
		}
	}
	held := int64(0)
	for _, p := range ledger.Snapshot() {
		if p.Name == "vectors.graph" {
			held = p.Bytes
		}
	}
	if held == 0 {
		t.Error("the ledger does not know of the graph")
	}
}
