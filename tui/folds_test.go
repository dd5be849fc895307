package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// listed names the ranks in the list, those of repetitions with a mark.
func (s *screen) listed() string {
	var out []string
	for _, p := range s.model.results.passages {
		rank := fmt.Sprint(p.Rank)
		if p.SimilarTo > 0 {
			rank = "=" + rank
		}
		out = append(out, rank)
	}
	return strings.Join(out, " ")
}

// expectRanks fails unless these are in the list and that one is chosen.
func (s *screen) expectRanks(want string, chosen int) {
	s.t.Helper()
	p, _ := s.model.results.selected()
	if got := s.listed(); got != want || p.Rank != chosen {
		s.t.Errorf("the list has %s, chosen %d; want %s and %d", got, p.Rank, want, chosen)
	}
}

// TestFold: what says the same is counted, shown by a key below the passage that it
// repeats, and folded again from there or from below.
func TestFold(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.copies = []int{0, 1, 0, 1, 3}
		s.typed("cache")
		s.expectRanks("1 3", 1)
		s.shows("2 more like this", "1 more like this", "5 results")
		s.press("ctrl+x")
		s.expectRanks("1 =2 =4 3", 1)
		s.press("down", "down")
		s.expectRanks("1 =2 =4 3", 4)
		s.press("ctrl+x")
		s.expectRanks("1 3", 1)
		s.press("end", "ctrl+x")
		s.expectRanks("1 3 =5", 3)
		s.hides("nothing in the list")
	})
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.press("ctrl+x")
		s.typed("bread")
		s.press("ctrl+x")
		s.shows("nothing in the list says the same as this", "bread.md")
	})
}

// TestFoldsStayOpen while the same query is asked again, and not for another one.
func TestFoldsStayOpen(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.copies = []int{0, 1, 1}
		s.typed("cache")
		s.press("ctrl+x", "down")
		s.expectRanks("1 =2 =3 4 5", 2)
		s.fake.events <- engine.Event{Changed: &engine.Changed{Updated: 1}}
		s.pass(time.Second)
		if n := len(s.fake.requests); n != 6 || !s.fake.requests[5].Fold {
			t.Fatalf("%d asked, the last %+v", n, s.fake.requests[n-1])
		}
		s.expectRanks("1 =2 =3 4 5", 2)
		s.typed("s")
		s.press("backspace")
		s.expectRanks("1 4 5", 1)
	})
}

// TestNumbersAreRanks: who goes to a passage by its number finds it, folded or not.
func TestNumbersAreRanks(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.copies = []int{0, 1, 1}
		s.typed("cache")
		for _, n := range []int{4, 1, 9} {
			s.model.cite(mark{n: n})
		}
		s.expectRanks("1 4 5", 1)
		s.model.cite(mark{n: 3})
		s.expectRanks("1 =2 =3 4 5", 3)
	})
}

// TestFoldsComeBack with the results, as they were left.
func TestFoldsComeBack(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.copies = []int{0, 1, 1}
		s.typed("cache")
		s.press("ctrl+x", "down", "f10")
		s.expectRanks("1 2 3 4", 1)
		s.press("esc")
		s.expectRanks("1 =2 =3 4 5", 2)
	})
}

// TestLineStandsBelowOpenFolds: a passage that repeats a relevant one stands above the
// line of relevance.
func TestLineStandsBelowOpenFolds(t *testing.T) {
	var l resultList
	l.cache = map[rowKey][]string{}
	l.set([]engine.Passage{
		{Rank: 1, ChunkID: 1, Relevant: true}, {Rank: 2, ChunkID: 2, Relevant: true},
		{Rank: 3, ChunkID: 3}, {Rank: 4, ChunkID: 4, SimilarTo: 1},
	}, false)
	l.fold()
	if n := l.firstBelow(); n != 3 || len(l.passages) != 4 {
		t.Errorf("the line stands before place %d of %d", n+1, len(l.passages))
	}
}
