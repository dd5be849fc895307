package lexical_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/lexical"
)

// bruteForce is BM25 as it is written in books, straight over the terms of
// every live document: the slow twin of Search.
func bruteForce(documents map[uint32][]string, q lexical.Query, k int, allow *lexical.Set) []lexical.Hit {
	length := int64(0)
	for _, terms := range documents {
		length += int64(len(terms))
	}
	n := float64(len(documents))
	average := float64(length) / n
	scores := map[uint32]*lexical.Hit{}
	for _, term := range q {
		counts := map[uint32]int{}
		for id, terms := range documents {
			for _, t := range terms {
				if t == term.Term {
					counts[id]++
				}
			}
		}
		df := float64(len(counts))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for id, count := range counts {
			if !allow.Has(id) {
				continue
			}
			if scores[id] == nil {
				scores[id] = &lexical.Hit{Chunk: id}
			}
			tf := float64(count)
			relative := float64(0.4 * float64(float64(len(documents[id]))/average))
			saturation := tf / (tf + float64(0.9*float64(0.6+relative)))
			scores[id].Score += float64(term.Weight * idf * saturation)
			scores[id].Matched++
		}
	}
	hits := []lexical.Hit{}
	for _, hit := range scores {
		hits = append(hits, *hit)
	}
	slices.SortFunc(hits, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return hits[:min(k, len(hits))]
}

// world is an index in a memoryStore next to the documents it should hold.
type world struct {
	t         *testing.T
	random    *rand.Rand
	store     *memoryStore
	documents map[uint32][]string
	next      uint32
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Logf("seed %d", seed)
	return &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), store: newMemoryStore(), documents: map[uint32][]string{}}
}

// term is drawn so that few are frequent and many are rare.
func (w *world) term() string {
	return fmt.Sprintf("term%d", int(math.Exp(w.random.Float64()*7)))
}

func (w *world) batch(documents int) {
	b := lexical.NewBuilder()
	for range documents {
		var terms []string
		for range w.random.IntN(60) {
			terms = append(terms, w.term())
		}
		b.Add(w.next, terms)
		w.documents[w.next] = terms
		w.next += 1 + uint32(w.random.IntN(3))
	}
	if _, err := b.Write(w.store); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) kill(share float64) {
	for _, id := range w.ids() {
		if w.random.Float64() < share {
			delete(w.documents, id)
		}
	}
}

func (w *world) ids() []uint32 {
	var ids []uint32
	for id := range w.documents {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (w *world) live() *lexical.Set {
	live := lexical.NewSet(w.next)
	for id := range w.documents {
		live.Add(id)
	}
	return live
}

// compare holds searches against the twin, to the last bit.
func (w *world) compare(queries int) {
	w.t.Helper()
	c, err := lexical.NewCollection(w.store, w.live())
	if err != nil {
		w.t.Fatal(err)
	}
	for range queries {
		q, used := lexical.Query{}, map[string]bool{}
		for range 1 + w.random.IntN(5) {
			if term := w.term(); !used[term] {
				used[term] = true
				q = append(q, lexical.QueryTerm{Term: term, Weight: float64(1 + w.random.IntN(2))})
			}
		}
		var allow *lexical.Set
		if w.random.IntN(2) == 0 {
			allow = lexical.NewSet(w.next)
			allow.AddRange(uint32(w.random.IntN(int(w.next)+1)), uint32(w.random.IntN(200)))
		}
		k := w.random.IntN(30)
		got, err := c.Search(context.Background(), w.store, q, k, allow)
		if err != nil {
			w.t.Fatal(err)
		}
		if want := bruteForce(w.documents, q, k, allow); !slices.Equal(got.Hits, want) {
			w.t.Fatalf("query %v, k %d:\n got %v\nwant %v", q, k, got.Hits, want)
		}
	}
}

func (w *world) check() {
	w.t.Helper()
	_, err := lexical.Check(context.Background(), w.store, w.live(), w.next, func(what string) { w.t.Errorf("check: %s", what) })
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestSearchEqualsBruteForce(t *testing.T) {
	for seed := range uint64(6) {
		w := newWorld(t, seed)
		for range 12 {
			w.batch(1 + w.random.IntN(40))
			w.kill(0.1)
			w.compare(8)
			if w.random.IntN(2) == 0 {
				if _, err := lexical.MergeDue(context.Background(), w.store, w.live()); err != nil {
					t.Fatal(err)
				}
				w.compare(8)
			}
			w.check()
		}
	}
}

// TestMergeEqualsRebuild holds that merging everything gives the bytes that
// building from the live chunks alone would have given.
func TestMergeEqualsRebuild(t *testing.T) {
	w := newWorld(t, 7)
	for range 9 {
		w.batch(30)
		w.kill(0.2)
	}
	ids, err := w.store.Segments()
	if err != nil {
		t.Fatal(err)
	}
	if err := lexical.Merge(context.Background(), w.store, ids, w.live()); err != nil {
		t.Fatal(err)
	}
	rebuilt, b := newMemoryStore(), lexical.NewBuilder()
	for _, id := range w.ids() {
		b.Add(id, w.documents[id])
	}
	segment, err := b.Write(rebuilt)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := w.store.Segments()
	if err != nil || len(merged) != 1 {
		t.Fatalf("segments %v, error %v", merged, err)
	}
	if string(w.store.headers[merged[0]]) != string(rebuilt.headers[segment]) {
		t.Error("headers differ")
	}
	if len(w.store.blocks[merged[0]]) != len(rebuilt.blocks[segment]) {
		t.Fatalf("%d blocks, rebuilt %d", len(w.store.blocks[merged[0]]), len(rebuilt.blocks[segment]))
	}
	for first, block := range rebuilt.blocks[segment] {
		if string(w.store.blocks[merged[0]][first]) != string(block) {
			t.Errorf("block %q differs", first)
		}
	}
}

// TestMergeDueBounds counts what merging costs: segments stay few and bytes
// are rewritten no more often than there are tiers.
func TestMergeDueBounds(t *testing.T) {
	w := newWorld(t, 3)
	once := int64(0)
	for range 200 {
		before := w.store.written
		w.batch(2)
		once += w.store.written - before
		if _, err := lexical.MergeDue(context.Background(), w.store, w.live()); err != nil {
			t.Fatal(err)
		}
	}
	w.check()
	segments, err := w.store.Segments()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d segments, each byte written %.2f times", len(segments), float64(w.store.written)/float64(once))
	if len(segments) > 7*4 || w.store.written > 5*once {
		t.Errorf("%d segments, %d bytes written of %d", len(segments), w.store.written, once)
	}
	w.kill(1)
	for {
		merged, err := lexical.MergeDue(context.Background(), w.store, w.live())
		if err != nil {
			t.Fatal(err)
		}
		if merged == 0 {
			break
		}
	}
	if segments, err = w.store.Segments(); err != nil || len(segments) != 0 {
		t.Errorf("segments %v of an empty index, error %v", segments, err)
	}
}

func TestContaining(t *testing.T) {
	w := newWorld(t, 11)
	w.batch(100)
	w.batch(100)
	w.kill(0.2)
	c, err := lexical.NewCollection(w.store, w.live())
	if err != nil {
		t.Fatal(err)
	}
	terms := []string{"term2", "term3"}
	all, err := c.Containing(context.Background(), w.store, [][]string{{"term2"}, {"term3"}})
	if err != nil {
		t.Fatal(err)
	}
	some, err := c.ContainingAny(context.Background(), w.store, terms)
	if err != nil {
		t.Fatal(err)
	}
	none, err := c.Containing(context.Background(), w.store, [][]string{{"term2"}, {"nowhere"}})
	if err != nil || none.Len() != 0 {
		t.Errorf("%d chunks with a term that is nowhere, error %v", none.Len(), err)
	}
	for id := range w.next {
		document := w.documents[id]
		two, three := slices.Contains(document, "term2"), slices.Contains(document, "term3")
		if all.Has(id) != (two && three) || some.Has(id) != (two || three) {
			t.Errorf("chunk %d: all %v, some %v, has %v and %v", id, all.Has(id), some.Has(id), two, three)
		}
	}
}

func TestSearchStops(t *testing.T) {
	w := newWorld(t, 1)
	w.batch(5)
	c, err := lexical.NewCollection(w.store, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Search(ctx, w.store, lexical.Query{{Term: "term2", Weight: 1}}, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestEmpty(t *testing.T) {
	store, b := newMemoryStore(), lexical.NewBuilder()
	if _, err := b.Write(store); err != nil || len(store.headers) != 0 {
		t.Fatalf("an empty batch wrote %d segments, error %v", len(store.headers), err)
	}
	c, err := lexical.NewCollection(store, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.Search(context.Background(), store, lexical.Query{{Term: "word", Weight: 1}}, 5, nil)
	if err != nil || len(result.Hits) != 0 {
		t.Errorf("hits %v, error %v", result.Hits, err)
	}
	b.Add(4, nil)
	b.Add(4, nil)
	if _, err := b.Write(store); err == nil {
		t.Error("a chunk was added twice without an error")
	}
}

func TestCheckFindsDamage(t *testing.T) {
	w := newWorld(t, 5)
	w.batch(50)
	w.batch(50)
	segments, err := w.store.Segments()
	if err != nil {
		t.Fatal(err)
	}
	problems := func(live *lexical.Set, next uint32) (n int) {
		if _, err := lexical.Check(context.Background(), w.store, live, next, func(string) { n++ }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := problems(w.live(), w.next); n != 0 {
		t.Fatalf("%d problems in a sound index", n)
	}
	if problems(w.live(), w.next-40) == 0 {
		t.Error("chunks that were never given went unnoticed")
	}
	more := w.live()
	more.Add(w.next)
	if problems(more, w.next+1) == 0 {
		t.Error("a live chunk in no segment went unnoticed")
	}
	// A flipped letter of a term can give another term in the same order,
	// which only the store's checksum tells; all else must be noticed.
	flipped, missed := 0, 0
	for _, block := range w.store.blocks[segments[0]] {
		for bit := 0; bit < 8*len(block); bit += 7 {
			block[bit/8] ^= 1 << (bit % 8)
			if problems(w.live(), w.next) == 0 {
				missed++
			}
			flipped++
			block[bit/8] ^= 1 << (bit % 8)
		}
		break
	}
	if missed*10 > flipped {
		t.Errorf("%d of %d flipped bits went unnoticed", missed, flipped)
	}
}

func BenchmarkSearch10k(b *testing.B) {
	analyzer, store := lexical.NewAnalyzer(), newMemoryStore()
	set := loadSet(b, "npl")
	builder := lexical.NewBuilder()
	for i, text := range set.texts[:10000] {
		builder.Add(uint32(i), analyzer.Append(nil, text))
	}
	if _, err := builder.Write(store); err != nil {
		b.Fatal(err)
	}
	reader := newSortedReader(store)
	c, err := lexical.NewCollection(reader, nil)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		q := analyzer.Query(set.queries[i%len(set.queries)].text)
		if _, err := c.Search(context.Background(), reader, q, 100, nil); err != nil {
			b.Fatal(err)
		}
	}
}
