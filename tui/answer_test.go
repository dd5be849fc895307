package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

func alt(digit rune) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{digit}, Alt: true}
}

func TestAnswerCitesWhatOneSees(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.press("ctrl+r")
		s.shows("resolvectl flush-caches fixed the DNS for good. [2]", "since 1973(?). [5]", "answer · word for word · 41 ms", "(?) unsupported", "5 results")
		if last := s.fake.requests[len(s.fake.requests)-1]; !last.Answer || last.Estimate || last.Query != "dns cache" {
			t.Errorf("asked %+v", last)
		}
		for i, want := range []int{1, 4, 1} {
			s.press("shift+tab")
			if s.model.results.chosen != want {
				t.Errorf("citation %d: result %d is chosen, want %d", i, s.model.results.chosen, want)
			}
		}
		s.shows("▌  4  lookup of the printer", "▎  3  The resolver", "▌  6")
		s.send(alt('5'))
		if !strings.HasSuffix(s.chosen(), "bread.md") {
			t.Errorf("alt-5 chose %s", s.chosen())
		}
		s.shows("▌  5  Keep the starter")
		s.send(alt('9')) // there is none
		if s.model.results.chosen != 4 || s.model.query() != "dns cache" {
			t.Errorf("alt-9: result %d, query %q", s.model.results.chosen, s.model.query())
		}
		s.press("esc")
		s.hides("for good. [2]", "word for word")
		s.shows("5 results", "❯ dns cache")
	})
}

func TestAnswerByMouse(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.send(tea.KeyMsg{Type: tea.KeyEnter, Alt: true})
		for y, want := range map[int]int{2: 1, 3: 4} {
			s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: 4, Y: y})
			if s.model.results.chosen != want {
				t.Errorf("a click on row %d chose result %d, want %d", y, s.model.results.chosen, want)
			}
		}
		s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: 4, Y: 4}) // the rule
		if s.model.results.chosen != 1 && s.model.results.chosen != 4 {
			t.Errorf("a click on the rule chose result %d", s.model.results.chosen)
		}
	})
}

// TestAnswerGrows streams: the results are there before the first word.
func TestAnswerGrows(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.fake.answerer.drafts, s.fake.answerer.takes = 4, 200*time.Millisecond
		s.typed("dns cache")
		s.press("ctrl+r")
		s.shows("looking for an answer…", "dns.md")
		s.pass(460 * time.Millisecond)
		s.shows("Flushing the cache", "answering…")
		s.hides("1973", "41 ms")
		s.pass(2 * time.Second)
		s.shows("since 1973(?). [5]", "41 ms")
		s.hides("answering…")
	})
}

// TestQuotationStandsAboveWhatIsWritten: it is there before the first word, and
// citations lead to its places.
func TestQuotationStandsAboveWhatIsWritten(t *testing.T) {
	withScreen(t, 80, 30, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = quoting()
		s.fake.answerer.drafts, s.fake.answerer.takes = 2, 200*time.Millisecond
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(100 * time.Millisecond)
		s.shows("since 1973(?). [5]", "small-writer is writing…")
		s.hides(engine.WrittenFrom)
		s.pass(2 * time.Second)
		s.shows("since 1973(?). [5]", engine.WrittenFrom+":", "With resolvectl flush-caches. [2]", "small-writer · 2.1 s")
		s.hides("is writing")
		for _, file := range []string{"dns.md", "bread.md", "dns.md"} {
			s.press("shift+tab")
			if !strings.HasSuffix(s.chosen(), file) {
				t.Errorf("the citation leads to %s, want %s", s.chosen(), file)
			}
		}
	})
}

// TestTypingDropsTheAnswer types on while an answer is written: it ends, and
// nothing of it is seen again, even where its model is deaf.
func TestTypingDropsTheAnswer(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
			s.fake.answerer = flushing()
			s.fake.answerer.drafts, s.fake.answerer.takes, s.fake.answerer.deaf = 5, 100*time.Millisecond, deaf
			s.typed("dns cache")
			s.press("ctrl+r")
			asking := len(s.fake.contexts) - 1
			s.pass(250 * time.Millisecond)
			s.shows("Flushing")
			s.typed("s")
			if s.fake.contexts[asking].Err() == nil {
				t.Error("the answer goes on for a query that was typed over")
			}
			s.hides("Flushing the cache with resolvectl flush-caches fixed the DNS for good. [2]", "looking for an answer")
			s.pass(3 * time.Second)
			s.hides("word for word", "[5]")
		})
	}
}

func TestAnswerKeyAgainCloses(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.press("ctrl+r")
		s.shows("type a question first")
		s.press("shift+tab") // no answer: nothing to go to
		s.typed("dns cache")
		s.fake.answerer.drafts, s.fake.answerer.takes = 3, time.Second
		s.press("ctrl+r")
		s.pass(500 * time.Millisecond)
		asking := len(s.fake.contexts) - 1
		s.press("ctrl+r")
		if s.fake.contexts[asking].Err() == nil {
			t.Error("closing the answer did not end it")
		}
		s.pass(5 * time.Second)
		s.hides("looking for", "[5]")
		s.shows("5 results")
		if last := s.fake.requests[len(s.fake.requests)-1]; last.Answer || last.Estimate {
			t.Errorf("the final ranking was not asked for: %+v", last)
		}
	})
}

// TestResultsStandStillBelowAnAnswer changes the index: numbers go on meaning
// what they meant, and asking again is one key.
func TestResultsStandStillBelowAnAnswer(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.press("ctrl+r")
		s.fake.mu.Lock()
		s.fake.files["/home/ada/notes/cache.md"] = "cache cache cache cache cache cache cache cache cache\n"
		s.fake.mu.Unlock()
		s.fake.events <- engine.Event{Changed: &engine.Changed{Added: 1}}
		s.pass(2 * refreshAfter)
		s.shows("5 results", "answer from before your files changed")
		s.press("shift+tab")
		if !strings.HasSuffix(s.chosen(), "dns.md") {
			t.Errorf("[2] is %s now", s.chosen())
		}
		s.press("ctrl+r")
		s.shows("6 results", "answer · word for word")
		s.fake.events <- engine.Event{Changed: &engine.Changed{Removed: 1}}
		s.pass(2 * refreshAfter)
		asked := len(s.fake.queries())
		s.press("esc")
		if len(s.fake.queries()) != asked+1 {
			t.Error("closing an old answer did not refresh the results")
		}
	})
}

func TestAnswersThatAreNone(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = &fakeAnswerer{says: engine.Answer{Text: engine.DeclinedText, Confidence: engine.None, Declined: true}}
		s.typed("dns")
		s.press("ctrl+r")
		s.shows("Nothing found in your files that answers this.", "─ answer ─", "dns.md", "3 results")
		s.press("shift+tab")
		s.fake.answerer.says = engine.Answer{Problem: "the question could not be answered: the pack\x1b[2J vanished"}
		s.press("ctrl+r", "ctrl+r")
		s.shows("the pack␛[2J vanished", "─ no answer ─", "dns.md")
		s.fake.answerer.says = engine.Answer{Text: "Flush it. [1]", How: engine.Extracted, Problem: "the model\x1b[2J is damaged"}
		s.press("ctrl+r", "ctrl+r")
		s.shows("Flush it. [1]", "the model␛[2J is damaged", "─ answer · word for word ─")
		s.fake.answerer = nil // an owner that gives none
		s.press("ctrl+r", "ctrl+r")
		s.shows("no answer came")
		s.press("ctrl+u")
		s.fake.answerer = flushing()
		s.typed("zebra")
		s.press("ctrl+r")
		s.shows("Nothing found in your files that answers this.", "Nothing found.")
		s.fake.err = errors.New("page 7 is damaged")
		s.press("ctrl+r", "ctrl+r")
		s.hides("looking for an answer", "Nothing found in your files that answers this.")
		s.shows("page 7 is damaged")
	})
}

// TestLongAnswerScrolls goes through the citations of an answer that is longer
// than its pane; the sentence that cites is always in sight.
func TestLongAnswerScrolls(t *testing.T) {
	withScreen(t, 60, 20, Options{}, func(t *testing.T, s *screen) {
		var says engine.Answer
		for _, n := range []string{"1", "2", "3", "4", "5"} {
			says.Text += strings.Repeat("word ", 20) + "[" + n + "]\n"
			says.Citations = append(says.Citations, engine.AnswerCitation{N: int(n[0] - '0')})
		}
		s.fake.answerer = &fakeAnswerer{says: says}
		s.typed("cache")
		s.press("ctrl+r")
		s.shows("[1]", "↓ 5 lines")
		for _, n := range []string{"[1]", "[2]", "[3]", "[4]", "[5]", "[1]"} {
			s.press("shift+tab")
			s.shows(n, "▌  "+n[1:2]+" ")
		}
		s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown, X: 4, Y: 3})
		s.shows("↓ 4 lines")
	})
}

// TestAnswerCannotSteerTheTerminal puts control characters everywhere.
func TestAnswerCannotSteerTheTerminal(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		text := "a\x1b[31m red\u202e \x07[1]\r\n\xff tab\there [2]" + strings.Repeat("x\u0301\u0301\u0301\u0301\u0301\u0301", 40_000)
		s.fake.answerer = &fakeAnswerer{says: engine.Answer{
			Text: text, How: "evil\x1b]0;m\x07", Citations: []engine.AnswerCitation{{N: 1, LineStart: -5, LineEnd: 1 << 30}, {N: 4000}},
			Highlights: []engine.Range{{Start: 1, End: 3}},
		}}
		s.typed("cache")
		s.press("ctrl+r", "shift+tab", "shift+tab")
		s.shows("␛[31m red", "evil␛]0;m␇")
	})
}

// TestDoubtsAreSeenWithoutColour: the mark is text, and its style is another
// one than that of the rest.
func TestDoubtsAreSeenWithoutColour(t *testing.T) {
	withScreen(t, 80, 24, Options{NoColor: true}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.typed("cache")
		s.press("ctrl+r")
		if plain := ansi.Strip(s.model.View()); !strings.Contains(plain, "1973(?)") {
			t.Errorf("no mark:\n%s", plain)
		}
	})
}

func TestAnswerRows(t *testing.T) {
	for _, c := range []struct{ wanted, body, want int }{
		{0, 30, 0}, {2, 30, 2}, {20, 30, 12}, {20, 17, 6}, {20, 7, 4}, {20, 6, 3}, {2, 5, 2}, {20, 4, 0},
	} {
		if got := answerRows(c.wanted, c.body); got != c.want {
			t.Errorf("%d rows wanted of %d: %d, want %d", c.wanted, c.body, got, c.want)
		}
	}
}

// TestPlacesOfOnePassage cites one passage for two places, as the answer in the
// words of the files does, and one place twice, as models do.
func TestPlacesOfOnePassage(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		text := "It kept a stale answer. [2]\nFlushing fixed it. [2]\nBread. [5]\nBread again. [5]"
		s.fake.answerer = &fakeAnswerer{says: engine.Answer{Text: text, Citations: []engine.AnswerCitation{
			{N: 2, LineStart: 3, LineEnd: 3}, {N: 2, LineStart: 8, LineEnd: 8}, {N: 5, LineStart: 5, LineEnd: 5},
		}}}
		s.typed("dns cache")
		s.press("ctrl+r")
		for _, want := range []string{"▌  3  The", "▌  8  fixed", "▌  5  Keep", "▌  3  The"} {
			s.press("shift+tab")
			s.shows(want)
		}
		for y, want := range map[int]string{2: "▌  3  The", 3: "▌  8  fixed", 4: "▌  5  Keep", 5: "▌  5  Keep"} {
			s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: 4, Y: y})
			s.shows(want)
		}
	})
}
