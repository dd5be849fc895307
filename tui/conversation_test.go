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

const dnsNote = "/home/ada/notes/network/dns.md"

// inPrinter runs body in the conversation about the printer.
func inPrinter(t *testing.T, w, h int, body func(*testing.T, *screen)) {
	t.Helper()
	withScreen(t, w, h, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.fake.answerer = flushing()
		s.press("ctrl+g", "enter")
		body(t, s)
	})
}

// place returns the path of the place that is chosen in the conversation, "" for none.
func (s *screen) place() string {
	p, _ := s.model.conversation.selected()
	return p.passage.Path
}

// TestYesterdaysConversationWithinTwoKeys: the one asked last is chosen in the list, and
// what is typed then is its next question.
func TestYesterdaysConversationWithinTwoKeys(t *testing.T) {
	inPrinter(t, 80, 30, func(t *testing.T, s *screen) {
		s.shows("─ the printer ─", "❯ what does dns.md say of the printer?", "searched as: what got the printer going again?",
			"went on from 1,432 tokens: 31 ms", "2 questions")
		s.typed("who wrote it down?")
		if n := len(s.fake.requests); n != 0 {
			t.Fatalf("%d searches while a question is typed", n)
		}
		s.shows("❯ and what got it going again?", "enter ask")
		s.press("enter")
		last := s.fake.requests[len(s.fake.requests)-1]
		if last.Query != "who wrote it down?" || last.Context != "the printer" || !last.Answer || !last.Keep || last.Estimate {
			t.Errorf("asked %+v", last)
		}
		s.shows("❯ ask on", "❯ who wrote it down?", "3 questions", "today 00:00 · word for word · 41 ms")
		if n := s.fake.kept.all[0].Count; n != 3 || s.fake.kept.all[0].Name != "the printer" {
			t.Errorf("%d questions are kept", n)
		}
		s.press("ctrl+r")
		s.shows("type a question first")

		s.fake.answerer = &fakeAnswerer{says: engine.Answer{Text: engine.DeclinedText, Confidence: engine.None, Declined: true, How: engine.Extracted}}
		s.typed("cache")
		s.press("enter")
		s.shows(engine.DeclinedText, "What was found:", "[3]  notes/evil␛]0;pwned␇")
	})
}

// TestAnswerOfAConversationGrows: the turns before it stay in sight, what is typed
// meanwhile stays on the line, and one question is answered at a time.
func TestAnswerOfAConversationGrows(t *testing.T) {
	inPrinter(t, 80, 40, func(t *testing.T, s *screen) {
		s.fake.answerer.drafts, s.fake.answerer.takes = 4, 200*time.Millisecond
		s.typed("dns")
		s.press("enter")
		s.shows("looking for an answer…", "❯ what does dns.md say of the printer?", "❯ dns")
		s.pass(460 * time.Millisecond)
		s.shows("answering…", "esc stop")
		s.typed("cache")
		s.press("enter")
		s.shows("one question at a time", " ❯ cache")
		s.press("f10")
		s.shows("wait for the answer")
		s.pass(noticeTime)
		s.shows("3 questions", " ❯ cache")
		if n := len(s.fake.requests); n != 1 {
			t.Errorf("%d asked", n)
		}
		s.press("enter")
		s.pass(2 * time.Second)
		s.shows("4 questions")
	})
}

// TestConversationThatIsAskedInElsewhere: what was asked there meanwhile is shown with the
// next answer.
func TestConversationThatIsAskedInElsewhere(t *testing.T) {
	inPrinter(t, 80, 40, func(t *testing.T, s *screen) {
		s.fake.kept.append("the printer", kept("", time.Now(), "which toner?").Turns[0])
		s.typed("dns")
		s.hides("which toner?")
		s.press("enter")
		s.shows("❯ which toner?", "❯ dns", "4 questions")
	})
}

// TestStoppedQuestionIsBackOnTheLine: esc ends the answer and nothing of it is kept.
func TestStoppedQuestionIsBackOnTheLine(t *testing.T) {
	inPrinter(t, 80, 40, func(t *testing.T, s *screen) {
		s.fake.answerer.drafts, s.fake.answerer.takes, s.fake.answerer.deaf = 4, 200*time.Millisecond, true
		s.typed("dns")
		s.press("enter")
		s.pass(300 * time.Millisecond)
		s.press("esc")
		if s.fake.contexts[0].Err() == nil {
			t.Error("the answer goes on")
		}
		s.shows(" ❯ dns", "2 questions")
		s.pass(3 * time.Second)
		s.shows(" ❯ dns", "2 questions")

		s.fake.err = errors.New("the disk is on fire")
		s.press("enter")
		s.shows("the disk is on fire", " ❯ dns", "❯ and what got it going again?")
	})
}

// TestPlacesOfTurns: keys go through them, enter and copying are about the chosen one,
// and esc goes back a step at a time.
func TestPlacesOfTurns(t *testing.T) {
	inPrinter(t, 120, 40, func(t *testing.T, s *screen) {
		if len(s.fake.previews) != 0 {
			t.Error("a preview without a place")
		}
		s.press("down")
		s.shows("▌   [2]  notes/network/dns.md:4")
		if place := s.model.conversation.chosen; place != 2 {
			t.Errorf("the first step is to place %d", place)
		}
		s.press("esc", "up")
		if place := s.model.conversation.chosen; place != 3 {
			t.Errorf("the first step back is to place %d", place)
		}
		s.press("up", "up", "up", "up")
		paths := []string{s.place()}
		for range 4 {
			s.press("down")
			paths = append(paths, s.place())
		}
		if want := []string{dnsNote, breadNote, dnsNote, breadNote, breadNote}; !slices.Equal(paths, want) {
			t.Errorf("down goes through %q, want %q", paths, want)
		}
		s.shows("▌   [5]  notes/recipes/bread.md:5", "enter open", "▌  5  Keep the starter")
		s.press("shift+tab")
		s.shows("▌   [2]  notes/network/dns.md:4")
		s.send(alt('5'))
		if path, line, _, ok := s.model.place(); path != breadNote || line != 5 || !ok {
			t.Errorf("alt-5 is at %s:%d", path, line)
		}
		s.send(alt('9'))
		if s.place() != breadNote {
			t.Errorf("alt-9 chose %s", s.place())
		}
		s.press("f10")
		s.shows("─ like notes/recipes/bread.md:1", "4 results")
		s.press("esc")
		s.shows("▌   [5]  notes/recipes/bread.md:5")
		s.press("esc")
		if s.place() != "" || !s.model.conversation.open() {
			t.Error("esc did not unchoose the place")
		}
		s.hides("Keep the starter in a cool place. The cache")
		s.press("esc")
		if s.model.conversation.open() || s.quit {
			t.Error("esc did not leave the conversation")
		}
		s.shows("5 files", "3 conversations")
	})
}

// TestLeavingBringsTheSearchBack, with its query, its answer and the chosen passage.
func TestLeavingBringsTheSearchBack(t *testing.T) {
	withScreen(t, 80, 30, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.press("ctrl+r", "shift+tab")
		chosen, asked := s.chosen(), len(s.fake.requests)
		s.press("ctrl+g", "enter")
		s.hides("dns cache", "5 results")
		s.press("esc")
		s.shows(" ❯ dns cache", "answer · word for word", "5 results")
		if s.chosen() != chosen || len(s.fake.requests) != asked {
			t.Errorf("chosen %s of %s, %d asked again", s.chosen(), chosen, len(s.fake.requests)-asked)
		}
		s.press("ctrl+g", "enter")
		s.fake.events <- engine.Event{Changed: &engine.Changed{Updated: 1}}
		s.pass(time.Second)
		if len(s.fake.requests) != asked {
			t.Error("a search that is not in sight was asked again")
		}
		s.press("esc")
		s.shows("answer from before your files changed")

		s.press("ctrl+u")
		s.fake.err = errors.New("page 7 is damaged")
		s.typed("x")
		s.press("ctrl+g", "enter", "esc")
		s.shows("page 7 is damaged")
		s.fake.err = nil

		s.press("ctrl+u")
		s.typed("bread")
		s.press("ctrl+g") // over a search under way
		s.pass(time.Second)
		s.press("esc")
		s.shows(" ❯ bread", "1 result")
	})
}

// TestConversationByMouse: the wheel scrolls, a click chooses what is cited, a second one
// opens it, and hints are pressed.
func TestConversationByMouse(t *testing.T) {
	withScreen(t, 80, 24, Options{Getenv: func(name string) string { return map[string]string{"EDITOR": "true"}[name] }}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.send(s.model.askStatus()())
		click := func(text string) {
			t.Helper()
			for y, line := range strings.Split(s.frame(), "\n") {
				if at := strings.Index(line, text); at >= 0 {
					s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: width(line[:at]), Y: y})
					return
				}
			}
			t.Fatalf("%q is not on the screen:\n%s", text, s.frame())
		}
		click("ctrl-g conversations  ")
		s.shows("conversations ❯")
		click("日本語のメモ")
		s.shows("▌  日本語のメモ")
		click("esc")
		click("ctrl-g conversations  ")
		click("the printer")
		click("the printer")
		s.shows("─ the printer ─")
		click("for good. [2]")
		if s.place() != dnsNote {
			t.Errorf("a click on the answer chose %q", s.place())
		}
		click("[5]  n")
		click("[5]  n")
		if len(s.other) != 1 {
			t.Error("a double click opened nothing")
		}
		top := s.model.conversation.top
		s.send(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown, X: 4, Y: 5})
		if s.model.conversation.top <= top {
			t.Error("the wheel did not scroll")
		}
	})
}

// TestConversationThatIsLost says so, and asks nothing in it.
func TestConversationThatIsLost(t *testing.T) {
	withScreen(t, 60, 20, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.press("ctrl+g")
		s.fake.kept.err = errors.New("record 7 is \x1b[2Jdamaged")
		s.press("enter")
		s.shows("cannot be shown", "record 7 is ␛[2Jdamaged")
		s.typed("dns")
		s.press("enter")
		if len(s.fake.requests) != 0 {
			t.Error("asked in what cannot be read")
		}
		s.press("esc", "esc")
		s.press("ctrl+g")
		s.shows("cannot be listed")
		s.fake.kept.err = nil
		s.press("ctrl+g", "ctrl+g")
		s.fake.kept.all[0].Problem = "one question was lost"
		s.press("enter")
		s.shows("one question was lost", "❯ and what got it going again?")
		s.fake.answerer, s.fake.kept.problem = flushing(), "the disk is full: the turn was not kept"
		s.typed("dns")
		s.press("enter")
		s.shows("the disk is full")
	})
}

// TestLongConversationScrolls: the last question is in sight from its first row on, and
// whoever reads above it is not moved.
func TestLongConversationScrolls(t *testing.T) {
	inPrinter(t, 60, 20, func(t *testing.T, s *screen) {
		s.press("home")
		s.shows("❯ what does dns.md say", "↓ ")
		s.press("end")
		s.hides("❯ what does dns.md say")
		s.fake.answerer.says.Text = strings.Repeat("word ", 400) + "[2]"
		s.fake.answerer.drafts, s.fake.answerer.takes = 3, 200*time.Millisecond
		s.typed("dns")
		s.press("enter")
		s.pass(500 * time.Millisecond)
		if row := strings.Split(s.frame(), "\n")[2]; row != " ❯ dns" {
			t.Errorf("the first row is %q", row)
		}
		s.press("home")
		s.pass(2 * time.Second)
		s.shows("❯ what does dns.md say", "3 questions")
		s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		s.shows("❯ what does dns.md say")
		s.press("end", "pgup", "pgdown")
		s.shows("today 00:00")
	})
}
