package indexer_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// TestPolledBeyondTheLimit: where the system lets no more folders be watched, changes are looked for, which is said.
func TestPolledBeyondTheLimit(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.write("sub/b.md", "horse\n")
	b.index.Deaf(syscall.ENOSPC)
	b.index.RescanAfter(20 * time.Millisecond)
	b.run(b.root)
	b.watching()
	if why := b.index.Polled(b.root); !strings.Contains(why, "limit on watched folders is reached, so that changes are looked for every") {
		t.Errorf("%q", why)
	}
	b.write("sub/c.md", "unicorn\n")
	b.eventually("a new file is found", map[string]int{"a.md": 1, "sub/b.md": 0, "sub/c.md": 1})
	b.must(os.Remove(b.path("a.md")))
	b.eventually("one that is gone goes", map[string]int{"sub/b.md": 0, "sub/c.md": 1})
}

// TestRewrittenInSecret: a file that has other bytes with the size and times that it had, of which nothing is told, is
// found while nobody searches. Its root is looked at now and then from then on.
func TestRewrittenInSecret(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.write("b.md", "a horse\n")
	b.index.Deaf(nil)
	b.index.CheckAfter(5 * time.Millisecond)
	b.run(b.root)
	b.watching()
	if why := b.index.Polled(b.root); why != "" {
		t.Errorf("%q", why)
	}
	info, err := os.Stat(b.path("b.md"))
	b.must(err)
	b.write("b.md", "unicorn\n")
	b.must(os.Chtimes(b.path("b.md"), info.ModTime(), info.ModTime()))
	b.eventually("it is found", map[string]int{"a.md": 1, "b.md": 1})
	testwait.Until(t, "its root is looked at", func() bool { return strings.Contains(b.index.Polled(b.root), "did not tell of") })
}
