package tui

import "testing"

// TestFindInPreview looks for a text in the whole file, and goes from place to place
// by n and N, as a pager does.
func TestFindInPreview(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.files["/home/ada/notes/long.md"] = "needle in the first line\n" + longFile(2000) + "The Needle of the end, a NÉEDLE\n"
		s.typed("needle")
		s.press("alt+/")
		s.shows(" find ❯ ", "looks in notes/long.md", "esc back")
		s.typed("needle")
		s.shows("1 of 3 places", "›   1  needle in the first line")
		s.press("enter")
		s.typed("n")
		s.shows("2 of 3 places", "2002  The Needle of the end", "n next  N before")
		s.typed("n")
		s.shows("3 of 3 places")
		s.typed("n")
		s.shows("1 of 3 places", "›   1  needle in the first line")
		s.typed("NNN")
		s.press("alt+pgup")
		s.shows("1 of 3 places")
		s.typed("/")
		s.typed("xyz")
		s.shows("find ❯ needlexyz", "not in this file")
		s.press("enter", "esc")
		s.shows(" ❯ needle", "1 result")
		s.hides("find ❯")
		if n := len(s.fake.requests); n != len("needle") {
			t.Errorf("%d searches: what is looked for in the preview is no query", n)
		}
	})
	withScreen(t, 60, 20, Options{}, func(_ *testing.T, s *screen) {
		s.typed("cache")
		s.press("alt+/")
		s.shows("there is no preview to look in")
	})
}

// TestPreviewPages scrolls by whole pages.
func TestPreviewPages(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.fake.files = map[string]string{"/home/ada/notes/long.md": "needle\n" + longFile(500)}
		s.typed("needle")
		page := s.model.preview.rowsInSight()
		s.press("alt+pgdown", "alt+pgdown")
		if s.model.preview.top != 2*(page-1) {
			t.Errorf("row %d is on top after two pages of %d", s.model.preview.top, page)
		}
		s.press("alt+pgup")
		if s.model.preview.top != page-1 {
			t.Errorf("row %d is on top", s.model.preview.top)
		}
	})
}

// TestNextMatchedPassage goes through the passages of a file in the order of the
// file, and opens the fold that they are in.
func TestNextMatchedPassage(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(_ *testing.T, s *screen) {
		s.fake.found = diary()
		s.typed("mildew")
		s.press("alt+down")
		s.expectRanks("1 2 4 =5 3 6", 2)
		s.press("alt+up", "alt+up")
		s.expectRanks("1 2 4 =5 3 6", 4)
		s.press("alt+up")
		s.shows("no matched passage further that way")
	})
}
