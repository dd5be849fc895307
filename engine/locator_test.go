package engine

import (
	"encoding/json"
	"testing"
)

func page(n int, name string) Locator {
	return Locator{Label: name, Parts: []LocatorPart{{Unit: "page", Number: n}}}
}

func TestWhereATextStands(t *testing.T) {
	first := page(3, "page 3")
	mail := Locator{Label: "message 2, page 9", Parts: []LocatorPart{{Unit: "message", Number: 2}, {Unit: "page", Number: 9}}}
	for _, c := range []struct {
		where Where
		want  string
		page  int
	}{
		{Where{}, ":12", 0},
		{Where{Extracted: true}, "", 0},
		{Where{Extracted: true, Locator: &first}, ", page 3", 3},
		{Where{Extracted: true, Locator: &mail}, ", message 2, page 9", 0},
	} {
		if got, page := c.where.Behind(12), c.where.Page(); got != c.want || page != c.page {
			t.Errorf("%+v: %q, page %d; want %q, %d", c.where, got, page, c.want, c.page)
		}
	}
}

// A line of a passage that spans pages is on the page that it stands on.
func TestLineOfAPassageHasItsPage(t *testing.T) {
	first := page(3, "page 3")
	p := Passage{
		Text: "\n\nabove\nstill above\n\nbelow\nlast", LineStart: 5, LineEnd: 9, Where: Where{Locator: &first, Extracted: true},
		Places: []LocatorMark{{Offset: 20, Locator: page(4, "page 4")}, {Offset: 27, Locator: page(5, "page 5")}},
	}
	for line, want := range map[int]int{0: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 99: 5} {
		if got := p.On(line).Page(); got != want {
			t.Errorf("line %d is on page %d, want %d", line, got, want)
		}
	}
	data, err := json.Marshal(p.Where)
	if want := `{"place":{"label":"page 3","parts":[{"unit":"page","number":3}]},"extracted":true}`; err != nil || string(data) != want {
		t.Errorf("%s, error %v", data, err)
	}
}

// Of a passage that spans pages, the page is told that has most of the matched words.
func TestTellingPage(t *testing.T) {
	first := page(3, "page 3")
	p := Passage{
		Text: "tyres tyres Tyres winter TYRES spare", Where: Where{Locator: &first, Extracted: true},
		Places: []LocatorMark{{Offset: 12, Locator: page(4, "page 4")}, {Offset: 25, Locator: page(5, "page 5")}},
	}
	for _, c := range []struct {
		what string
		hits []Range
		want int
	}{
		{"nothing", nil, 3},
		{"a word thrice, and two of which one is another", []Range{{0, 5}, {6, 11}, {12, 17}, {18, 24}}, 4},
		{"one each", []Range{{0, 5}, {25, 30}}, 3},
		{"the last", []Range{{25, 30}}, 5},
	} {
		if p.Highlights = c.hits; p.Telling().Page() != c.want {
			t.Errorf("%s: page %d, want %d", c.what, p.Telling().Page(), c.want)
		}
	}
	if p.Page() != 3 {
		t.Error("where it begins changed")
	}
}
