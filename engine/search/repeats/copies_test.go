package repeats

import (
	"testing"
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
