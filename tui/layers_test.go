package tui

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// chunks returns the passages in the list, from the first.
func (s *screen) chunks() []uint32 {
	var out []uint32
	for _, p := range s.model.results.passages {
		out = append(out, p.ChunkID)
	}
	return out
}

// ranks fails unless the list has these chunks, with the ranks 1, 2, 3...
func (s *screen) ranks(when string, want ...uint32) {
	s.t.Helper()
	if got := s.chunks(); !slices.Equal(got, want) {
		s.t.Errorf("%s: chunks %v, want %v", when, got, want)
	}
	for i, p := range s.model.results.passages {
		if p.Rank != i+1 {
			s.t.Errorf("%s: passage %d has rank %d", when, i+1, p.Rank)
		}
	}
}

// reranking types a query of five results, ranked 5 2 1 3 4, and lets the keys
// rest until the reranking has begun.
func reranking(s *screen, r *fakeReranker) {
	s.t.Helper()
	s.fake.reranker = r
	s.typed("cache")
	s.ranks("estimate", 5, 2, 1, 3, 4)
	s.pass(refineAfter + time.Millisecond)
	if r.begun.Load() != 1 {
		s.t.Fatalf("%d rerankings have begun, want 1", r.begun.Load())
	}
}

// TestLayersReorderResults sees the results move as layers end, the chosen
// passage with them, and the answer replace them. Chunk 1 is no candidate and
// keeps its place; chunk 9 is not shown.
func TestLayersReorderResults(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		reranking(s, orders([]uint32{2, 9, 5, 3, 4}, []uint32{3, 2, 9, 4, 5}, []uint32{4, 3, 2, 9, 5}))
		chosen := s.chosen()
		s.ranks("before the first layer", 5, 2, 1, 3, 4)
		s.shows("2 notes/network/dns.md")
		s.pass(100 * time.Millisecond)
		s.ranks("after the first layer", 2, 5, 1, 3, 4)
		s.shows("1 notes/network/dns.md")
		if s.chosen() != chosen || s.model.results.chosen != 1 {
			t.Errorf("%s is chosen at %d, was %s", s.chosen(), s.model.results.chosen, chosen)
		}
		s.pass(100 * time.Millisecond)
		s.ranks("after the second layer", 3, 2, 1, 4, 5)
		s.shows("1 notes/recipes/bread.md", "2 notes/network/dns.md")
		if s.chosen() != chosen || s.model.results.top != 0 {
			t.Errorf("%s is chosen, was %s; the list begins at %d", s.chosen(), chosen, s.model.results.top)
		}
		s.pass(100 * time.Millisecond)
		s.ranks("answer", 4, 3, 2, 5)
		if s.model.results.chosen != 0 {
			t.Error("nobody chose, and the answer does not start at its best passage")
		}
		s.pass(time.Minute)
		if s.fake.reranker.begun.Load() != 1 {
			t.Errorf("%d rerankings of one query", s.fake.reranker.begun.Load())
		}
	})
}

// TestOrderWaitsForWhoReads moves the cursor while layers end: nothing moves
// then but at the end, and the chosen passage stays chosen.
func TestOrderWaitsForWhoReads(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		reranking(s, orders([]uint32{1, 5, 2, 3, 4}, []uint32{3, 2, 1, 5, 4}, []uint32{3, 2, 1, 4, 5}))
		s.pass(100 * time.Millisecond)
		s.ranks("after the first layer", 1, 5, 2, 3, 4)
		s.press("down")
		chosen := s.chosen()
		s.pass(100 * time.Millisecond)
		s.ranks("after the second layer", 1, 5, 2, 3, 4)
		s.pass(100 * time.Millisecond)
		s.ranks("answer", 3, 2, 1, 4, 5)
		if s.chosen() != chosen {
			t.Errorf("%s is chosen, was %s", s.chosen(), chosen)
		}
		s.typed("s")
		if s.model.results.chosen != 0 || s.model.results.moved {
			t.Error("a new query does not start at its best result")
		}
	})
}

// TestTypingEndsReranking types while layers are computed: the reranking ends
// within a layer, and only the newest one reaches the screen.
func TestTypingEndsReranking(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		r := orders([]uint32{1, 5, 2, 3, 4}, []uint32{3, 2, 1, 5, 4}, []uint32{4, 3, 2, 1, 5})
		reranking(s, r)
		s.pass(150 * time.Millisecond)
		ctx := s.fake.contexts[len(s.fake.contexts)-1]
		s.typed("s")
		if ctx.Err() == nil {
			t.Fatal("the reranking goes on after a key")
		}
		s.press("backspace")
		s.ranks("estimate", 5, 2, 1, 3, 4)
		s.pass(refineAfter - time.Millisecond)
		if r.told.Load() != 1 || r.begun.Load() != 1 {
			t.Errorf("%d layers after a key in the second, of %d rerankings", r.told.Load(), r.begun.Load())
		}
		s.ranks("estimate", 5, 2, 1, 3, 4)
	})
}

// TestStaleLayersDropped lets a reranking that is deaf to cancellation go on
// after the next query was answered, and while the one after that is reranked.
func TestStaleLayersDropped(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		r := orders(slices.Repeat([][]uint32{{4, 3, 2, 1, 5}}, 100)...)
		r.deaf, r.takes = true, 10*time.Millisecond
		reranking(s, r)
		s.fake.reranker = orders([]uint32{1, 5, 2, 3, 4}, []uint32{3, 2, 1, 5, 4})
		s.fake.reranker.takes = 400 * time.Millisecond
		s.typed("s")
		s.press("backspace")
		s.ranks("estimate", 5, 2, 1, 3, 4)
		s.pass(refineAfter + 300*time.Millisecond)
		s.send(layersArrived{newLayerFeed(t.Context(), s.model.search.generation-1), r.script[:1]})
		if r.told.Load() < 40 || s.fake.reranker.begun.Load() != 1 || s.fake.reranker.told.Load() != 0 {
			t.Fatalf("%d late layers, %d of %d newer rerankings", r.told.Load(), s.fake.reranker.told.Load(), s.fake.reranker.begun.Load())
		}
		s.ranks("before the first layer", 5, 2, 1, 3, 4)
		if s.model.machine.rerank.known() {
			t.Error("the map shows a reranking that was typed over")
		}
		s.pass(100 * time.Millisecond)
		s.ranks("after the first layer", 1, 5, 2, 3, 4)
	})
}

// TestLayersOfRefresh asks again after the index changed: what is shown is
// better than a first guess, and waits for the answer.
func TestLayersOfRefresh(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		r := orders([]uint32{1, 5, 2, 3, 4}, []uint32{3, 2, 1, 5, 4})
		reranking(s, r)
		s.pass(time.Second)
		s.ranks("answer", 3, 2, 1, 5, 4)
		s.fake.events <- engine.Event{Changed: &engine.Changed{Updated: 1}}
		s.pass(0)
		s.pass(refreshAfter + 150*time.Millisecond)
		if r.told.Load() != 3 {
			t.Fatalf("%d layers, want the first of the second reranking", r.told.Load())
		}
		s.ranks("refresh under way", 3, 2, 1, 5, 4)
	})
}

// TestRedrawsAreBounded lets layers end every millisecond.
func TestRedrawsAreBounded(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		var script [][]uint32
		for i := range 200 {
			script = append(script, [][]uint32{{1, 5, 2, 3, 4}, {3, 2, 1, 5, 4}, {2, 4, 5, 1, 3}}[i%3])
		}
		r := orders(script...)
		r.takes, r.wait = time.Millisecond, time.Second
		reranking(s, r)
		moves, last := 0, s.chunks()
		for range 1000 {
			s.pass(time.Millisecond)
			if now := s.chunks(); !slices.Equal(now, last) {
				moves, last = moves+1, now
			}
		}
		if r.told.Load() != 200 || moves < 2 || moves > 200/50+2 { // the first, one every 50 ms, the answer
			t.Errorf("%d layers in 200 ms moved the list %d times", r.told.Load(), moves)
		}
		if n := len(s.model.machine.rerank.layers); n != 200 {
			t.Errorf("the map has %d layers of 200", n)
		}
	})
}

// TestSlowRerankingSaysSo shows what any slow search shows.
func TestSlowRerankingSaysSo(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		reranking(s, orders([]uint32{1, 5}, []uint32{5, 1}, []uint32{1, 5}, []uint32{1, 5}))
		s.hides("searching…")
		s.pass(slowAfter + time.Millisecond)
		s.shows("searching…")
		s.pass(time.Second)
		s.hides("searching…")
		s.shows("2 results")
	})
}

// TestRerankerProblemIsToldOnce fails at every search and complains about it
// once, until it has worked again.
func TestRerankerProblemIsToldOnce(t *testing.T) {
	const problem = "the reranker failed: the pack is\x1b[2J damaged; run dowse models remove small-reranker and " +
		"dowse models pull to get it again, or dowse models use none to search without"
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		r := orders([]uint32{1, 5, 2, 3, 4})
		r.script, r.stats = nil, engine.RerankStats{Candidates: 5, Problem: problem}
		reranking(s, r)
		s.shows("the pack is␛[2J damaged")
		s.ranks("without the reranker", 5, 2, 1, 3, 4)
		s.pass(noticeTime)
		s.hides("the pack is")
		s.typed("s")
		s.press("backspace")
		s.pass(time.Second)
		if r.begun.Load() != 2 {
			t.Fatalf("%d rerankings, want 2", r.begun.Load())
		}
		s.hides("the pack is")
		s.press("ctrl+o")
		s.shows("last rerank", "the pack is␛[2J damaged", "to search without")

		s.press("ctrl+o")
		r = orders([]uint32{1, 5, 2, 3, 4})
		s.fake.reranker = r
		s.typed("s")
		s.press("backspace")
		s.pass(time.Second)
		r.stats.Problem = problem
		s.typed("s")
		s.press("backspace")
		s.pass(time.Second)
		s.shows("the pack is␛[2J damaged")
	})
}

// TestStandInIsToldOnce: another reranker than the one of the settings ranks, and says why;
// so does a search by words alone.
func TestStandInIsToldOnce(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		r := orders([]uint32{1, 5, 2, 3, 4})
		r.stats.Instead = "m at box\x1b[2J failed; so small put the passages in order"
		reranking(s, r)
		s.pass(time.Second)
		s.shows("m at box␛[2J failed; so small")
		s.ranks("by the one that stands in", 1, 5, 2, 3, 4)
		s.pass(noticeTime)
		s.hides("m at box")
		s.typed("s")
		s.press("backspace")
		s.pass(time.Second)
		s.hides("m at box")
		r.byWords = "the passages are ranked by words alone: box is away"
		s.typed("s")
		s.press("backspace")
		s.pass(time.Second)
		s.shows("words alone: box is away")
	})
}

// TestModesTurnAround asks by the best there is, by words, by meaning; only the
// first is asked twice, because only that is better than its estimate.
func TestModesTurnAround(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.estimates = true
		s.typed("cache")
		for _, label := range []string{"by words ─", "by meaning ─", "words and meaning"} {
			s.pass(time.Second)
			s.press("ctrl+t")
			s.shows(label)
		}
		s.pass(time.Second)
		var got []string
		for _, r := range s.fake.requests {
			if r.Query != "cache" {
				continue
			}
			kind := " exact"
			if r.Estimate {
				kind = " estimate"
			}
			got = append(got, string(r.Mode)+kind)
		}
		want := []string{" estimate", " exact", "lexical estimate", "vector estimate", " estimate", " exact"}
		if !slices.Equal(got, want) {
			t.Errorf("asked %q, want %q", got, want)
		}
	})
}

// TestReorder compares reorder, on random lists, with moving passages one by
// one.
func TestReorder(t *testing.T) {
	random := rand.New(rand.NewPCG(303, 1))
	for range 500 {
		n := random.IntN(12)
		list := newResultList(styles{}, &names{})
		var passages []engine.Passage
		for i, c := range random.Perm(n) {
			passages = append(passages, engine.Passage{Rank: i + 1, ChunkID: uint32(c), Path: strings.Repeat("p", c)})
		}
		list.set(passages, false)
		list.chosen = random.IntN(max(n, 1))
		chosen, _ := list.selected()
		var chunks []uint32
		for _, c := range random.Perm(n + 5)[:random.IntN(n+5)] {
			chunks = append(chunks, uint32(c))
		}
		want := reorderSlowly(passages, chunks)
		before := slices.Clone(passages)

		list.reorder(chunks)
		for i, p := range list.passages {
			if p.ChunkID != want[i] || p.Rank != i+1 || len(p.Path) != int(p.ChunkID) {
				t.Fatalf("%v by %v: %+v at %d, want chunk %d", before, chunks, p, i, want[i])
			}
		}
		if now, _ := list.selected(); now.ChunkID != chosen.ChunkID {
			t.Fatalf("chunk %d is chosen, was %d", now.ChunkID, chosen.ChunkID)
		}
		if !slices.EqualFunc(passages, before, func(a, b engine.Passage) bool { return a.ChunkID == b.ChunkID && a.Rank == b.Rank }) {
			t.Fatal("the answer's own passages were changed")
		}
	}
}

// reorderSlowly takes, for each place of a candidate, the first of chunks that
// is shown and has no place yet.
func reorderSlowly(passages []engine.Passage, chunks []uint32) []uint32 {
	var out []uint32
	for _, p := range passages {
		chunk := p.ChunkID
		if slices.Contains(chunks, chunk) {
			next := slices.IndexFunc(chunks, func(c uint32) bool {
				return !slices.Contains(out, c) && slices.ContainsFunc(passages, func(p engine.Passage) bool { return p.ChunkID == c })
			})
			chunk = chunks[next]
		}
		out = append(out, chunk)
	}
	return out
}

// TestScoresBelowZero draws bars between the worst and the best.
func TestScoresBelowZero(t *testing.T) {
	for _, c := range []struct{ scores, want []float64 }{
		{[]float64{4, 2, 1}, []float64{1, 0.5, 0.25}},
		{[]float64{-1, -3, -5}, []float64{1, 0.5, 0}},
		{[]float64{3, -1}, []float64{1, 0}},
		{[]float64{0, 0}, []float64{0, 0}},
	} {
		list := newResultList(styles{}, &names{})
		for _, score := range c.scores {
			list.passages = append(list.passages, engine.Passage{Score: score})
		}
		for i, want := range c.want {
			if got := list.share(i); got != want {
				t.Errorf("scores %v: share %v at %d, want %v", c.scores, got, i, want)
			}
		}
	}
}
