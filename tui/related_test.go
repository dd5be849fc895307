package tui

import (
	"errors"
	"testing"
	"time"

	"dowse/engine"
)

const (
	breadNote = "/home/ada/notes/recipes/bread.md"
)

// TestFollowAndGoBack follows two passages and goes back, to the results with the
// same passage chosen.
func TestFollowAndGoBack(t *testing.T) {
	withScreen(t, 80, 24, Options{In: []string{"/home/ada/notes"}}, func(t *testing.T, s *screen) {
		s.typed("cache")
		s.pass(time.Second)
		s.press("down", "down")
		first := s.chosen()
		s.press("f10")
		s.shows("─ like ", "4 results", "esc back")
		if s.chosen() == first || len(s.fake.related) != 1 {
			t.Fatalf("chosen %q, asked %+v", s.chosen(), s.fake.related)
		}
		want := engine.RelatedRequest{Path: first, Line: 1, ChunkID: s.fake.related[0].ChunkID, K: wanted, In: []string{"/home/ada/notes"}, Estimate: true}
		if got := s.fake.related[0]; got.ChunkID == 0 || got.Path != want.Path || got.Line != want.Line || got.K != want.K || len(got.In) != 1 || !got.Estimate {
			t.Errorf("asked %+v, want %+v", got, want)
		}

		s.press("down")
		second := s.chosen()
		s.press("f10", "down", "down")
		s.shows("2 steps")
		s.hides("3 steps")
		s.press("esc")
		if s.chosen() != second {
			t.Errorf("back at %q, want %q", s.chosen(), second)
		}
		s.hides("2 steps")
		s.shows("─ like ")
		s.press("esc")
		if s.chosen() != first {
			t.Errorf("back at %q, want %q", s.chosen(), first)
		}
		s.hides("─ like ", "esc back")
		s.shows(" ❯ cache")
	})
}

// TestRelatedIsRefined: estimates at once, the final ranking at rest. One that was
// left before it was final is asked for when it comes back.
func TestRelatedIsRefined(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.typed("bread")
		s.press("f10")
		estimated := s.chosen()
		s.pass(refineAfter + time.Millisecond)
		s.drain()
		if n := len(s.fake.related); n != 2 || s.fake.related[1].Estimate || s.chosen() == estimated {
			t.Fatalf("%d asked, the last %+v, chosen %q", n, s.fake.related[n-1], s.chosen())
		}
		s.press("f10")
		s.press("f10") // before the keys rest
		s.press("esc")
		if n := len(s.fake.related); n != 5 || s.fake.related[4].Estimate {
			t.Errorf("%d asked, the last %+v", n, s.fake.related[n-1])
		}
		s.pass(time.Second)
		if n := len(s.fake.related); n != 5 {
			t.Errorf("%d asked at rest", n)
		}
	})
}

// TestQueryLeavesTrail: a key of the query line, and an answer, are about the query.
func TestQueryLeavesTrail(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.typed("cache")
		s.press("f10")
		s.typed("s")
		s.hides("─ like ")
		s.press("backspace", "f10")
		s.shows("─ like ")
		s.press("ctrl+r")
		s.hides("─ like ", "esc back")
		if !s.model.answer.open {
			t.Fatal("there is no answer")
		}
		s.press("f10")
		s.shows("─ like ")
		if s.model.answer.open {
			t.Error("the answer stands above what it does not cite")
		}
		n := len(s.fake.requests)
		s.press("esc")
		if !s.model.answer.open || !s.model.answer.done || len(s.fake.requests) != n {
			t.Errorf("the answer did not come back: %+v", s.model.answer.open)
		}
		s.press("esc")
		if s.model.answer.open {
			t.Error("esc did not close the answer")
		}
	})
}

// TestChangeReachesTrail: what is in sight is asked for again when the index has
// changed, and what it covers when it comes back.
func TestChangeReachesTrail(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.typed("cache")
		s.pass(time.Second)
		s.press("f10")
		s.pass(time.Second)
		s.press("down")
		chosen, asked, related := s.chosen(), len(s.fake.requests), len(s.fake.related)
		s.fake.events <- engine.Event{Changed: &engine.Changed{Updated: 1}}
		s.pass(time.Second)
		if len(s.fake.related) != related+1 || len(s.fake.requests) != asked || s.chosen() != chosen {
			t.Errorf("%d and %d asked, chosen %q of %q", len(s.fake.related)-related, len(s.fake.requests)-asked, s.chosen(), chosen)
		}
		s.press("esc")
		if len(s.fake.requests) != asked+1 || s.fake.requests[asked].Estimate {
			t.Errorf("the query was not asked again: %+v", s.fake.requests[asked:])
		}
	})
}

// TestNothingRelated: without results, and where it fails.
func TestNothingRelated(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.press("f10")
		if len(s.fake.related) != 0 {
			t.Error("asked for what is like nothing")
		}
		s.fake.alone = true
		s.typed("bread")
		s.press("f10")
		s.shows("Nothing else is like it", "like notes/recipes/bread.md:1")
		s.press("esc")
		s.shows("1 result")
		s.fake.mu.Lock()
		s.fake.err = errors.New("the disk is on fire")
		s.fake.mu.Unlock()
		s.press("f10")
		s.shows("the disk is on fire")
		s.hides("─ like ")
		if s.chosen() != breadNote {
			t.Errorf("chosen %q", s.chosen())
		}
	})
}
