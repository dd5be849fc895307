package tui

import (
	"slices"
	"strings"
	"testing"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// withTags runs body on a screen that knows a few tags.
func withTags(t *testing.T, w, h int, body func(*testing.T, *screen)) {
	t.Helper()
	withScreen(t, w, h, Options{Editor: "vi"}, func(t *testing.T, s *screen) {
		s.fake.tags = gardenTags()
		body(t, s)
	})
}

func gardenTags() []engine.Suggestion {
	return []engine.Suggestion{
		{Label: "garden", Files: 12}, {Label: "garden/roses", Files: 3}, {Label: "gardening tools", Files: 1}, {Label: "galaxy\u202e", Files: 1},
		{Label: "sea", Files: 7, Detail: "and what is below it"},
	}
}

// line is what stands in the query line, with | where the cursor is.
func (s *screen) line() string {
	at := s.model.cursorByte()
	return s.model.input.Value()[:at] + "|" + s.model.input.Value()[at:]
}

func (s *screen) reads(want string) {
	s.t.Helper()
	if got := s.line(); got != want {
		s.t.Errorf("the line reads %q, want %q", got, want)
	}
}

// lastQuery is the query that was asked for last.
func (s *screen) lastQuery() string {
	all := s.fake.queries()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

func TestCompleteKeyAndValue(t *testing.T) {
	withTags(t, 80, 24, func(t *testing.T, s *screen) {
		s.typed("cache -ta")
		s.shows("cache -tag:", "tab tag:") // the rest stands behind the cursor
		s.press("tab")
		s.reads("cache -tag:|")
		s.shows("garden ", "12 files", "tab complete", "esc hide")
		s.hides("galaxy") // it could not be typed as it is drawn
		s.typed("gar")
		s.hides("sea")
		s.press("tab")
		s.reads("cache -tag:garden|")
		s.shows("tab next", "garden/roses")
		s.press("tab")
		s.reads("cache -tag:garden/roses|")
		s.press("tab")
		s.reads(`cache -tag:"gardening tools"|`)
		s.press("tab", "shift+tab")
		s.reads(`cache -tag:"gardening tools"|`)
		if got := s.lastQuery(); got != `cache -tag:"gardening tools"` {
			t.Errorf("%q was searched for", got)
		}
		s.press(" ")
		s.hides("12 files")
		s.press("tab")
		if s.model.wish == previewAuto {
			t.Error("tab is not the preview again")
		}
	})
}

// TestPlainWordsKeepTheirKeys types words that begin as filters do.
func TestPlainWordsKeepTheirKeys(t *testing.T) {
	for _, words := range []string{"letter from", "cache to", "be", "before", "the title", "cache expensive", "from me", "path", "cache "} {
		withTags(t, 80, 24, func(t *testing.T, s *screen) {
			s.typed(words)
			s.hides("tab complete", "files with")
			s.press("tab")
			s.reads(words + "|")
			if s.model.wish == previewAuto {
				t.Errorf("%q: tab is not the preview", words)
			}
		})
	}
	withTags(t, 80, 24, func(t *testing.T, s *screen) {
		s.typed("cache ta") // what stands behind the cursor is in nobody's way
		s.press("enter")
		if !slices.Equal(s.other, []string{"tea.execMsg"}) {
			t.Errorf("enter led to %q", s.other)
		}
		s.press("esc")
		s.reads("|")
	})
}

// TestKeyOnADumbTerminal: what is not typed is not drawn as if it were.
func TestKeyOnADumbTerminal(t *testing.T) {
	dumb := func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	withScreen(t, 80, 24, Options{Getenv: dumb}, func(t *testing.T, s *screen) {
		s.typed("cache ta")
		s.hides("cache tag")
		s.shows("tab tag:")
		s.press("tab")
		s.reads("cache tag:|")
	})
}

func TestSuggestionsGiveWay(t *testing.T) {
	withTags(t, 80, 24, func(t *testing.T, s *screen) {
		s.typed("cache tag:")
		s.press("esc")
		s.reads("cache tag:|")
		s.hides("12 files")
		s.typed("ga")
		s.hides("12 files") // hidden for this filter
		s.press("ctrl+@")
		s.shows("12 files")
		s.fake.tags = nil
		s.typed("x")
		s.hides("files")
		s.fake.tags = gardenTags()
		s.press("backspace")
		s.shows("12 files")
		s.press("ctrl+u")
		s.typed("cache")
		s.press("ctrl+a")
		s.typed("tag: ")
		s.press("left")
		s.reads("tag:| cache")
		s.shows("12 files")
		s.press("f1")
		s.hides("12 files")
		s.press("esc", "down")
		s.hides("12 files")
		if s.model.results.chosen != 1 {
			t.Error("down did not go to the next result")
		}
		s.press("left", "backspace") // elsewhere, and back
		s.typed("g:")
		s.hides("12 files")
		s.press("ctrl+@", "enter")
		s.hides("12 files")
		if !slices.Equal(s.other, []string{"tea.execMsg"}) {
			t.Errorf("enter led to %q", s.other)
		}
	})
}

func TestSuggestionsAskedFor(t *testing.T) {
	withTags(t, 80, 24, func(t *testing.T, s *screen) {
		s.press("ctrl+@")
		s.shows("path:", "to:", "before:", "files with this in their path")
		s.typed("t")
		s.shows("type:", "title:")
		s.hides("before:")
		s.press("tab", "tab")
		s.reads("type:|") // behind a key come its values
		s.press("ctrl+u")
		s.typed("letter from")
		s.press("ctrl+@", "tab")
		s.reads("letter from:|")
		s.press("ctrl+u")
		s.typed("zebra")
		s.press("ctrl+@")
		s.shows("nothing to complete here")
		s.typed(" ")
		s.hides("tag:")
	})
}

// TestOnlyTheNewestSuggestions: what was asked for an older line is dropped, and tab before
// an answer waits for it.
func TestOnlyTheNewestSuggestions(t *testing.T) {
	withTags(t, 80, 24, func(t *testing.T, s *screen) {
		s.typed("tag:slow")
		s.press("tab")
		s.reads("tag:slow|")
		s.press("ctrl+u")
		s.typed("tag:se")
		s.press("tab")
		s.reads("tag:sea|")
		s.press("ctrl+u")
		s.fake.tags = append(s.fake.tags, engine.Suggestion{Label: "slowly", Files: 2})
		s.typed("tag:slow")
		s.press("tab")
		s.reads("tag:slow|")
		s.fake.release()
		s.drain()
		s.reads("tag:slowly|")
		if s.model.wish != previewAuto {
			t.Error("the preview was toggled")
		}
	})
}

func TestSuggestionsByMouse(t *testing.T) {
	withTags(t, 60, 20, func(t *testing.T, s *screen) {
		s.typed("cache tag:ga")
		click := func(y int) {
			s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: 20, Y: y})
		}
		click(5) // the rule below them
		s.reads("cache tag:ga|")
		click(3)
		s.reads("cache tag:garden/roses|")
		s.hides("12 files")
		s.press("ctrl+w")
		s.typed("se")
		s.reads("cache se|")
	})
}

// TestSuggestionsEverywhere draws them at all sizes, with what tries to steer the terminal.
func TestSuggestionsEverywhere(t *testing.T) {
	withTags(t, 80, 24, func(t *testing.T, s *screen) {
		s.fake.tags = append(s.fake.tags, engine.Suggestion{Label: strings.Repeat("gwide 日本語 ", 20), Detail: "\x1b[31m", Files: 1_234_567})
		across, down := 9, 5
		if testing.Short() { // for the race detector a few sizes are enough
			across, down = 47, 16
		}
		for _, line := range []string{"tag:g", "cache and a line that is very long, so long that it scrolls in narrow windows tag:g", "日本語 tag:"} {
			s.press("ctrl+u")
			s.typed(line)
			for range 6 {
				for w := minWidth; w < 140; w += across {
					for h := minHeight; h < 50; h += down {
						s.send(tea.WindowSizeMsg{Width: w, Height: h})
						s.shows("file")
					}
				}
				s.press("tab")
			}
		}
	})
}
