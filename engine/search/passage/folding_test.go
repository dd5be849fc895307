package passage

import (
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// outage is the text of notes that are copies.
const outage = `The resolver kept a wrong address in its cache after the upgrade, so every lookup of the
printer failed until the service was restarted by hand. Flushing the cache did not help,
because the address came back with the next answer of the router. In the end it was the
lease of 2019 that the router still gave out, and deleting it fixed printing for everybody.`

func TestThePlainestOfCopiesStandsForThem(t *testing.T) {
	more := outage + " The lease ran out while nobody was there to look at it, which is why it took a while."
	for name, c := range map[string]struct {
		paths []string
		texts []string
		want  []string // by rank; what is folded begins with +
	}{
		"equal": {
			[]string{"/n/logseq/bak/a.md", "/n/x/y/a.md", "/n/notes/a.md"}, []string{outage, outage, outage},
			[]string{"/n/notes/a.md", "+/n/logseq/bak/a.md", "+/n/x/y/a.md"},
		},
		"conflict with a line more": {
			[]string{"/n/a.sync-conflict-20250102-101112-ABCDEFG.md", "/n/a.md"}, []string{more, outage},
			[]string{"/n/a.md", "+/n/a.sync-conflict-20250102-101112-ABCDEFG.md"},
		},
		"original first": {
			[]string{"/n/a.md", "/n/a (1).md"}, []string{outage, more}, []string{"/n/a.md", "+/n/a (1).md"},
		},
		"another number": {
			[]string{"/n/a (1).md", "/n/a.md"}, []string{outage, strings.Replace(outage, "2019", "2018", 1)}, []string{"/n/a (1).md", "/n/a.md"},
		},
		"no copy": {
			[]string{"/n/b.md", "/n/a.md"}, []string{more, outage}, []string{"/n/b.md", "+/n/a.md"},
		},
	} {
		f := *NewFolding(Page{K: 9, Fold: true})
		var passages []engine.Passage
		for i, path := range c.paths {
			passages = f.Add(passages, engine.Passage{Path: path, Text: c.texts[i], Score: float64(9 - i)})
		}
		var got []string
		for i, p := range passages {
			if p.Rank != i+1 || p.Score != float64(9-i) {
				t.Errorf("%s: rank %d, score %g at %d", name, p.Rank, p.Score, i)
			}
			got = append(got, strings.Repeat("+", min(p.SimilarTo, 1))+p.Path)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
