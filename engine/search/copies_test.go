package search

import (
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

func TestCopiedFrom(t *testing.T) {
	for path, want := range map[string]string{
		"/n/a.sync-conflict-20250102-101112-ABCDEFG.md": "/n/a.md", "/n/a (Ann's conflicted copy 2025-01-02).md": "/n/a.md",
		"/n/a (conflicted copy 2025-01-02 101112).md": "/n/a.md", "/n/a_conflict-20250102-101112.md": "/n/a.md",
		"/n/a (SFConflict ann@example.org 2025-01-02-10-11-12).md": "/n/a.md", "/n/a (conflict_on_2025-01-02).md": "/n/a.md",
		"/n/a.md..path1": "/n/a.md", "/n/a.conflict1.md": "/n/a.md", "/n/a (1).pdf": "/n/a.pdf", "/n/a - Copy.docx": "/n/a.docx",
		"/n/a copy 2.md": "/n/a.md", "/n/Copy of a.xlsx": "/n/a.xlsx",
		"/n/a.md": "", "/n/photocopy.md": "", "/n/2025 (2).d/a.md": "", "/n/a (1) b.md": "", "/n/conflict.md": "", "/n/b (2024).md": "", "/n/.md": "", "": "",
	} {
		if got := copiedFrom(path); got != want {
			t.Errorf("%s is copied from %q, want %q", path, got, want)
		}
	}
}

// Of files that say the same the plainest stands for all; a copy that a program made stands below its
// original though it has a line more, and one with another number stands for itself.
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
		f := folding{page: page{k: 9, fold: true}, repeats: newRepeats()}
		var passages []engine.Passage
		for i, path := range c.paths {
			passages = f.add(passages, engine.Passage{Path: path, Text: c.texts[i], Score: float64(9 - i)})
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
