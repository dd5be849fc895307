package answer

import (
	"strings"
	"testing"
)

const lent = `Lent tools.

Tool: Belt sander; Shelf: A2; Lent to: Bettina Krahe; E-mail: bk@example.org
Tool: Orbital sander; Shelf: A1; Lent to: Tomasz Wren; E-mail: wren@example.org
Tool: Heat gun; Shelf: B1; Deposit: 12
`

const sown = `| Crop | Bed | Notes |
|---|---|---|
| Leek | 6 | from the fair \| 2024 |
| Broad bean | 5 |  |
| Runner bean | 5 | poles |
`

// TestRowsByTheirKeys: the row that a question names is quoted and none beside it, the
// cell that it asks for is the answer in short, and it is surer of a cell that is there.
func TestRowsByTheirKeys(t *testing.T) {
	for _, c := range []struct {
		text, question string
		said           string // what is quoted
		short          string
		logit          float64
	}{
		{lent, "shelf of the belt sander", "Tool: Belt sander; Shelf: A2; Lent to: Bettina Krahe; E-mail: bk@example.org [1]", "A2", toldWeight},
		{lent, "belt sander: which email?", "Tool: Belt sander; Shelf: A2; Lent to: Bettina Krahe; E-mail: bk@example.org [1]", "bk@example.org", toldWeight},
		{lent, "where did anna put the belt sander, which shelf", "Tool: Belt sander; Shelf: A2; Lent to: Bettina Krahe; E-mail: bk@example.org [1]", "A2", 0},
		{lent, "deposit for the belt sander", "Tool: Belt sander; Shelf: A2; Lent to: Bettina Krahe; E-mail: bk@example.org [1]", "", blankWeight},
		{lent, "shelf of a sander", "Tool: Belt sander; Shelf: A2; Lent to: Bettina Krahe; E-mail: bk@example.org\nTool: Orbital sander; Shelf: A1; Lent to: Tomasz Wren; E-mail: wren@example.org [1]", "A2", 0},
		{sown, "bed of the broad bean", "Crop: Broad bean, Bed: 5 [1]", "5", toldWeight},
		{sown, "notes on leek", "Crop: Leek, Bed: 6, Notes: from the fair | 2024 [1]", "from the fair | 2024", toldWeight},
		{sown, "notes on the broad bean", "Crop: Broad bean, Bed: 5 [1]", "", blankWeight},
	} {
		p := Passage{Number: 1, Path: "/a/list.csv", Text: c.text}
		reader := &marker{likes: map[string]float32{}}
		for _, row := range strings.Split(c.text, "\n") {
			reader.likes[row] = 1
		}
		marks, err := NewExtractor(reader).mark(t.Context(), Asked{Question: c.question}, []Passage{p})
		if err != nil {
			t.Fatal(err)
		}
		m := weigh(Asked{Question: c.question}, []Passage{p}, marks)
		var rows []candidate
		for _, b := range m.best {
			if m.keyed.row(b.passage, b.piece) != nil {
				rows = append(rows, b)
			}
		}
		a := m.compose(rows)
		if a.Text != c.said {
			t.Errorf("%s: %q, want %q", c.question, a.Text, c.said)
		}
		if c.short == "" && a.Short != nil && a.Short.Text == "12" || c.short != "" && (a.Short == nil || a.Short.Text != c.short) {
			t.Errorf("%s: in short %+v, want %q", c.question, a.Short, c.short)
		}
		if got := m.keyed.logit(&p, m.keyed.row(0, rows[0].piece)); got != c.logit {
			t.Errorf("%s: %g, want %g", c.question, got, c.logit)
		}
	}
}

// TestColumnsStandAbove: the later part of a long table is read below the names of its
// columns and quoted with them; another table in the passage is not of them.
func TestColumnsStandAbove(t *testing.T) {
	reader := &marker{likes: map[string]float32{"| Leek | 6 |": 2}}
	p := Passage{Number: 1, Path: "/a/beds.md", Heading: "Beds", Columns: "| Crop | Bed |", Text: "| Leek | 6 |\n| Pea | 4 |\n\n| Kind | Days |\n|---|---|\n| Radish | 5 |\n"}
	a := answerOf(t, reader, p)
	if a.Text != "Crop: Leek, Bed: 6 [1]" || reader.asked[0] != "beds > Beds\n| Crop | Bed |\n"+p.Text {
		t.Errorf("%q, of %q", a.Text, reader.asked)
	}
	reader.likes = map[string]float32{"| Radish | 5 |": 2}
	if a := answerOf(t, reader, p); a.Text != "Kind: Radish, Days: 5 [1]" {
		t.Errorf("%q", a.Text)
	}
}

// TestCellsOfAnything: what looks like a row and is none costs nothing.
func TestCellsOfAnything(t *testing.T) {
	for _, text := range []string{"|", "||", `|\|`, "| |\n|-|\n|", "a: ; b: ", "a: 1; b: 2; : ; ", "| a |\n| b | c | d |\n|---|\n| e"} {
		p := Passage{Number: 1, Path: "x", Columns: "|", Text: text}
		reader := &marker{likes: map[string]float32{}}
		said, err := NewExtractor(reader).Quote(t.Context(), Asked{Question: "a b"}, []Passage{p})
		if err != nil || said.Short != nil && !strings.Contains(text, said.Short.Text) {
			t.Errorf("%q: %+v, %v", text, said, err)
		}
	}
}
