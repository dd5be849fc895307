package search

import (
	"testing"

	"dowse/engine"
)

// TestListings: contents rank below the notes that they point to, unless they are asked for.
func TestListings(t *testing.T) {
	w := newWorld(t)
	w.index(
		file{root + "/README.md", "- [Heron nests](a.md)\n- [Reed beds](b.md)\n- [Marsh birds](c.md)\n- [Storks](d.md)\n- [Egrets](e.md)\n", on(1, 1)},
		file{root + "/a.md", "Heron nests are built of sticks, high in old trees, by both birds, who come back to them each spring and mend them again.\n", on(1, 2)},
		file{root + "/b.md", "Reed beds need water all year.\n", on(1, 3)},
	)
	for _, mode := range []engine.Mode{engine.Lexical, engine.Hybrid} {
		for query, want := range map[string]string{"heron nests": "a.md", "readme of heron nests": "README.md", "storks and egrets": "README.md"} {
			r := w.search(engine.Request{Query: query, Mode: mode})
			if len(r.Passages) == 0 || r.Passages[0].Path != root+"/"+want {
				t.Errorf("%s by %s: %s, want %s first", query, mode, names(r), want)
			}
			for i := 1; i < len(r.Passages); i++ {
				if r.Passages[i].Score > r.Passages[i-1].Score {
					t.Errorf("%s by %s: scores rise at %d", query, mode, i)
				}
			}
		}
	}
}
