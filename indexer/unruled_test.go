package indexer_test

import (
	"os"
	"strings"
	"testing"
)

// tooLong is a file of rules that is not read, also for who may read everything.
var tooLong = strings.Repeat("# a comment\n", 400_000)

// TestUnreadableRulesLeaveTheFolderAsItWas: who cannot read what is to be left
// out takes nothing new, loses nothing, and says so.
func TestUnreadableRulesLeaveTheFolderAsItWas(t *testing.T) {
	for _, rules := range []string{".gitignore", ".ignore", ".dowseignore"} {
		b := newBench(t)
		b.write("a.md", "a unicorn\n")
		b.write("dir/b.md", "a horse\n")
		b.write("dir/deep/c.md", "a horse\n")
		b.run(b.root)
		b.write("dir/"+rules, tooLong)
		b.write("dir/secret.md", "a unicorn\n")
		b.write("dir/deep/secret.md", "a unicorn\n")
		b.write("dir/b.md", "a unicorn now\n")
		as := map[string]int{"a.md": 1, "dir/b.md": 0, "dir/deep/c.md": 0}
		if r := b.run(); r.Skipped["unreadable"] != 1 {
			t.Errorf("%s: report %+v", rules, r)
		}
		b.expect(as)
		b.told("ignore rules not read: " + b.path("dir/"+rules) + ": more than 4194304 bytes; what to leave out of this folder is not known")
		for _, path := range []string{"dir", "dir/secret.md", "dir/deep", "dir/deep/secret.md", "dir/b.md"} {
			b.follow(b.path(path))
			b.expect(as)
		}
		b.follow()
		b.expect(as)
		b.write("dir/"+rules, "secret.md\n")
		b.run()
		b.expect(map[string]int{"a.md": 1, "dir/b.md": 1, "dir/deep/c.md": 0})
	}
}

// TestWatchSeesRulesThatCanBeReadAgain, and tells once what it cannot read.
func TestWatchSeesRulesThatCanBeReadAgain(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "a unicorn\n")
	b.write("dir/.ignore", tooLong)
	b.write("dir/b.md", "a unicorn\n")
	b.write("dir/secret.md", "a unicorn\n")
	b.watching()
	b.eventually("at first", map[string]int{"a.md": 1})
	b.write("dir/c.md", "a unicorn\n")
	b.write("d.md", "a unicorn\n")
	b.eventually("beside", map[string]int{"a.md": 1, "d.md": 1})
	b.must(os.WriteFile(b.path("dir/.ignore"), []byte("secret.md\n"), 0o600))
	b.eventually("readable", map[string]int{"a.md": 1, "d.md": 1, "dir/b.md": 1, "dir/c.md": 1})
	b.mu.Lock()
	defer b.mu.Unlock()
	told := 0
	for _, e := range b.events {
		if strings.Contains(e.Problem, "what to leave out") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
