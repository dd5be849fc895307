package reply

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

func TestCursorsComeBack(t *testing.T) {
	request := []string{"search", "a b", "/notes"}
	got, err := Follow(Cursor(request, 5, 70), request, 2)
	if err != nil || !slices.Equal(got, []int{5, 70}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct {
		cursor  string
		request []string
	}{
		{Cursor(request, 5, 70), []string{"search", "a", "b/notes"}},
		{Cursor(request, 5), request}, {Cursor(request, 5, -70), request}, {"", request}, {"5-70", request}, {"x-70-" + nameOf(request), request},
	} {
		if got, err := Follow(c.cursor, c.request, 2); !errors.Is(err, ErrCursor) {
			t.Errorf("%q of %q: %v, %v", c.cursor, c.request, got, err)
		}
	}
	for _, path := range []string{"", "/a b", "/caf\xe9\n"} {
		if got, err := FollowPath(PathCursor(path)); got != path || err != nil {
			t.Errorf("%q came back as %q, %v", path, got, err)
		}
	}
	if _, err := FollowPath("§"); !errors.Is(err, ErrCursor) {
		t.Error(err)
	}
}

// TestPagesTileARanking: each passage that says something is on one page, with what repeats it.
func TestPagesTileARanking(t *testing.T) {
	var all []engine.Passage
	for rank := 1; rank <= 9; rank++ {
		all = append(all, engine.Passage{Rank: rank})
	}
	all[3].SimilarTo, all[6].SimilarTo = 1, 6
	for _, c := range []struct {
		page   Page
		folded bool
		want   []int
		more   bool
	}{
		{Page{0, 3}, false, []int{1, 2, 3}, true},
		{Page{6, 3}, false, []int{7, 8, 9}, false},
		{Page{0, 3}, true, []int{1, 2, 3, 4}, true},
		{Page{3, 3}, true, []int{5, 6, 7, 8}, true},
		{Page{6, 3}, true, []int{9}, false},
		{Page{60, 3}, true, nil, false},
	} {
		passages, more := c.page.Of(all, c.folded)
		var got []int
		for _, p := range passages {
			got = append(got, p.Rank)
		}
		if !slices.Equal(got, c.want) || more != c.more {
			t.Errorf("%+v: %v, more %v", c, got, more)
		}
	}
}

func TestFit(t *testing.T) {
	size := func(k int) int { return 10 + 7*k }
	for budget, want := range map[int]int{0: 5, 45: 5, 44: 4, 17: 1, 16: 0, 3: 0} {
		if got := Fit(5, budget, size); got != want {
			t.Errorf("budget %d: %d fit, want %d", budget, got, want)
		}
	}
}

// marked has a passage with every "x" matched.
func marked(p engine.Passage) engine.Passage {
	for i := range len(p.Text) {
		if p.Text[i] == 'x' {
			p.Highlights = append(p.Highlights, engine.Range{Start: i, End: i + 1})
		}
	}
	return p
}

func TestLines(t *testing.T) {
	text := "\nfirst x\n\nsecond\nx third x\r\nlast x\n"
	p := marked(engine.Passage{LineStart: 11, LineEnd: 15, Text: text, Places: []engine.LocatorMark{{Offset: 10, Locator: engine.Locator{Label: "page 2"}}, {Offset: 28, Locator: engine.Locator{Label: "page 3"}}}})
	for _, c := range []struct {
		n          int
		text       string
		start, end int
		place      string
		hits       int
	}{
		{0, text, 11, 15, ":11", 4},
		{4, text, 11, 15, ":11", 4},
		{2, "x third x\r\nlast x", 14, 15, ", page 2", 3},
		{1, "x third x", 14, 14, ", page 2", 2},
		{3, "second\nx third x\r\nlast x", 13, 15, ", page 2", 3},
	} {
		got := Lines(p, c.n)
		if c.n == 3 {
			c.text, c.start, c.end, c.place = "first x\n\nsecond\nx third x", 11, 14, ":11"
		}
		if got.Text != c.text || got.LineStart != c.start || got.LineEnd != c.end || got.Behind(got.LineStart) != c.place || len(got.Highlights) != c.hits {
			t.Errorf("%d lines: %+v", c.n, got)
		}
		for _, h := range got.Highlights {
			if got.Text[h.Start:h.End] != "x" {
				t.Errorf("%d lines: marked %q", c.n, got.Text[h.Start:h.End])
			}
		}
		for _, mark := range got.Places {
			if mark.Label == "page 3" && !strings.HasPrefix(got.Text[mark.Offset:], "last") {
				t.Errorf("%d lines: page 3 begins with %q", c.n, got.Text[mark.Offset:])
			}
		}
	}
	if html := Lines(engine.Passage{LineStart: 5, LineEnd: 90, Text: "a\nb\nc"}, 1); html.LineStart != 5 || html.LineEnd != 90 || html.Text != "a" {
		t.Errorf("where lines are not those of the file: %+v", html)
	}
	if whole := (engine.Passage{Text: " \n"}); !reflect.DeepEqual(Lines(whole, 3), whole) {
		t.Error("a blank passage changed")
	}
}

func TestWhy(t *testing.T) {
	p := engine.Passage{Text: "Milk on milk and water", Highlights: []engine.Range{{Start: 0, End: 4}, {Start: 8, End: 12}, {Start: 17, End: 22}}}
	if got := Why(p); got != "words: Milk, water" {
		t.Error(got)
	}
	if p.VectorRank = 3; Why(p) != "words: Milk, water; meaning" {
		t.Error(Why(p))
	}
	if got := Why(engine.Passage{}); got != "" {
		t.Error(got)
	}
}
