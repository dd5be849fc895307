package tui

import (
	"strings"
	"testing"
	"time"

	"dowse/engine"

	"github.com/charmbracelet/lipgloss"
)

func TestShortenPath(t *testing.T) {
	const long = "/home/ada/notes/work/2026/projects/dowse/design.md"
	for _, c := range []struct {
		path string
		w    int
		want string
	}{
		{"/home/ada/a.md", 40, "~/a.md"},
		{"/home/ada", 40, "~"},
		{"/home/adam/a.md", 40, "/home/adam/a.md"},
		{long, 60, "~/notes/work/2026/projects/dowse/design.md"},
		{long, 30, "~/…/projects/dowse/design.md"},
		{long, 20, "~/…/dowse/design.md"},
		{long, 12, "…/design.md"},
		{long, 8, "desi….md"},
		{long, 1, "…"},
		{"/home/ada/日本語/メモ帳.md", 16, "~/…/メモ帳.md"},
		{"/srv/x\ny/\x1bz", 40, "/srv/x␊y/␛z"},
	} {
		got := shortenPath(c.path, "/home/ada", c.w)
		if got != c.want || width(got) > c.w {
			t.Errorf("shortenPath(%q, %d) = %q of %d cells, want %q", c.path, c.w, got, width(got), c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		rows int
		want string // lines joined by |
		more bool
	}{
		{"one two three", 8, 9, "one two|three", false},
		{"one two three", 8, 1, "one two", true},
		{"onetwothree", 4, 9, "onet|woth|ree", false},
		{"see https://example.org/long", 10, 9, "see https:|//example.|org/long", false},
		{"日本語 テキスト", 8, 9, "日本語|テキスト", false},
		{"", 8, 9, "", false},
		{"exactly8 x", 8, 9, "exactly8|x", false},
	} {
		lines, more := wrap(c.text, c.w, c.rows)
		var got []string
		for _, l := range lines {
			got = append(got, c.text[l.start:l.end])
		}
		if strings.Join(got, "|") != c.want || more != c.more {
			t.Errorf("wrap(%q, %d, %d) = %q, %v; want %q, %v", c.text, c.w, c.rows, got, more, c.want, c.more)
		}
	}
}

func TestFormat(t *testing.T) {
	plain := lipgloss.NewStyle()
	for got, want := range map[string]string{
		millis(0.04):                       "0.0 ms",
		millis(8.24):                       "8.2 ms",
		millis(82.4):                       "82 ms",
		millis(1234):                       "1.2 s",
		span(300 * time.Millisecond):       "1 s",
		span(95 * time.Second):             "1 min",
		span(26*time.Hour + 5*time.Minute): "26 h 05 min",
		counted(1, "match"):                "1 match",
		counted(1200, "match"):             "1,200 matches",
		counted(0, "file"):                 "0 files",
		counts(map[string]int{"b": 2, "a": 2, "c": 9, "no": 0}): "c 9, a 2, b 2",
		bar(0.5, 4, plain, plain):                               "██··",
		bar(0.53, 4, plain, plain):                              "██▏·",
		bar(7, 4, plain, plain):                                 "████",
		bar(-1, 4, plain, plain):                                "····",
		sparkline([]int64{0, 50, 100}, 5):                       "▁▄█",
		sparkline([]int64{9, 9, 0, 4, 8}, 3):                    "▁▄█",
		sparkline([]int64{-1, 0}, 3):                            "▁▁",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSnippetShowsTheMatch(t *testing.T) {
	s := styles{}
	text := "# Title\n\n" + strings.Repeat("nothing of note here. ", 400) + "The needle lies here."
	p := engine.Passage{Heading: "Part > Title", Text: text, Highlights: hitsOf(text, []string{"needle"})}
	lines := snippet(rowView{passage: p}, "", 40, 2, s)
	joined := strings.Join(lines, "\n")
	if !strings.Contains(joined, "needle") || !strings.HasPrefix(joined, ellipsis) {
		t.Errorf("snippet %q", lines)
	}
	p = engine.Passage{Heading: "Part > Title", Text: "# Title\nBody with needle", Highlights: []engine.Range{{Start: 18, End: 24}}}
	if got := snippet(rowView{passage: p}, "", 40, 2, s); len(got) != 1 || got[0] != "Body with needle" {
		t.Errorf("snippet %q still has the heading", got)
	}
}

// TestRowCache checks that a cached list is the same as one drawn anew.
func TestRowCache(t *testing.T) {
	fake := newFake()
	list := newResultList(styles{}, &names{home: "/home/ada"})
	list.setArea(rect{0, 2, 50, 21})
	list.set(fake.find([]string{"cache"}), false)
	for step := range 12 {
		list.choose(step % 6)
		cached := list.Render(50, 21)
		clear(list.cache)
		if fresh := list.Render(50, 21); strings.Join(cached, "\n") != strings.Join(fresh, "\n") {
			t.Fatalf("step %d: the cached rows differ from fresh ones", step)
		}
	}
	drawn := len(list.cache)
	list.Render(50, 21)
	if len(list.cache) != drawn {
		t.Error("drawing the same rows again drew some anew")
	}
}

// TestLayoutCoversTheScreen checks that the parts lie inside of the screen,
// that none overlap, and that together they cover it.
func TestLayoutCoversTheScreen(t *testing.T) {
	for w := minWidth; w < 160; w += 7 {
		for h := minHeight; h < 60; h++ {
			for _, wish := range []previewWish{previewAuto, previewOn, previewOff} {
				for bits := range 4 {
					l := computeLayout(w, h, wishes{preview: wish, machine: bits&1 != 0, progress: bits&2 != 0})
					cells := 0
					parts := []rect{l.query, l.rule, l.list, l.border, l.preview, l.machine, l.progress, l.status}
					for i, a := range parts {
						if a.empty() {
							continue
						}
						cells += a.w * a.h
						if a.x < 0 || a.y < 0 || a.x+a.w > w || a.y+a.h > h {
							t.Fatalf("%dx%d: part %d at %+v leaves the screen", w, h, i, a)
						}
						for _, b := range parts[:i] {
							if !b.empty() && a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
								t.Fatalf("%dx%d: %+v and %+v overlap", w, h, a, b)
							}
						}
					}
					if cells != w*h {
						t.Fatalf("%dx%d %+v: parts cover %d cells of %d", w, h, l, cells, w*h)
					}
				}
			}
		}
	}
}
