package tui

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"dowse/engine"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// shaded returns the stretches of a screen that an attribute is on for.
func shaded(view, attribute string) string {
	var out strings.Builder
	on := false
	for _, m := range regexp.MustCompile(`\x1b\[([0-9;]*)m|([^\x1b]+)`).FindAllStringSubmatch(view, -1) {
		codes := ";" + m[1] + ";"
		switch {
		case m[2] != "" && on:
			out.WriteString(m[2])
		case m[2] != "":
		case strings.Contains(codes, ";"+attribute):
			on = true
		case codes == ";0;", codes == ";24;", codes == ";;":
			on = false
		}
	}
	return out.String()
}

// TestDraftedTextIsShaded: by its background, and by a line below it where there
// is no colour; the text is the same.
func TestDraftedTextIsShaded(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	a := writing().says
	for attribute, styles := range map[string]styles{"48;2;": colourStyles(r, darkPalette), "4;": plainStyles(r)} {
		p := answerPane{prose: prose{styles: styles}}
		p.begin()
		p.finish(&a, nil)
		drawn := strings.Join(p.Render(100, p.height(100)), "\n")
		if got := shaded(drawn, attribute); got != "resolvectl flush-caches fixedin a cool place since 1973. [5]" {
			t.Errorf("shaded: %q of %q", got, drawn)
		}
		if plain := ansi.Strip(drawn); !strings.Contains(plain, "with resolvectl flush-caches fixed the") || !strings.Contains(plain, "1973(?). [5]") {
			t.Errorf("the text differs:\n%s", plain)
		}
	}
}

// TestShadeGrows: a growing answer is shaded as far as it is known.
func TestShadeGrows(t *testing.T) {
	withScreen(t, 120, 40, Options{NoColor: true}, func(t *testing.T, s *screen) {
		s.fake.answerer = writing()
		s.fake.answerer.drafts, s.fake.answerer.takes = 3, 200*time.Millisecond
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(500 * time.Millisecond)
		if got := shaded(s.model.View(), "4;"); !strings.HasPrefix(got, "resolvectl flush-caches") || strings.Contains(got, "cool") {
			t.Errorf("shaded: %q", got)
		}
	})
}

// TestFiguresOfAnAnswer are on the machine panel while it is written, on every
// size of screen.
func TestFiguresOfAnAnswer(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		shows []string
	}{
		{120, 40, []string{"last answer", "31.4 tokens/s · 38 tokens", "24 of 40 drafted tokens accepted", "14 passes of 30 layers · 2.7 a pass"}},
		{80, 24, []string{"last answer", "31.4 tokens/s", "24 of 40 drafted tokens accepted", "14 passes of 30 layers"}},
		{60, 20, []string{"answer 31.4 tokens/s · 24/40 accepted · 30 layers"}},
		{40, 14, []string{"answer 31.4 tokens/s"}},
	} {
		withScreen(t, c.w, c.h, Options{}, func(t *testing.T, s *screen) {
			s.fake.answerer = writing()
			s.fake.answerer.drafts, s.fake.answerer.takes = 3, 200*time.Millisecond
			s.typed("dns cache")
			s.press("ctrl+r")
			s.pass(500 * time.Millisecond)
			s.press("ctrl+o")
			s.shows(c.shows...)
			s.pass(2 * time.Second)
			s.shows(c.shows...)
			s.typed("x") // another search: the figures are of the last answer
			s.drain()
			s.shows(c.shows[:1]...)
		})
	}
}

// TestServerIsNamed: the screen tells where a question goes, before and after.
func TestServerIsNamed(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.fake.answerer.takes, s.fake.answerer.drafts = time.Second, 1
		s.fake.answerer.says.How = "big\x1b[2J at box.example"
		s.fake.answerer.says.Sent = &engine.Sent{To: "http://box.example", Model: "big", Passages: 5, Remote: true, Plain: true}
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(2 * redrawEvery) // the next frame shows what the server sent after the passages
		s.shows("asking big␛[2J at box.example…", "answer · sent to another machine · big")
		s.pass(5 * time.Second)
		s.shows("answer · sent to another machine · big␛[2J at box.example · 41 ms")
	})
}

// TestCitationOpensItsLine: what is cited is opened and copied, until another
// passage is chosen.
func TestCitationOpensItsLine(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = flushing()
		s.typed("dns cache")
		s.press("ctrl+r")
		for _, c := range []struct {
			key  string
			line int
		}{{"", 1}, {"shift+tab", 4}, {"shift+tab", 5}, {"up", 1}, {"shift+tab", 4}, {"tab", 1}, {"shift+tab", 5}} {
			if c.key != "" {
				s.press(c.key)
			}
			if path, line, _, ok := s.model.place(); !ok || line != c.line {
				t.Errorf("after %q: %s:%d", c.key, path, line)
			}
		}
	})
}

// TestWhatAnAnswerWentOnFrom: in memory, brought back, or nothing.
func TestWhatAnAnswerWentOnFrom(t *testing.T) {
	for _, c := range []struct {
		g         engine.Generation
		went, how string
	}{
		{engine.Generation{Reused: 900}, "", ""}, // of the question before, outside of a conversation
		{engine.Generation{Conversation: 50}, "", ""},
		{engine.Generation{Reused: 900, Conversation: 950}, "went on from 900 tokens in memory", "on from 900 tokens in memory"},
		{
			engine.Generation{Reused: 1432, Conversation: 1500, Restored: 1416, Recomputed: 16, RestoreMillis: 31},
			"went on from 1,432 tokens: 31 ms", "on from 1,432 tokens: 31 ms · 1,416 read · 16 computed",
		},
	} {
		if went, how := continuation(&c.g), restored(&c.g); went != c.went || how != c.how {
			t.Errorf("%+v: %q and %q, want %q and %q", c.g, went, how, c.went, c.how)
		}
	}
	if continuation(nil) != "" {
		t.Error("nothing was written, and it went on")
	}
}

// TestReadingIsShown: the quotation stands at once, below it what the model
// waits for, then its words, on narrow screens too.
func TestReadingIsShown(t *testing.T) {
	const quoted = "Flushing the cache"
	for _, w := range []int{120, 80, 50} {
		withScreen(t, w, 30, Options{}, func(t *testing.T, s *screen) {
			s.fake.answerer = reading()
			s.typed("dns cache")
			s.press("ctrl+r")
			s.pass(2 * redrawEvery)
			s.shows(quoted, "small-writer is reading 5 passages, 2 s…")
			s.pass(time.Second)
			s.shows(quoted, "small-writer is reading 5 passages, 1 s…")
			s.pass(2 * time.Second)
			s.shows(quoted, engine.WrittenFrom+":", "With res")
			s.hides("reading 5 passages")
			s.pass(3 * time.Second)
			s.shows(quoted, "With resolvectl flush-caches. [2]", "small-writer")
		})
	}
}

// TestReadingIsShownOnSmallScreens, where there is no room below the quotation.
func TestReadingIsShownOnSmallScreens(t *testing.T) {
	withScreen(t, 50, 16, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = reading()
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(2 * redrawEvery)
		s.shows("Flushing the cache", "─ reading 5 passages, 2 s · ↓")
	})
}

// TestStoppedWritingKeepsTheQuotation, whichever key stops it and however far it
// was; the next press of the key does what it does otherwise.
func TestStoppedWritingKeepsTheQuotation(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		for _, after := range []time.Duration{500 * time.Millisecond, 3500 * time.Millisecond} {
			withScreen(t, 80, 24, Options{}, func(t *testing.T, s *screen) {
				s.fake.answerer = reading()
				s.typed("dns cache")
				s.press("ctrl+r")
				s.pass(after)
				s.press(key)
				s.shows("Flushing the cache", stoppedNote, "word for word")
				s.hides("reading", "With res", engine.WrittenFrom)
				s.pass(5 * time.Second)
				s.shows("Flushing the cache", stoppedNote)
				s.hides("With res")
				if ctx := s.fake.contexts[len(s.fake.contexts)-1]; ctx.Err() == nil {
					t.Error("the model goes on")
				}
				s.press("shift+tab")
				if s.chosen() == "" || s.quit {
					t.Error("what is quoted cannot be visited")
				}
				s.press(key)
				if s.quit != (key == "ctrl+c") || s.model.answer.open == (key == "esc") {
					t.Errorf("%s again: quit %t, open %t", key, s.quit, s.model.answer.open)
				}
			})
		}
	}
}

// TestWrittenMarkdown: what a model writes is drawn as it is meant, while it comes too, and its citations are keys.
func TestWrittenMarkdown(t *testing.T) {
	withScreen(t, 80, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.answerer = markdownWriter()
		s.fake.answerer.drafts, s.fake.answerer.takes = 3, time.Second
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(2500 * time.Millisecond)
		s.shows("Two steps", "• Flush the resolver")
		s.hides("**", "##", "```")
		s.pass(4 * time.Second)
		s.shows("Two steps", "• Flush the resolver with resolvectl flush-caches, and do it again when the", "  printer asks. [2]",
			"2. Keep the starter since 1973(?). [5]", " resolvectl flush-caches\n Perhaps; your files do not say all of this.")
		s.hides("**", "##", "```", "`")
		for _, file := range []string{"dns.md", "bread.md"} {
			s.press("shift+tab")
			if !strings.HasSuffix(s.chosen(), file) {
				t.Errorf("the citation leads to %s, want %s", s.chosen(), file)
			}
		}
	})
}

// markdownWriter writes a heading, items and code.
func markdownWriter() *fakeAnswerer {
	const text = "## Two steps\n\n- **Flush** the resolver with `resolvectl flush-caches`, and do it again when the printer asks. [2]\n" +
		"2. Keep the *starter* since 1973. [5]\n\n```sh\nresolvectl flush-caches\n```\n"
	at := strings.Index(text, "1973")
	return &fakeAnswerer{says: engine.Answer{
		Text: text, How: "small-writer", Confidence: engine.Perhaps, Millis: 2100,
		Citations: []engine.AnswerCitation{{N: 2, LineStart: 4, LineEnd: 4}, {N: 5, LineStart: 5, LineEnd: 5}},
		Sentences: []engine.AnswerSentence{{
			Range:       engine.Range{Start: 0, End: len(text)},
			Unsupported: []engine.Unsupported{{Range: engine.Range{Start: at, End: at + 4}, Kind: engine.UnsupportedNumber}},
		}},
	}}
}

// TestWrittenTextIsInSight below a quotation that fills the pane: it is followed, and keys go through all of it.
func TestWrittenTextIsInSight(t *testing.T) {
	withScreen(t, 80, 24, Options{}, func(_ *testing.T, s *screen) {
		long := *quoting().says.Quotation
		long.Text = strings.Repeat("The first line of what is quoted from a note. [2]\n", 12)
		s.fake.answerer = quoting()
		s.fake.answerer.says.Quotation = &long
		s.fake.answerer.drafts, s.fake.answerer.takes = 2, time.Second
		s.typed("dns cache")
		s.press("ctrl+r")
		s.pass(500 * time.Millisecond)
		s.shows("The first line of what is quoted", " lines ──")
		s.pass(5 * time.Second)
		s.shows(engine.WrittenFrom+":", "With resolvectl flush-caches. [2]", "↑ ")
		s.press("alt+k", "alt+k", "alt+k", "alt+k", "alt+k", "alt+k")
		s.hides(engine.WrittenFrom)
		s.shows(" lines ──")
		s.press("alt+j", "alt+j", "alt+j", "alt+j", "alt+j", "alt+j")
		s.shows(engine.WrittenFrom + ":")
		s.hides("↓")
	})
}
