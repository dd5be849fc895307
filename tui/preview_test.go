package tui

import (
	"fmt"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/tui/rich"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// longFile returns a file of n numbered lines.
func longFile(n int) string {
	var out strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&out, "line number %d\n", i)
	}
	return out.String()
}

func TestPreviewFollowsTheChosen(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.typed("bread")
		s.shows("▎  5  Keep the starter in a cool place.")
		s.press("ctrl+u")
		s.hides("Keep the starter")
		s.typed("dns cache")
		s.press("down")
		s.shows("▎  6      resolvectl flush-caches")
	})
}

func TestPreviewToggle(t *testing.T) {
	withScreen(t, 60, 20, Options{}, func(t *testing.T, s *screen) {
		s.typed("resolver")
		s.hides("Write it down")
		if len(s.fake.previews) != 0 {
			t.Error("a preview was read that nobody sees")
		}
		s.press("tab")
		s.shows("▎  1  Fixing DNS")
		s.press("tab")
		s.hides("▎  1")
	})
}

func TestPreviewFailureIsShown(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.typed("bread")
		s.fake.mu.Lock()
		files := s.fake.files
		s.fake.files = map[string]string{}
		s.fake.mu.Unlock()
		s.model.preview.expired = true
		s.start(s.model.showPreview())
		s.drain()
		s.shows("the file is gone")
		s.fake.mu.Lock()
		s.fake.files = files
		s.fake.mu.Unlock()
		s.send(editorDone{})
		s.hides("the file is gone")
		s.shows("Keep the starter")
	})
}

// TestPreviewReadsMore scrolls through a file that is longer than what is read
// at first, in both directions, and sees every line in order.
func TestPreviewReadsMore(t *testing.T) {
	const lines = 2000
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.files = map[string]string{"/long.txt": longFile(lines)}
		s.typed("number")
		p := &s.model.preview
		for range 3 * lines {
			s.press("ctrl+d")
			if last := p.data.FirstLine + len(p.data.Lines) - 1; last == lines && p.top == len(p.rows)-(p.area.h-1) {
				break
			}
		}
		s.shows("line number 2000")
		if p.data.LineTotal != lines || len(s.fake.previews) > 6 {
			t.Errorf("read %v lines around, of %d", s.fake.previews, p.data.LineTotal)
		}
		for range 3 * lines {
			s.press("ctrl+b")
			if p.data.FirstLine == 1 && p.top == 0 {
				break
			}
		}
		s.shows("line number 1\n", "line number 2")
	})
}

func TestPreviewKeepsItsPlace(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.files = map[string]string{"/long.txt": longFile(200)}
		s.typed("number")
		s.press("ctrl+d", "ctrl+d", "shift+down", "shift+up")
		top, _ := s.model.preview.topLine()
		if top < 10 {
			t.Fatalf("line %d is on top after scrolling", top)
		}
		s.send(editorDone{})
		if now, _ := s.model.preview.topLine(); now != top {
			t.Errorf("line %d is on top after a refresh, %d was before", now, top)
		}
		s.press("ctrl+o", "ctrl+o")
		if now, _ := s.model.preview.topLine(); now != top {
			t.Errorf("line %d is on top after a resize, %d was before", now, top)
		}
	})
}

func TestMarkWords(t *testing.T) {
	passage := engine.Passage{Text: "the Cache of naïve DNS", Highlights: []engine.Range{{Start: 4, End: 9}, {Start: 13, End: 23}, {Start: 90, End: 99}}}
	words := matchedWords(passage)
	m := markWords("\tcache, cached DNS-server Naïve CACHE", words)
	var got []string
	for _, h := range m.hits {
		got = append(got, m.text[h.Start:h.End])
	}
	if want := "cache DNS Naïve CACHE"; strings.Join(got, " ") != want {
		t.Errorf("marked %q, want %q", got, want)
	}
	m = markWords("古い答えを保存。DNSの答え", map[string]bool{"答え": true, "保存": true, "dns": true, "o": true})
	got = got[:0]
	for _, h := range m.hits {
		got = append(got, m.text[h.Start:h.End])
	}
	if want := "答え 保存 答え"; strings.Join(got, " ") != want {
		t.Errorf("marked %q, want %q", got, want)
	}
}

func TestDrawMarkedKeepsEveryByte(t *testing.T) {
	plain := lipgloss.NewStyle()
	m := marked{"one two three two", []engine.Range{{Start: 4, End: 7}, {Start: 14, End: 17}}, []rich.Span{{Start: 2, End: 5, Look: rich.Code}, {Start: 8, End: 17, Look: rich.Comment}}}
	for start := range len(m.text) {
		for end := start; end <= len(m.text); end++ {
			if got := drawMarked(m, textRange{start, end}, plain, plain, styles{}); got != m.text[start:end] {
				t.Fatalf("[%d,%d) drew %q, want %q", start, end, got, m.text[start:end])
			}
		}
	}
}

// TestMarkLinesBoundsLongLines cuts lines at rune borders, and harder when
// there are many long ones.
func TestMarkLinesBoundsLongLines(t *testing.T) {
	long := strings.Repeat("é", 64<<10)
	for n, limit := range map[int]int{1: maxLineBytes, 600: previewBytes / 600, 9000: minLineBytes} {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = long
		}
		for _, m := range markLines(engine.Passage{}, &engine.Preview{Lines: lines}) {
			if len(m.text) > limit+len(ellipsis) || len(m.text) < limit-1 || strings.Contains(m.text, "\ufffd") {
				t.Fatalf("%d lines: one keeps %d bytes, want %d", n, len(m.text), limit)
			}
		}
	}
}

// TestLongLinesAreCut shows one row for a line, and says that it goes on, until
// the key is pressed again.
func TestLongLinesAreCut(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		s.fake.files = map[string]string{"/home/ada/notes/long.txt": strings.Repeat("cache of words ", 20) + "\nsecond line\n"}
		s.typed("cache")
		wrapped := len(s.model.preview.rows)
		alt := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'w'}, Alt: true}
		s.send(alt)
		if n := len(s.model.preview.rows); n != 2 || wrapped <= 2 {
			t.Errorf("%d rows, wrapped %d", n, wrapped)
		}
		s.shows("of words cache of…\n", "▎  2  second line")
		s.send(alt)
		if n := len(s.model.preview.rows); n != wrapped {
			t.Errorf("%d rows, at first %d", n, wrapped)
		}
	})
}
