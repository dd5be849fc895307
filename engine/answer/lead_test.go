package answer

import (
	"strings"
	"testing"
)

// TestItemsComeWithWhatTheyBelongTo: a nested item is said with the items above it, one of
// a list with the sentence that announces it, and both below the heading with the date.
func TestItemsComeWithWhatTheyBelongTo(t *testing.T) {
	for _, c := range []struct{ name, heading, text, item, want string }{
		{
			"nested", "irc > Quotes", "- Get a quote out of a channel again\n  - stop the bot first\n  - `/quote detach ##graphics`\n- Join\n  - `/join #x`\n",
			"`/quote detach ##graphics`", "Quotes: Get a quote out of a channel again: `/quote detach ##graphics` [1]",
		},
		{
			"deeper", "", "1. Boat\n   - Engine:\n     - oil 10W-30\n     - filter every spring\n", "filter every spring", "Boat: Engine: filter every spring [1]",
		},
		{
			"announced", "Cabin", "Things that stay there over the winter:\n\n- the grey pump\n- the gas heater\n- two buckets of salt\n",
			"two buckets of salt", "Cabin: Things that stay there over the winter: two buckets of salt [1]",
		},
		{"dated above", "Log > 2024-03-05 > To do", "- call the roofer\n- order slates\n", "order slates", "2024-03-05, To do: order slates [1]"},
		{"dated within", "Log", "## 14 March 2023\n\nRain.\n\n### Done\n\n- valve swapped\n", "valve swapped", "14 March 2023, Done: valve swapped [1]"},
		{"dated itself", "2022 > 3 May 2022", "- sowed beans\n", "sowed beans", "3 May 2022: sowed beans [1]"},
		{"flat", "Shopping", "- milk\n- bread\n", "bread", "Shopping: bread [1]"},
		{"too long", "", "- " + strings.Repeat("a very long thought ", 12) + "\n  - its end\n", "its end", "its end [1]"},
	} {
		p := Passage{Number: 1, Path: "/n.md", Heading: c.heading, Text: c.text}
		m := &marked{passages: []Passage{p}, marks: &Marks{Passages: make([]PassageMarks, 1)}, pieces: [][]Piece{Pieces(c.text)}}
		m.keyed = newKeyed(Asked{}, m)
		at := -1
		for i, piece := range m.pieces[0] {
			if c.text[piece.Start:piece.End] == c.item {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s: no piece is %q", c.name, c.item)
		}
		if got := m.compose([]candidate{{piece: at}}).Text; got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
