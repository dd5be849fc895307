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
		s.shows("the list has nothing more of this file", "bread.md")
	})
}

// TestFilesAreGrouped: further passages of a file stand under its first one, with
// what repeats that, and are shown by a key with their places alone.
func TestFilesAreGrouped(t *testing.T) {
	withScreen(t, 80, 30, Options{}, func(t *testing.T, s *screen) {
		s.fake.found = diary()
		s.typed("mildew")
		s.expectRanks("1 3 6", 1)
		s.shows("3 more ", "6 results", "both   4 d", "words   2 h", "ctrl-x 3 more")
		s.press("ctrl+x")
		s.expectRanks("1 2 4 =5 3 6", 1)
		s.shows("└ line 60  § July", "└ line 12  § May", "=5 notes/old/log.md:44", "meaning   4 d", "ctrl-x fold")
		s.press("down", "down", "ctrl+x")
		s.expectRanks("1 3 6", 1)
		s.model.cite(mark{n: 4})
		s.expectRanks("1 2 4 =5 3 6", 4)
	})
	withScreen(t, 80, 30, Options{}, func(t *testing.T, s *screen) {
		s.fake.found = diary()[:4]
		s.typed("mildew")
		s.shows("2 more in log.md")
	})
}

// TestAge writes times as people say them.
func TestAge(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for want, before := range map[string]time.Duration{
		"now": 5 * time.Minute, "3 h": 3*time.Hour + time.Minute, "3 d": 80 * time.Hour, "99 d": 99 * 24 * time.Hour, "3 mo": 100 * 24 * time.Hour,
		"12 mo": 364 * 24 * time.Hour, "1 y": 366 * 24 * time.Hour, "2 y": 731 * 24 * time.Hour, "in 2 d": -49 * time.Hour,
	} {
		if got := age(now.Add(-before), now); got != want {
			t.Errorf("%v ago is %q, want %q", before, got, want)
		}
	}
	if got := age(time.Time{}, now); got != "" {
		t.Errorf("no time is %q", got)
	}
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
		{Rank: 1, Path: "/a", ChunkID: 1, Relevant: true}, {Rank: 2, Path: "/b", ChunkID: 2, Relevant: true},
		{Rank: 3, Path: "/c", ChunkID: 3}, {Rank: 4, Path: "/d", ChunkID: 4, SimilarTo: 1},
	}, false)
	l.fold()
	if n := l.firstBelow(); n != 3 || len(l.passages) != 4 {
		t.Errorf("the line stands before place %d of %d", n+1, len(l.passages))
	}
}
