package ignore_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/indexer/ignore"
)

// The sizes leave the test at a few seconds; nearly all of them are git's.
const (
	gitRepositories = 160
	gitPaths        = 48 // files per repository, beside rule files
)

var gitSeed = flag.Uint64("git.seed", 20, "seed of the random repositories that are compared with git")

// TestAgreesWithGit builds random repositories with hostile rule files and
// compares every file with "git ls-files --others --exclude-standard", and in a
// quarter of them every directory with "git check-ignore".
func TestAgreesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	t.Logf("seed %d", *gitSeed)
	work := memoryDir(t)
	paths, ignored := 0, 0
	for i := range gitRepositories {
		rng := rand.New(rand.NewPCG(*gitSeed, uint64(i)))
		repo := newRandomRepository(t, rng, fmt.Sprintf("%s/%d", work, i))
		paths += len(repo.files)
		n, agree := compareWithGit(t, repo, i%4 == 0)
		ignored += n
		if !agree {
			t.Fatalf("repository %d of seed %d disagrees with git", i, *gitSeed)
		}
	}
	t.Logf("%d repositories, %d files compared, %d of them ignored", gitRepositories, paths, ignored)
	if paths < 9000 || ignored < paths/10 || ignored > paths*9/10 {
		t.Errorf("%d files compared, %d of them ignored: want at least 9000, and neither all nor none", paths, ignored)
	}
}

// randomRepository is a work tree with rule files.
type randomRepository struct {
	dir   string
	files []string          // slash-separated, from dir
	dirs  map[string]bool   // the same
	rules map[string]string // path of a rule file -> text
}

// memoryDir returns a directory in memory where there is one: the test makes
// fifteen thousand files.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "dowse-ignore-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	return dir
}

func newRandomRepository(t *testing.T, rng *rand.Rand, dir string) *randomRepository {
	t.Helper()
	r := &randomRepository{dir: dir, dirs: map[string]bool{}, rules: map[string]string{}}
	// The least that git accepts as a repository; "git init" takes 20 times longer.
	for _, dir := range []string{"objects", "refs", "info"} {
		must(t, os.MkdirAll(filepath.Join(r.dir, ".git", dir), 0o755))
	}
	must(t, os.WriteFile(filepath.Join(r.dir, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(r.dir, ".git/config"), []byte("[core]\n\tbare = false\n\texcludesFile = .git/personal\n"), 0o644))
	for range gitPaths * 3 {
		if len(r.files) == gitPaths {
			break
		}
		r.tryFile(t, randomPath(rng))
	}
	r.addRules(t, rng, ".git/info/exclude", 3)
	r.addRules(t, rng, ".git/personal", 3)
	r.addRules(t, rng, ".gitignore", 10)
	for dir := range sorted(r.dirs) {
		if rng.IntN(4) == 0 {
			r.addRules(t, rng, dir+"/.gitignore", 5)
		}
	}
	return r
}

// tryFile creates a file unless its path collides with what is there.
func (r *randomRepository) tryFile(t *testing.T, path string) {
	t.Helper()
	full := filepath.Join(r.dir, path)
	if _, err := os.Lstat(full); err == nil || os.MkdirAll(filepath.Dir(full), 0o755) != nil {
		return
	}
	must(t, os.WriteFile(full, nil, 0o644))
	r.files = append(r.files, path)
	for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
		r.dirs[dir] = true
	}
}

func (r *randomRepository) addRules(t *testing.T, rng *rand.Rand, path string, n int) {
	t.Helper()
	var text strings.Builder
	for range rng.IntN(n) + 1 {
		text.WriteString(r.randomRule(rng))
		text.WriteString(pick(rng, "\n", "\n", "\n", "\r\n"))
	}
	r.rules[path] = text.String()
	must(t, os.WriteFile(filepath.Join(r.dir, path), []byte(text.String()), 0o644))
	if !strings.HasPrefix(path, ".git/") {
		r.files = append(r.files, path)
	}
}

// randomRule makes a rule: half of them are a path that exists, bent a little,
// because rules that match nothing test nothing.
func (r *randomRepository) randomRule(rng *rand.Rand) string {
	var p string
	if rng.IntN(2) == 0 {
		p = bend(rng, r.files[rng.IntN(len(r.files))])
	} else {
		for range rng.IntN(4) + 1 {
			p += ruleParts[rng.IntN(len(ruleParts))]
		}
	}
	return pick(rng, "", "", "", "!", "!", "/", `\`, "**/", "#", "\ufeff") + p +
		pick(rng, "", "", "", "/", "/", "/*", "/**", " ", `\ `, "  ", "\\", "\t")
}

var ruleParts = []string{
	"a", "b", "ab", "c.d", "A", "-", "é", " ", `\ `, "]", "!", "#", "^", ".", "/", "/", "//", "*", "*", "**", "***", "?", "**/", "/**", "/**/",
	"*/", `\*`, `\?`, `\[`, `\/`, `\\`, `\a`, "[ab]", "[!a]", "[^b]", "[a-c]", "[]]", "[!]a]", "[a", "[", "[]", "[[:alpha:]]", "[[:digit:][:upper:]]",
	"[[:space:]]", "[[:punct:]]", "[![:alnum:]]", "[[:nope:]]", "[[:alpha:]", "[[:a]", "[a/b]", "[/]", `[\]]`, `[a\-c]`, "[-a]", "[a-]", "[b-a]", "[a-c-e]",
	"[*]", "[?]", "[[:xdigit:]]", "[[:cntrl:]]", "[[:graph:]]", "[[:print:]]", "[[:blank:]]", "[[:lower:]]", `[a-\c]`, "[--a]", "[[.a.]]", `\`,
}

var nameParts = []string{
	"a", "b", "c", "ab", "A", "B1", "-", "é", " ", "]", "[", "!", "#", "^", ".", "*", "?", `\`, "[ab]", "**", ":", "\t", "x", "\x7f", "\xff", "~",
}

func randomPath(rng *rand.Rand) string {
	var elements []string
	for range rng.IntN(4) + 1 {
		name := ""
		for range rng.IntN(3) + 1 {
			name += nameParts[rng.IntN(len(nameParts))]
		}
		if strings.Trim(name, ".") == "" {
			name += "a"
		}
		elements = append(elements, name)
	}
	return strings.Join(elements, "/")
}

// bend makes a rule out of a path: a stretch of it, with wildcards put in.
func bend(rng *rand.Rand, path string) string {
	elements := strings.Split(path, "/")
	from := rng.IntN(len(elements))
	elements = slices.Clone(elements[from : from+rng.IntN(len(elements)-from)+1])
	for i, e := range elements {
		at := rng.IntN(len(e) + 1)
		switch rng.IntN(8) {
		case 0:
			elements[i] = "*"
		case 1:
			elements[i] = e[:at] + "*"
		case 2:
			elements[i] = "*" + e[at:]
		case 3:
			elements[i] = "**"
		case 4:
			elements[i] = e[:at] + "**" + e[at:]
		case 5:
			elements[i] = e[:at] + "?" + e[min(at+1, len(e)):]
		case 6:
			elements[i] = e[:at] + `\` + e[at:]
		}
	}
	return strings.Join(elements, "/")
}

// compareWithGit returns the number of files that git ignores.
func compareWithGit(t *testing.T, r *randomRepository, withDirs bool) (ignoredFiles int, agree bool) {
	t.Helper()
	listed := gitOutput(t, r.dir, nil, "ls-files", "--others", "--exclude-standard", "-z")
	agree = true
	tree := ignore.NewGitTree(r.dir)
	check := func(path string, isDir, ignoredByGit bool) {
		ours := tree.Check(filepath.Join(r.dir, path), isDir) == ignore.Ignored
		if ours != ignoredByGit {
			agree = false
			t.Errorf("%q (directory %v): ignored %v, by git %v; rules %q", path, isDir, ours, ignoredByGit, r.rulesAbove(path))
		}
	}
	for _, path := range r.files {
		check(path, false, !listed[path])
		if !listed[path] {
			ignoredFiles++
		}
	}
	if !withDirs {
		return ignoredFiles, agree
	}
	var dirs []string
	for dir := range sorted(r.dirs) {
		dirs = append(dirs, "./"+dir) // a leading colon would mean something
	}
	ignored := gitOutput(t, r.dir, dirs, "check-ignore", "--no-index", "-z", "--stdin")
	for _, dir := range dirs {
		check(dir[len("./"):], true, ignored[dir])
	}
	return ignoredFiles, agree
}

// rulesAbove returns the rule files that have a say about path.
func (r *randomRepository) rulesAbove(path string) map[string]string {
	above := map[string]string{}
	for file, text := range r.rules {
		dir := filepath.Dir(file)
		if dir == "." || dir == ".git/info" || dir == ".git" || strings.HasPrefix(path, dir+"/") {
			above[file] = text
		}
	}
	return above
}

// gitOutput runs git and returns its output, zero-separated paths, as a set.
func gitOutput(t *testing.T, dir string, input []string, args ...string) map[string]bool {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
	cmd.Stdin = strings.NewReader(strings.Join(input, "\x00"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	// check-ignore says 1 when nothing is ignored.
	if err != nil && (args[0] != "check-ignore" || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	set := map[string]bool{}
	for path := range strings.SplitSeq(string(out), "\x00") {
		set[path] = true
	}
	return set
}

func sorted(set map[string]bool) func(yield func(string) bool) {
	keys := make([]string, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return slices.Values(keys)
}

func pick(rng *rand.Rand, options ...string) string { return options[rng.IntN(len(options))] }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
