package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

func TestTypingCancelsOlderSearches(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("slowdns")
		if want := []string{"s", "sl", "slo", "slow", "slowd", "slowdn", "slowdns"}; !slices.Equal(s.fake.queries(), want) {
			t.Fatalf("asked %q, want %q", s.fake.queries(), want)
		}
		for i, ctx := range s.fake.contexts[:6] {
			if ctx.Err() == nil {
				t.Errorf("search %d still runs after a newer keystroke", i)
			}
		}
		if err := s.fake.contexts[6].Err(); err != nil {
			t.Errorf("the newest search was ended: %v", err)
		}
		s.press("ctrl+u")
		if s.fake.contexts[6].Err() == nil {
			t.Error("clearing the line did not end the search")
		}
	})
}

// TestStaleResultsDropped lets searches that are deaf to cancellation answer
// after a newer query was answered.
func TestStaleResultsDropped(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("slow dns cache")
		s.press("ctrl+u")
		s.typed("bread")
		s.shows("1 result", "bread.md")
		s.fake.release()
		s.drain()
		s.shows("1 result", "bread.md")
		s.hides("dns.md")
	})
}

// TestEstimatesAreRefined types, sees the estimated ranking at once, and the
// final one when the keys rest: from its first passage, unless another was
// chosen.
func TestEstimatesAreRefined(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.estimates = true
		s.typed("cache")
		first := s.chosen()
		if n := len(s.fake.queries()); n != 5 {
			t.Fatalf("%d searches for 5 keys", n)
		}
		s.pass(refineAfter + time.Millisecond)
		s.drain()
		requests := s.fake.requests
		if n := len(requests); n != 6 || !requests[4].Estimate || requests[5].Estimate || requests[5].Query != "cache" {
			t.Fatalf("%d searches, the last %+v", n, requests[n-1])
		}
		if s.chosen() == first {
			t.Errorf("still on %s, which the estimate put first", first)
		}

		s.typed("s") // nothing refines the ranking of a query that was typed over
		s.press("backspace", "down")
		second := s.chosen()
		s.pass(refineAfter + time.Millisecond)
		s.drain()
		if n := len(s.fake.queries()); n != 9 {
			t.Errorf("%d searches after two more keys and one rest", n)
		}
		if s.chosen() != second {
			t.Errorf("moved from %s to %s", second, s.chosen())
		}
	})
}

func TestSlowSearchSaysSo(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("slow")
		s.hides("searching…")
		s.pass(slowAfter + time.Millisecond)
		s.shows("searching…")
		s.fake.release()
		s.drain()
		s.hides("searching…")
		s.shows("0 results")
	})
}

func TestSelectionKeptOnRefresh(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.typed("cache")
		s.press("down", "down")
		s.pass(2 * refineAfter)
		was := s.chosen()
		asked := len(s.fake.queries())

		s.fake.mu.Lock()
		s.fake.files["/home/ada/notes/cache.md"] = "cache cache cache cache cache cache cache cache cache\n"
		s.fake.mu.Unlock()
		for range 5 {
			s.fake.events <- engine.Event{Changed: &engine.Changed{Added: 1}}
			s.drain()
		}
		s.shows("5 results")
		s.pass(refreshAfter)
		s.shows("6 results")
		if s.chosen() != was {
			t.Errorf("%s is chosen after the refresh, %s was before", s.chosen(), was)
		}
		if n := len(s.fake.queries()) - asked; n != 1 {
			t.Errorf("5 changes at once led to %d searches, want 1", n)
		}
		s.typed("s")
		if s.model.results.chosen != 0 {
			t.Error("a new query does not start at its best result")
		}
	})
}

// TestFindPassage looks for a passage in a newer list: by chunk, then by lines.
func TestFindPassage(t *testing.T) {
	old := engine.Passage{Path: "/a", LineStart: 10, LineEnd: 20, ChunkID: 7}
	list := []engine.Passage{
		{Path: "/b", LineStart: 10, LineEnd: 20, ChunkID: 9},
		{Path: "/a", LineStart: 18, LineEnd: 30, ChunkID: 8},
		{Path: "/a", LineStart: 40, LineEnd: 50, ChunkID: 7},
	}
	for _, c := range []struct {
		name string
		list []engine.Passage
		want int
	}{{"same chunk", list, 2}, {"shared lines", list[:2], 1}, {"gone", list[:1], -1}, {"empty", nil, -1}} {
		if got := find(c.list, old); got != c.want {
			t.Errorf("%s: found at %d, want %d", c.name, got, c.want)
		}
	}
}

func TestRefreshWaitsForTheSearchUnderWay(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("slow")
		s.fake.events <- engine.Event{Changed: &engine.Changed{Added: 1}}
		s.pass(3 * refreshAfter)
		if last := s.fake.contexts[len(s.fake.contexts)-1]; last.Err() != nil {
			t.Fatal("a change of the index ended the search that the person waits for")
		}
		asked := len(s.fake.queries())
		s.fake.release()
		s.pass(2 * refreshAfter)
		if n := len(s.fake.queries()); n != asked+1 {
			t.Errorf("%d searches after the answer, want one refresh", n-asked)
		}
	})
}

func TestSearchErrorAndRecovery(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.err = errors.New("read index: page 7 is damaged:\x1b[2J run dowse check")
		s.typed("dns")
		s.shows("search failed", "page 7 is damaged:␛[2J run dowse check")
		s.fake.err = nil
		s.typed(" ")
		s.typed("c")
		s.hides("search failed", "page 7")
		s.shows("dns.md")
	})
}

// TestFailedRefreshKeepsResults asks again in vain: what was found stays.
func TestFailedRefreshKeepsResults(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("dns")
		s.fake.err = errors.New("connection reset; dowse doctor says more")
		s.fake.events <- engine.Event{Changed: &engine.Changed{Removed: 1}}
		s.drain()
		s.pass(refreshAfter)
		s.shows("connection reset", "dns.md")
		s.pass(noticeTime + time.Second)
		s.shows("3 results", "dns.md")
	})
}

func TestNothingFoundSaysWhatFiltersDid(t *testing.T) {
	for _, c := range []struct {
		name  string
		stats engine.Stats
		want  string
	}{
		{"no such phrase", engine.Stats{Unmatched: `"zebra crossing" -x`}, `No passage matches "zebra crossing" -x.`},
		{"no file left", engine.Stats{}, "The filters left none of 5 files."},
		{"some left", engine.Stats{Files: 2, Chunks: 9}, "The filters left 2 of 5 files, with 9 passages."},
		{"all left", engine.Stats{Files: 5, Chunks: 12}, "Looked at 12 passages of 5 files."},
	} {
		t.Run(c.name, func(t *testing.T) {
			withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
				s.typed("zebra")
				s.send(searchDone{s.model.search.generation, &engine.Result{Stats: c.stats}, nil, nil})
				s.shows("Nothing found.", c.want)
			})
		})
	}
}

func TestStartStates(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.shows("5 files, 5 passages", "in ~/notes", "not indexed: binary 3, too large 1 (F9 lists them)")
		s.fake.status.Files = 0
		s.send(statusDone{&s.fake.status, nil})
		s.shows("Nothing is indexed yet.", "Press alt-g or F12", "~/notes")
		s.fake.events <- engine.Event{Progress: indexing(time.Now())}
		s.drain()
		s.shows("Reading your files for the first time.", "indexing", "40%", "1,204/3,120 files", "86 chunks/s", "31 s left")
		s.fake.events <- engine.Event{Progress: &engine.Progress{Phase: engine.Idle}}
		s.drain()
		s.hides("chunks/s")
	})
}

func TestLostConnection(t *testing.T) {
	withScreen(t, 100, 30, Options{}, func(t *testing.T, s *screen) {
		s.typed("dns")
		s.pass(2 * refineAfter)
		asked := len(s.fake.queries())
		s.fake.mu.Lock()
		s.fake.subErr = errors.New("connection refused")
		close(s.fake.events)
		s.fake.mu.Unlock()
		s.drain()
		s.shows("the process that owns the index is gone", "dns.md")

		s.fake.mu.Lock()
		s.fake.subErr, s.fake.events = nil, make(chan engine.Event, 4)
		s.fake.mu.Unlock()
		s.pass(2 * subscribeEvery)
		s.hides("is gone")
		if len(s.fake.queries()) != asked+1 {
			t.Error("the query was not asked again after the connection came back")
		}
	})
}

func TestRequestCarriesScopeAndMode(t *testing.T) {
	withScreen(t, 80, 24, Options{Query: "first\x1b", In: []string{"/home/ada/notes"}}, func(t *testing.T, s *screen) {
		s.press("ctrl+t")
		s.shows("in ~/notes", "by words", "❯ first␛")
		requests := s.fake.requests
		if r := requests[0]; r.K != wanted || r.Mode != best || !slices.Equal(r.In, []string{"/home/ada/notes"}) {
			t.Errorf("first request %+v", r)
		}
		if r := requests[1]; r.Mode != engine.Lexical {
			t.Errorf("mode %q after ctrl-t", r.Mode)
		}
	})
}

func TestPasteIsMadeSafe(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("dns\x1b[31m\n\u202ecache?"), Paste: true})
		if q := s.fake.queries(); len(q) != 1 || strings.ContainsFunc(q[0], hostile) {
			t.Errorf("asked %q", q)
		}
		s.frame()
	})
}

// TestGuessIsNamed: the last line names what was looked for in the place of a word.
func TestGuessIsNamed(t *testing.T) {
	withScreen(t, 100, 24, Options{}, func(_ *testing.T, s *screen) {
		s.fake.respelled = []engine.Respelling{{Word: "cahce", As: "cache\x1b[2J"}}
		s.typed("dns cache")
		s.drain()
		s.shows("results · 8.2 ms · cache␛[2J for cahce")
	})
}

// TestBetterResultsAreSeen: what a growing index ranks before the first result is in sight, which stays chosen.
func TestBetterResultsAreSeen(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("printer")
		s.fake.mu.Lock()
		s.fake.files["/home/ada/notes/a.md"] = "printer printer\n"
		s.fake.files["/home/ada/notes/b.md"] = "printer printer printer\n"
		s.fake.mu.Unlock()
		s.fake.events <- engine.Event{Changed: &engine.Changed{Added: 2}}
		s.pass(2 * refreshAfter)
		s.shows("   1 notes/b.md", "   2 notes/a.md", "▌  3 notes/network/dns.md")
	})
}
