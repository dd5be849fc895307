package indexer_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dowse/indexer/skip"
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

// TestUnreadableFoldersAreNamed: what cannot be read is told of by its own name, however it cannot be, whether
// everything is looked at or an event names it, and nothing of it is lost.
func TestUnreadableFoldersAreNamed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	for _, mode := range []os.FileMode{0, 0o400, 0o100} {
		b := newBench(t)
		b.write("a.md", "a unicorn\n")
		b.write("dir/b.md", "a unicorn\n")
		b.run(b.root)
		b.must(os.Chmod(b.path("dir"), mode))
		t.Cleanup(func() { _ = os.Chmod(b.path("dir"), 0o700) })
		want := []string{"the folder " + b.path("dir") + " cannot be read (permission denied); nothing more of it is indexed, and what was indexed is kept: make it readable (chmod u+rx), or name it in a file .dowseignore above it"}
		b.problems()
		if r := b.run(); r.Skipped[string(skip.Unreadable)] != 1 {
			t.Errorf("%o: %+v", mode, r)
		}
		if told := b.problems(); fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("%o: told %q", mode, told)
		}
		b.follow(b.path("dir"))
		b.follow(b.path("dir/b.md"))
		if told := b.problems(); len(told) != 0 {
			t.Errorf("%o: told again %q", mode, told)
		}
		b.expect(map[string]int{"a.md": 1, "dir/b.md": 1})
		why, err := b.index.WhyNot(b.path("dir/c.md"))
		if err != nil || strings.Contains(why, ".dowseignore") || mode != 0o100 && !strings.Contains(why, "permission denied") {
			t.Errorf("%o: because %s, error %v", mode, why, err)
		}
		b.must(os.Chmod(b.path("dir"), 0o700))
		b.write("dir/.gitignore", "secret.md\n")
		b.must(os.Chmod(b.path("dir/.gitignore"), 0))
		b.run()
		if told := strings.Join(b.problems(), "\n"); !strings.Contains(told, b.path("dir/.gitignore")+": permission denied; what to leave out") || !strings.Contains(told, "chmod u+r)") || strings.Contains(told, "the folder") {
			t.Errorf("rules: told %q", told)
		}
		b.must(os.Remove(b.path("dir/.gitignore")))
		b.run()
	}
}

// TestManyUnreadableFoldersAreCounted after the first.
func TestManyUnreadableFoldersAreCounted(t *testing.T) {
	b := newBench(t)
	for i := range 8 {
		b.write(fmt.Sprintf("%d/.ignore", i), tooLong)
	}
	b.run(b.root)
	told := b.problems()
	if len(told) != 6 || !strings.Contains(told[0], "shorten the file") || told[5] != "folders, or files of rules, that cannot be read either: 3; dowse status --skipped lists what is left out" {
		t.Errorf("told %q", told)
	}
}
