package office

import (
	"strings"
	"testing"

	"dowse/indexer/document"
)

// Rows are written under the names of their columns where it is clear which they are.
func TestRowsKnowTheirColumns(t *testing.T) {
	for name, c := range map[string]struct{ table, want string }{
		"numbers below":     {"Item|Cost\ntiles|30\ngutter|40", "Item; Cost\nItem: tiles; Cost: 30\nItem: gutter; Cost: 40"},
		"texts alone":       {"Name|Town\nAnn|Rome\nBob|Oslo", "Name; Town\nName: Ann; Town: Rome\nName: Bob; Town: Oslo"},
		"no names":          {"1|2\n3|4", "1; 2\n3; 4"},
		"names that recur":  {"yes|no\nno|yes", "yes; no\nno; yes"},
		"a form":            {"Name:|Ann\nTown:|Rome", "Name: Ann\nTown: Rome"},
		"one row":           {"Item|Cost", "Item; Cost"},
		"years":             {"Town|2019|2020\nRome|5|6", "Town; 2019; 2020\nTown: Rome; 2019: 5; 2020: 6"},
		"a title":           {"Costs of the roof\nItem|Cost\ntiles|30", "Costs of the roof\n\nItem; Cost\nItem: tiles; Cost: 30"},
		"notes above":       {"ask|Ann|first\nor|Bob\nItem|Day|Cost\ntiles|Mon|30", "ask; Ann; first\nor; Bob\nItem; Day; Cost\nItem: tiles; Day: Mon; Cost: 30"},
		"empty cells":       {"Item||Cost\n|x|30\ntiles||40", "Item; Cost\nx; Cost: 30\nItem: tiles; Cost: 40"},
		"another below":     {"Item|Cost\ntiles|30\n\nWho|Hours\nAnn|7", "Item; Cost\nItem: tiles; Cost: 30\nWho; Hours\nWho: Ann; Hours: 7"},
		"a gap in the data": {"Item|Cost\ntiles|30\n\ngutter|40", "Item; Cost\nItem: tiles; Cost: 30\nItem: gutter; Cost: 40"},
	} {
		b := document.NewInput("a", nil, document.DefaultLimits).Builder()
		r := rows{b: b}
		for n, line := range strings.Split(c.table, "\n") {
			next := row{number: n + 1}
			for column, text := range strings.Split(line, "|") {
				if text != "" {
					next.cells = append(next.cells, cell{column: column, text: text})
				}
			}
			r.add(next)
		}
		r.flush()
		if got := b.Document("x", document.Meta{}).Text; got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, c.want)
		}
	}
}
