package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/internal/testcache"
	"dowse/internal/testwait"
)

// dayWords are what the files of a day are made of.
var dayWords = strings.Fields("heron lake boiler mildew ferry invoice samovar netball windscreen router lantern quarry orchard violin " +
	"ledger harbour kettle compass meadow tariff glacier thimble saddle beacon")

// day is the life of some folders that a watcher follows: what changes in them is drawn by lot.
type day struct {
	t           *testing.T
	rng         *rand.Rand
	home, cache string
	root        string
	files, dirs []string // below the root, but for those of the repository
	named       int
	disk, store string // where a file system is mounted below the root, and where it stays; "" for none
	away        bool   // it is not mounted below the root
	repository  string // in which branches are checked out; "" for none
	watcher     *exec.Cmd
	did         map[string]int
}

// TestDayInTheLife follows a folder through random edits, moves, deletions, checkouts of branches, a disk that comes and
// goes, and kills of the watcher. Afterwards the index lists and finds what one that is built at once does, and by the
// same scores.
func TestDayInTheLife(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes: the plain run does it")
	}
	const seed = 43
	steps, kills, patience := 300, 3, 2*testwait.Patience
	if os.Getenv(testcache.FullVariable) != "" {
		steps, kills, patience = 10_000, 12, 10*testwait.Patience
	}
	t.Logf("seed %d", seed)
	d := newDay(t, seed)
	d.watch()
	for i := range steps {
		d.step()
		if i%20 == 0 {
			testwait.Moment(time.Duration(d.rng.Int64N(int64(60 * time.Millisecond))))
		}
		if i%(steps/kills) == steps/kills/2 {
			d.kill()
			for range 10 { // while nobody watches
				d.step()
			}
			d.watch()
		}
	}
	if d.away {
		d.mount()
	}
	fresh := d.fresh()
	want := d.listing(fresh)
	if n := strings.Count(d.found(fresh), "\n"); n < 100 {
		t.Fatalf("%d passages are found of %d files: the test shows little", n, len(want))
	}
	if !testwait.For(patience, func() bool { return slices.Equal(d.listing(d.home), want) && d.found(d.home) == d.found(fresh) }) {
		t.Errorf("listed and not there: %q\nthere and not listed: %q\nfound the same: %v", missingFrom(want, d.listing(d.home)), missingFrom(d.listing(d.home), want), d.found(d.home) == d.found(fresh))
	}
	if err := errors.Join(d.watcher.Process.Signal(os.Interrupt), d.watcher.Wait()); err != nil {
		t.Errorf("the watcher's end: %v", err)
	}
	d.watcher = nil
	report := check(t, d.home, d.cache)
	t.Logf("%v; %d files and %d passages at the end", d.did, report.Files, report.Chunks)
	for _, what := range []string{"edit", "append", "new", "move", "delete", "folder", "move of a folder", "kill"} {
		if d.did[what] == 0 {
			t.Errorf("there was no %s: the test shows less than it says", what)
		}
	}
	if d.repository != "" && d.did["checkout"] == 0 || d.disk != "" && d.did["unmount"] == 0 {
		t.Errorf("%v", d.did)
	}
}

// missingFrom are the lines of all that are not in some.
func missingFrom(some, all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(line string) bool { return slices.Contains(some, line) })
}

// newDay makes a folder of some files, with a repository and a disk in it where that is possible.
func newDay(t *testing.T, seed uint64) *day {
	d := &day{t: t, rng: rand.New(rand.NewPCG(seed, 0)), home: t.TempDir(), cache: t.TempDir(), root: realDir(t), did: map[string]int{}}
	addEmbedder(t, d.home, d.cache, "small", "")
	settings := filepath.Join(d.home, "config.toml")
	d.must(errors.Join(config.UseModel(settings, "small"), config.UseReranker(settings, config.NoReranker)))
	d.dirs = []string{d.root}
	t.Cleanup(func() {
		if d.watcher != nil {
			_ = d.watcher.Process.Kill()
			_ = d.watcher.Wait()
		}
	})
	d.addRepository()
	d.addDisk()
	for range 60 {
		d.create()
	}
	return d
}

func (d *day) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// addRepository makes a repository of three branches.
func (d *day) addRepository() {
	if _, err := exec.LookPath("git"); err != nil {
		d.t.Log("there is no git: nothing is checked out")
		return
	}
	d.repository = filepath.Join(d.root, "repository")
	d.must(os.MkdirAll(filepath.Join(d.repository, "docs"), 0o700))
	d.git("init", "-q", "-b", "branch0")
	for branch := range 3 {
		if branch > 0 {
			d.git("checkout", "-q", "-b", fmt.Sprintf("branch%d", branch))
		}
		for i := range 12 {
			name := fmt.Sprintf("docs/n%d.md", i+branch*4)
			d.must(os.WriteFile(filepath.Join(d.repository, name), []byte(d.text()), 0o600))
		}
		d.git("add", "-A")
		d.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "notes")
	}
}

func (d *day) git(args ...string) {
	d.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = d.repository
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("git %s: %v, %s", args, err, out)
	}
}

func (d *day) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", d.word())
	for range 1 + d.rng.IntN(4) {
		b.WriteString("\n")
		for range 5 + d.rng.IntN(55) {
			b.WriteString(d.word() + " ")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (d *day) word() string { return dayWords[d.rng.IntN(len(dayWords))] }

// name is that of a new file or folder.
func (d *day) name(in, suffix string) string {
	d.named++
	return filepath.Join(in, fmt.Sprintf("x%d%s", d.named, suffix))
}

// dir draws a folder that is there.
func (d *day) dir() string {
	for {
		if dir := d.dirs[d.rng.IntN(len(d.dirs))]; !d.isAway(dir) {
			return dir
		}
	}
}

// file draws a file that is there, and its place in the list.
func (d *day) file() (int, string) {
	for {
		if i := d.rng.IntN(len(d.files)); !d.isAway(d.files[i]) {
			return i, d.files[i]
		}
	}
}

func (d *day) isAway(path string) bool {
	return d.away && (path == d.disk || strings.HasPrefix(path, d.disk+"/"))
}

func (d *day) create() {
	path := d.name(d.dir(), ".md")
	d.must(os.WriteFile(path, []byte(d.text()), 0o600))
	d.files = append(d.files, path)
}

// step makes one change.
func (d *day) step() {
	what := "new"
	switch k := d.rng.Float64(); {
	case k < .2 || len(d.files) < 30:
		d.create()
	case k < .48:
		what = "edit"
		_, path := d.file()
		d.must(os.WriteFile(path, []byte(d.text()), 0o600))
	case k < .62:
		what = "append"
		_, path := d.file()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		d.must(err)
		_, err = f.WriteString("\n" + d.text())
		d.must(errors.Join(err, f.Close()))
	case k < .74:
		what = "move"
		i, path := d.file()
		to := d.name(d.dir(), ".md")
		if err := os.Rename(path, to); err != nil { // to another disk
			data, err := os.ReadFile(path)
			d.must(err)
			d.must(errors.Join(os.WriteFile(to, data, 0o600), os.Remove(path)))
		}
		d.files[i] = to
	case k < .88:
		what = "delete"
		i, path := d.file()
		d.must(os.Remove(path))
		d.files = slices.Delete(d.files, i, i+1)
	case k < .92:
		what = "folder"
		dir := d.name(d.dir(), "")
		d.must(os.Mkdir(dir, 0o700))
		d.dirs = append(d.dirs, dir)
	case k < .95:
		what = d.moveFolder()
	case k < .98 && d.repository != "":
		what = "checkout"
		d.git("checkout", "-q", fmt.Sprintf("branch%d", d.rng.IntN(3)))
	case d.disk != "":
		if what = "mount"; !d.away {
			what = "unmount"
		}
		d.turnDisk()
	}
	d.did[what]++
}

// moveFolder moves a folder of which none is the disk, with all below it, to the root.
func (d *day) moveFolder() string {
	from := d.dir()
	if from == d.root || from == d.disk || d.disk != "" && strings.HasPrefix(from, d.disk+"/") {
		d.create()
		return "new"
	}
	to := d.name(d.root, "")
	d.must(os.Rename(from, to))
	for _, list := range [][]string{d.files, d.dirs} {
		for i, path := range list {
			if path == from || strings.HasPrefix(path, from+"/") {
				list[i] = to + path[len(from):]
			}
		}
	}
	return "move of a folder"
}

// watch starts the watcher.
func (d *day) watch() {
	d.watcher = dowse(d.home, d.cache, "watch", d.root)
	d.must(d.watcher.Start())
}

// kill ends it at once.
func (d *day) kill() {
	testwait.Moment(time.Duration(d.rng.Int64N(int64(500 * time.Millisecond))))
	_ = d.watcher.Process.Kill()
	_ = d.watcher.Wait()
	d.did["kill"]++
}

// fresh is the home of an index that is built at once.
func (d *day) fresh() string {
	home := d.t.TempDir()
	settings, err := os.ReadFile(filepath.Join(d.home, "config.toml"))
	d.must(err)
	d.must(os.WriteFile(filepath.Join(home, "config.toml"), settings, 0o600))
	d.must(os.CopyFS(filepath.Join(home, "cache"), os.DirFS(filepath.Join(d.home, "cache"))))
	index(d.t, home, d.cache, d.root)
	return home
}

// listing is what an index lists: path, bytes of text, passages.
func (d *day) listing(home string) (lines []string) {
	d.t.Helper()
	out, err := dowse(home, d.cache, "list", "--json").Output()
	var list engine.Files
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	d.must(err)
	for _, f := range list.Files {
		lines = append(lines, fmt.Sprintf("%s %d %d", f.Path, f.TextBytes, f.Chunks))
	}
	slices.Sort(lines)
	return lines
}

// found is what is found by all words together: each passage with its score, to which each of its words adds.
func (d *day) found(home string) string {
	d.t.Helper()
	const most = 1000
	var lines []string
	for half := range slices.Chunk(dayWords, len(dayWords)/2) {
		out, err := dowse(home, d.cache, "-q", strings.Join(half, " "), "--json", "-k", fmt.Sprint(most), "--mode", "lexical").Output()
		var r engine.Result
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		d.must(err)
		var some []string
		for _, p := range r.Passages {
			if len(r.Passages) < most || p.Score > r.Passages[most-1].Score { // of equals, others may be beyond the last one
				some = append(some, fmt.Sprintf("%s:%d %.9g", p.Path, p.LineStart, p.Score))
			}
		}
		slices.Sort(some)
		lines = append(lines, some...)
	}
	return strings.Join(lines, "\n")
}
