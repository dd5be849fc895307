package tui

import (
	"errors"
	"slices"
	"testing"
	"time"

	"dowse/engine"
)

// TestConversationsAreFound by words of their names and first questions. What is typed
// may also be the name of a new one.
func TestConversationsAreFound(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.typed("dns")
		asked := len(s.fake.requests)
		s.press("ctrl+g")
		s.shows("in memory · 3.1 MB · 2 questions · yesterday 14:02", "what does dns.md say of the printer?", "3 conversations · 9.3 MB on disk")
		s.typed("STARTER")
		s.shows("▌  bread ␛[2J", "1 of 3 conversations", "begin a conversation called STARTER")
		s.hides("the printer")
		s.press("ctrl+u")
		s.typed("the printer")
		s.hides("begin a conversation")
		s.press("ctrl+u")
		s.typed("zebra")
		s.shows("▌  begin a conversation called zebra")
		s.press("enter")
		s.shows("─ zebra ─", "A new conversation.")
		s.fake.answerer = flushing()
		s.typed("dns")
		s.press("enter")
		s.shows("❯ dns", "1 question")
		if got := s.fake.kept.all[0]; got.Name != "zebra" || got.Count != 1 || len(s.fake.requests) != asked+1 {
			t.Errorf("%q has %d questions, %d were asked", got.Name, got.Count, len(s.fake.requests)-asked)
		}
		s.press("ctrl+g", "down", "enter")
		s.shows("─ the printer ─")
		s.press("esc")
		s.shows(" ❯ dns", "3 results")
	})
}

// TestConversationsAreLoadedAhead: of one that stays chosen for a while, that is opened,
// and that a question is typed in.
func TestConversationsAreLoadedAhead(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.press("ctrl+g", "down", "down", "up")
		if len(s.fake.kept.focused) != 0 {
			t.Errorf("loaded %q in passing", s.fake.kept.focused)
		}
		s.pass(2 * focusAfter)
		bread := s.fake.kept.all[1].Name
		s.press("home", "enter")
		s.typed("ab")
		s.press("ctrl+u")
		s.typed("c")
		if want := []string{bread, "the printer", "the printer", "the printer"}; !slices.Equal(s.fake.kept.focused, want) {
			t.Errorf("loaded %q, want %q", s.fake.kept.focused, want)
		}
	})
}

// TestConversationsAreDeleted when the person says y, and only then.
func TestConversationsAreDeleted(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.press("ctrl+g")
		for _, key := range []string{"esc", "enter", "down", "n"} {
			s.press("f8")
			s.shows("delete 2 questions, 3.1 MB? y deletes, other keys keep")
			if key == "n" {
				s.typed("n")
			} else {
				s.press(key)
			}
			s.hides("y deletes")
		}
		if n := len(s.fake.kept.all); n != 3 || !s.model.list.open || s.model.line() != "" {
			t.Fatalf("%d conversations are left, the line is %q", n, s.model.line())
		}
		s.press("f8")
		s.typed("y")
		s.shows("deleted the printer: 2 questions, 3.1 MB", "▌  bread")
		if n := len(s.fake.kept.all); n != 2 {
			t.Errorf("%d are left", n)
		}
		s.hides("what does dns.md say")

		s.press("enter", "ctrl+g") // the one that is open
		s.press("f8")
		s.typed("y")
		s.shows("conversations ❯", "▌  日本語のメモ")
		s.press("esc")
		if s.model.conversation.open() {
			t.Error("a conversation that is gone is open")
		}
		s.press("ctrl+g", "f8")
		s.fake.kept.err = errors.New("another process holds it")
		s.typed("y")
		s.shows("another process holds it")
	})
}

// TestConversationsAreRenamed: a name that is another's stays on the line.
func TestConversationsAreRenamed(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.press("ctrl+g", "enter", "ctrl+g", "f6")
		s.shows(" name ❯ the printer", "another name for the printer")
		s.press("ctrl+u", "enter")
		s.shows("type a name")
		s.typed("日本語のメモ")
		s.press("enter")
		s.shows("is another's", " name ❯ 日本語のメモ")
		s.press("ctrl+u")
		s.typed("office")
		s.press("enter")
		s.shows("conversations ❯", "▌  office", "─ office ─")
		s.press("f6", "esc")
		s.shows("conversations ❯", "▌  office")
		s.press("esc")
		s.shows("─ office ─", "❯ and what got it going again?")
		s.press("ctrl+g", "down", "f6", "ctrl+u")
		s.typed("loaf")
		s.press("enter")
		s.shows("▌  loaf")
	})
}

// TestQuestionIsKept as a conversation when the person says so, under a name made of it.
func TestQuestionIsKept(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.press("ctrl+s")
		s.shows("type a question first")
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.press("ctrl+r", "ctrl+s")
		s.shows(" name ❯ dns cache", "keeps question and answer under this name")
		if len(s.fake.kept.all) != 0 {
			t.Error("kept before it was named")
		}
		asked := len(s.fake.requests)
		s.press("enter")
		s.shows("─ dns cache ─", "❯ dns cache", "[2]  notes/network/dns.md:4", "kept as dns cache")
		if c := s.fake.kept.all[0]; c.Count != 1 || len(c.Turns[0].Passages) != 5 || len(s.fake.requests) != asked {
			t.Errorf("%d turns, %d passages, %d asked again", c.Count, len(c.Turns[0].Passages), len(s.fake.requests)-asked)
		}
		s.press("ctrl+s")
		s.shows("kept already, as dns cache")
		s.press("esc")
		s.shows(" ❯ dns cache", "answer · word for word")

		s.press("ctrl+s")
		s.shows("goes on with it: 1 question so far")
		s.press("esc", "esc", "ctrl+u")
		s.typed("bread")
		s.press("ctrl+s")
		s.shows("asks the question in a conversation of this name")
		s.press("enter")
		s.shows("─ bread ─", "❯ bread", "1 question")
	})
}

// TestNameBeforeTheAnswer: a name may be typed while the answer is written, and is given
// once that is there.
func TestNameBeforeTheAnswer(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.fake.answerer.drafts, s.fake.answerer.takes = 2, time.Second
		s.typed("dns")
		s.press("ctrl+r", "ctrl+s", "enter")
		s.typed("x")
		s.shows("keeps it when the answer is there…", " name ❯ dns")
		s.pass(4 * time.Second)
		s.shows("─ dns ─", "kept as dns")
		if c := s.fake.kept.all[0]; c.Count != 1 || c.Turns[0].Answer == nil || c.Turns[0].Answer.Millis == 0 {
			t.Errorf("kept %+v", c)
		}

		s.press("esc", "ctrl+u")
		s.typed("cache")
		s.press("ctrl+r", "ctrl+s", "enter", "esc")
		s.pass(4 * time.Second)
		s.shows(" ❯ cache", "5 results")
		s.fake.answerer.err = errors.New("the disk is on fire")
		s.press("ctrl+r", "ctrl+r", "ctrl+s", "enter")
		s.pass(4 * time.Second)
		s.shows(" ❯ cache", "the disk is on fire")
		if n := len(s.fake.kept.all); n != 1 {
			t.Errorf("%d conversations", n)
		}
	})
}

// TestKeepingInAnotherConversation: a question that was not answered waits below what
// was said there.
func TestKeepingInAnotherConversation(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.remember(time.Now())
		s.typed("dns")
		s.press("ctrl+s", "ctrl+u")
		s.typed("THE printer")
		s.press("enter")
		s.shows("─ the printer ─", " ❯ dns", "2 questions")
		if last := s.fake.requests[len(s.fake.requests)-1]; last.Context != "" {
			t.Errorf("asked %+v", last)
		}
	})
}

func TestSuggestedNames(t *testing.T) {
	for question, want := range map[string]string{
		"where did we eat?":  "where did we eat",
		"  DNS\x1b\tcache  ": "DNS␛ cache",
		"what did the long letter from the office of weights and measures say about scales?": "what did the long letter from the office of",
		"???": "",
	} {
		if got := suggestName(question); got != want {
			t.Errorf("%q is called %q, want %q", question, got, want)
		}
	}
}

func TestMoments(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)
	for want, at := range map[string]time.Time{
		"today 00:00":      time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC),
		"yesterday 23:59":  time.Date(2026, 11, 22, 23, 59, 0, 0, time.UTC),
		"Tuesday 08:00":    time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC),
		"2026-11-16 08:00": time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC),
		"2025-12-31 08:00": time.Date(2025, 12, 31, 8, 0, 0, 0, time.UTC),
		"2026-11-24 08:00": time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC),
		"":                 {},
	} {
		if got := Moment(at, now); got != want {
			t.Errorf("%v is %q, want %q", at, got, want)
		}
	}
}

// TestAskOn: the answer in sight becomes a conversation, and the line takes the next question.
func TestAskOn(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.press("alt+a")
		s.shows("ask for an answer first")
		s.fake.kept.all = append(s.fake.kept.all, engine.Conversation{Name: "DNS cache"})
		s.typed("dns cache?")
		s.fake.answerer.drafts, s.fake.answerer.takes = 2, time.Second
		s.press("ctrl+r", "alt+a")
		s.shows("wait for the answer; ctrl-c stops it")
		s.pass(5 * time.Second)
		s.shows("alt-a ask on")
		s.press("alt+a", "alt+a")
		s.shows("kept as dns cache 2; ask on", "❯ dns cache?", "for good. [2]", " ❯ ask on in this conversation")
		s.typed("bread")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("2 questions", "❯ bread")
		s.press("esc")
		s.press("esc")
		s.shows(" ❯ dns cache?")
	})
}

// TestStoppedAnswerIsKept as it stood when it was stopped.
func TestStoppedAnswerIsKept(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = reading()
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(3500 * time.Millisecond)
		s.press("ctrl+c", "alt+a")
		s.shows("❯ dns cache", "for good. [2]", stoppedNote)
		if s.quit {
			t.Error("ctrl-c left the program")
		}
	})
}

// TestProposedName: what is typed takes the place of a proposal, and keys that move keep it.
func TestProposedName(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(_ *testing.T, s *screen) {
		s.typed("dns cache")
		s.press("ctrl+s")
		s.shows(" name ❯ dns cache")
		s.typed("router")
		s.shows(" name ❯ router")
		s.hides("dns cacherouter")
		s.press("esc", "ctrl+s", "left")
		s.typed("X")
		s.shows(" name ❯ dns cachXe")
		s.press("esc", "ctrl+s", "backspace")
		s.shows(" name ❯ what the conversation is called")
		s.press("esc", "ctrl+s", "enter")
		s.shows("dns cache")
	})
}
