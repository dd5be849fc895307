package ignore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/ignore"
)

// writeTree creates files from a map of slash-separated path to content.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
}

// expect checks paths of a tree; a path with a slash at its end is a directory.
func expect(t *testing.T, root string, tree *ignore.Tree, want map[string]ignore.Verdict) {
	t.Helper()
	for path, verdict := range want {
		name, isDir := strings.CutSuffix(path, "/")
		if got := tree.Check(filepath.Join(root, name), isDir); got != verdict {
			t.Errorf("%s: verdict %d, want %d", path, got, verdict)
		}
	}
}

func TestPrecedence(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		".gitignore": "*.a\n*.b\n!keep.js\n", ".ignore": "!x.a\n*.c\n!node_modules\n", ".dowseignore": "!x.c\nx.d\n",
		"sub/.gitignore": "!y.b\n!z.min.js\n", "sub/.ignore": "*.d\n!x.d\n", "node_modules/f": "", "sub/f": "",
	})
	expect(t, dir, ignore.NewTree(dir), map[string]ignore.Verdict{
		"x.a": ignore.Kept, "y.a": ignore.Ignored, "x.b": ignore.Ignored, "x.c": ignore.Kept, "y.c": ignore.Ignored,
		"x.d": ignore.Ignored, "x.f": ignore.Neutral, "sub/y.b": ignore.Neutral, "sub/y.d": ignore.Ignored,
		"sub/x.d":       ignore.Ignored, // .dowseignore above is stronger than .ignore here
		"node_modules/": ignore.Kept, "node_modules/f": ignore.Neutral, "bower_components/": ignore.Ignored,
		"sub/z.min.js": ignore.Ignored, // a "!" rule of git does not bring generated files back
		".git/":        ignore.Ignored, ".git": ignore.Ignored, "sub/.git/config": ignore.Ignored,
	})
	expect(t, dir, ignore.NewGitTree(dir), map[string]ignore.Verdict{"x.a": ignore.Ignored, "x.c": ignore.Neutral, "bower_components/": ignore.Neutral})
}

func TestNestedRepositoriesKnowNoRulesFromAbove(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		".git/HEAD": "x", ".gitignore": "*.log\n", ".git/info/exclude": "*.tmp\n", ".ignore": "*.bak\n",
		"in/.git/HEAD": "x", "in/.gitignore": "*.out\n", "in/deep/x": "", "tree/.git": "gitdir: ../.git/worktrees/tree\n",
		".git/worktrees/tree/HEAD": "x", ".git/worktrees/tree/commondir": "../..\n", "plain/.git/other": "not a repository",
	})
	expect(t, dir, ignore.NewTree(dir), map[string]ignore.Verdict{
		"a.log": ignore.Ignored, "a.tmp": ignore.Ignored, "in/deep/a.log": ignore.Neutral, "in/a.tmp": ignore.Neutral,
		"in/deep/a.out": ignore.Ignored, "in/a.bak": ignore.Ignored, "tree/a.log": ignore.Neutral, "tree/a.tmp": ignore.Ignored,
		"plain/a.log": ignore.Ignored,
	})
	// The same when the walk begins inside.
	expect(t, filepath.Join(dir, "in", "deep"), ignore.NewTree(filepath.Join(dir, "in", "deep")), map[string]ignore.Verdict{
		"a.out": ignore.Ignored, "a.log": ignore.Neutral, "a.bak": ignore.Ignored,
	})
}

// What a person has told git to leave out everywhere is left out in repositories alone, also where
// the file is a link, and weaker rules than the repository's own.
func TestPersonalExcludes(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	writeTree(t, home, map[string]string{"dotfiles/ignore": "*.log\nscratch/\n", ".config/git/x": ""})
	writeTree(t, dir, map[string]string{"repo/.git/HEAD": "x", "repo/.gitignore": "!keep.log\n", "plain/x": ""})
	must(t, os.Symlink(filepath.Join(home, "dotfiles/ignore"), filepath.Join(home, ".config/git/ignore")))
	want := map[string]ignore.Verdict{
		"repo/a.log": ignore.Ignored, "repo/keep.log": ignore.Neutral, "repo/sub/scratch/": ignore.Ignored,
		"plain/a.log": ignore.Neutral, "plain/scratch/": ignore.Neutral,
	}
	expect(t, dir, ignore.NewTree(dir), want)
	must(t, os.Remove(filepath.Join(home, ".config/git/ignore")))
	writeTree(t, home, map[string]string{".gitconfig": "[user]\n\texcludesFile = no\n[Core]\n\tautocrlf\n\tExcludesfile = \"~/dotfiles\"/ignore # mine\n"})
	expect(t, dir, ignore.NewTree(dir), want)
	writeTree(t, dir, map[string]string{"repo/.git/config": "[core]\n\tbare = false\n\texcludesFile = own\n", "repo/own": "*.tmp\n"})
	expect(t, dir, ignore.NewTree(dir), map[string]ignore.Verdict{"repo/a.log": ignore.Neutral, "repo/a.tmp": ignore.Ignored})
}

func TestDirectoriesThatCallThemselvesCaches(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"target/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# made by a compiler\n",
		"env/pyvenv.cfg":      "home = /usr/bin\n", "fake/CACHEDIR.TAG": "hello\n", "notes/a.md": "",
	})
	expect(t, dir, ignore.NewTree(dir), map[string]ignore.Verdict{
		"target/": ignore.Ignored, "env/": ignore.Ignored, "fake/": ignore.Neutral, "notes/": ignore.Neutral, "target/x": ignore.Ignored,
	})
}

func TestRuleFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{".gitignore/x": "", "rules": "*.md\n", "big/.ignore": strings.Repeat("x\n", 3<<20)})
	must(t, os.Symlink(filepath.Join(dir, "rules"), filepath.Join(dir, ".ignore")))
	m := ignore.New(dir)
	if got := m.Check("a.md", false); got != ignore.Neutral || len(m.Problems()) != 0 {
		t.Errorf("verdict %d with a linked rule file, problems %v", got, m.Problems())
	}
	if got := m.Child("big").Problems(); len(got) != 1 {
		t.Errorf("problems of a rule file of 6 MiB: %v", got)
	}
}

func TestTreeForgets(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"a/b/c": "", "ab/c": ""})
	tree := ignore.NewTree(dir)
	path := filepath.Join(dir, "a", "b", "c")
	if got := tree.Check(path, false); got != ignore.Neutral {
		t.Fatalf("verdict %d", got)
	}
	writeTree(t, dir, map[string]string{"a/.ignore": "c\n"})
	if got := tree.Check(path, false); got != ignore.Neutral {
		t.Errorf("verdict %d before Forget: the rules were read again", got)
	}
	tree.Forget(filepath.Join(dir, "a"))
	if got := tree.Check(path, false); got != ignore.Ignored {
		t.Errorf("verdict %d after Forget", got)
	}
	if got := tree.Check(filepath.Dir(dir), true); got != ignore.Neutral {
		t.Errorf("verdict %d outside of the root", got)
	}
}

func ExampleMatcher() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	rules := "drafts/\n*.log\n!keep.log\n"
	if err := os.WriteFile(filepath.Join(dir, ".ignore"), []byte(rules), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	m := ignore.New(dir)
	fmt.Println(m.Check("drafts", true) == ignore.Ignored)
	fmt.Println(m.Check("build.log", false) == ignore.Ignored)
	fmt.Println(m.Check("keep.log", false) == ignore.Kept)
	fmt.Println(m.Check("node_modules", true) == ignore.Ignored)
	// Output:
	// true
	// true
	// true
	// true
}

func TestByDefault(t *testing.T) {
	for path, want := range map[string]bool{
		"a.txt": false, "docs/a.md": false, "./docs/a.md": false, "../a.md": false, "x/node_modules/y/a.md": true, "node_modules": false,
		"go.sum": true, "x/go.sum": true, "x/.git/config": true, ".env": true, "a//b.txt": false, "a/b.min.js": true, strings.Repeat("a/", 5000): true,
	} {
		if got := ignore.ByDefault(path); got != want {
			t.Errorf("%.40s: %v", path, got)
		}
	}
}
