//go:build unix

package tui

import (
	"slices"
	"strings"
	"testing"

	"dowse/internal/testwait"
)

// asked waits until the fake was asked a query.
func (s *session) asked(fake *fakeSearcher, query string) {
	s.t.Helper()
	if !testwait.For(patience, func() bool { return slices.Contains(fake.queries(), query) }) {
		s.t.Fatalf("%q was not asked for; asked were %q", query, fake.queries())
	}
}

// TestWordsInTerminal writes words whole, as a slow line or dictation does:
// those that spell keys are words.
func TestWordsInTerminal(t *testing.T) {
	fake := newFake()
	s := startSession(t, fake, Options{NoColor: true})
	s.wait(0, "5 files")
	const words = "set up end down home tab enter esc left right delete backspace pgup f1 ctrl+c alt+1 done"
	for i, word := range strings.SplitAfter(words, " ") {
		s.send(word)
		s.asked(fake, strings.Join(strings.SplitAfter(words, " ")[:i+1], ""))
	}
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
}

// TestLongTextInTerminal writes more letters at once than the program reads:
// none is lost, and the last ones do not wait for a further key.
func TestLongTextInTerminal(t *testing.T) {
	fake := newFake()
	s := startSession(t, fake, Options{NoColor: true})
	s.wait(0, "5 files")
	var text strings.Builder
	for i := range 120 {
		text.WriteRune('一' + rune(i))
	}
	s.send(text.String())
	s.asked(fake, text.String())
	s.send("\x15")
	ascii := strings.Repeat("x", 256)
	s.send(ascii)
	s.asked(fake, ascii)
	s.send("\x03")
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
}
