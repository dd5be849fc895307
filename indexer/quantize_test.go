package indexer_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/testwait"
	"dowse/store"
)

// sections are chunks of a file to be: each is long enough to stand alone.
type sections []string

func (s sections) text() string { return strings.Join(s, "") }

// section returns a random one with its own heading.
func section(rng *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Part %d\n\n", rng.IntN(1<<30))
	for range 70 + rng.IntN(20) {
		fmt.Fprintf(&b, "word%d ", rng.IntN(5000))
	}
	b.WriteString("end.\n\n")
	return b.String()
}

func newSections(rng *rand.Rand, n int) sections {
	s := make(sections, n)
	for i := range s {
		s[i] = section(rng)
	}
	return s
}

// folder is what files there are, by name.
type folder map[string]sections

// fill writes files of about ten chunks each, in all more than an index must
// have to be quantized.
func (b *bench) fill(rng *rand.Rand) folder {
	b.t.Helper()
	f := folder{}
	for i := range 115 {
		name := fmt.Sprintf("d%d/f%03d.md", i%5, i)
		f[name] = newSections(rng, 8+rng.IntN(4))
		b.write(name, f[name].text())
	}
	return f
}

// name picks one of the files.
func (f folder) name(rng *rand.Rand) string {
	names := slices.Sorted(maps.Keys(f))
	return names[rng.IntN(len(names))]
}

func seeded(t *testing.T, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func (b *bench) counts() (counts store.Counts) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) (err error) {
		counts, err = tx.Counts()
		return err
	}))
	return counts
}

// quantized fails the test unless every chunk has a code and no vector.
func (b *bench) quantized(chunks int) {
	b.t.Helper()
	b.check()
	if c := b.counts(); c.Vectors != 0 || c.Chunks != chunks || chunks < 1024 {
		b.t.Errorf("%d chunks, %d of them with vectors; want %d without", c.Chunks, c.Vectors, chunks)
	}
}

func TestRunQuantizes(t *testing.T) {
	b, rng := newBench(t), seeded(t, 201)
	f := b.fill(rng)
	r := b.run(b.root)
	b.quantized(r.Chunks)
	if r.Embedded != r.Chunks {
		t.Errorf("%d chunks, %d embedded", r.Chunks, r.Embedded)
	}
	b.embed.take()

	// One section of one file changes: that alone is embedded.
	name := f.name(rng)
	f[name][3] = section(rng)
	b.write(name, f[name].text())
	r = b.run()
	if again := b.embed.take(); r.Updated != 1 || r.Embedded != len(again) || len(again) != 1 || !strings.Contains(f[name][3], strings.TrimSpace(again[0])[:30]) {
		t.Errorf("report %+v, embedded %.60q", r, again)
	}
	b.quantized(r.Chunks)

	// A file that moves or is copied takes its codes along.
	b.must(os.Rename(b.path(name), b.path("d0/moved.md")))
	r = b.run()
	if again := b.embed.take(); len(again) != 0 || r.Added != 1 || r.Removed != 1 {
		t.Errorf("report %+v, embedded %.60q", r, again)
	}
	b.quantized(r.Chunks)

	// A section moves inside a file.
	s := f[name]
	s[0], s[6] = s[6], s[0]
	b.write("d0/moved.md", s.text())
	if r = b.run(); len(b.embed.take()) != 0 || r.Updated != 1 {
		t.Errorf("report %+v", r)
	}
	b.quantized(r.Chunks)
}

// TestFewFreshChunksWait: what is edited under watch keeps its vectors until
// there is enough of it to be worth rewriting blocks.
func TestFewFreshChunksWait(t *testing.T) {
	b, rng := newBench(t), seeded(t, 202)
	f := b.fill(rng)
	b.watching()
	b.until("all are quantized", func(c store.Counts) bool { return b.meant() && c.Vectors == 0 })
	b.quantized(b.counts().Chunks)
	edit := func(sections int) {
		name := f.name(rng)
		for i := range sections {
			f[name][i] = section(rng)
		}
		b.write(name, f[name].text())
	}
	edit(3)
	b.until("the edit is indexed", func(c store.Counts) bool { return c.Vectors == 3 })
	b.check()
	for fresh := 3; fresh < 56; fresh += 8 {
		if got := b.counts().Vectors; got != fresh {
			t.Fatalf("%d chunks are fresh, want %d", got, fresh)
		}
		name := fmt.Sprintf("new%d.md", fresh)
		b.write(name, newSections(rng, 8).text())
		b.until(name, func(c store.Counts) bool { return c.Vectors == fresh+8 })
	}
	b.write("last.md", newSections(rng, 10).text())
	b.until("all are quantized", func(c store.Counts) bool { return c.Vectors == 0 })
	b.check()
}

// until waits for the index to be as wanted.
func (b *bench) until(what string, done func(c store.Counts) bool) {
	b.t.Helper()
	if !testwait.For(testwait.Patience, func() bool { return done(b.counts()) }) {
		b.t.Fatalf("%s: %+v", what, b.counts())
	}
}

// lastPages are the bytes that the transactions after the last rewriting of a file may add to it.
const lastPages = 12 * 4096

// TestReplacedFilesLeaveNoWaste replaces a third of the files, one by one.
func TestReplacedFilesLeaveNoWaste(t *testing.T) {
	if testing.Short() {
		t.Skip("one change after the other: nothing for the race detector")
	}
	b, rng := newBench(t), seeded(t, 203)
	f := b.fill(rng)
	r := b.run(b.root)
	for range len(f) / 3 {
		name := f.name(rng)
		f[name] = newSections(rng, 10)
		b.write(name, f[name].text())
		r = b.run()
	}
	b.quantized(r.Chunks)
	fresh := b.rebuilt()
	got, want := b.size(), fresh.size()
	t.Logf("%d bytes, a fresh index has %d", got, want)
	if float64(got) > 1.15*float64(want)+lastPages {
		t.Errorf("the index has %d bytes, a fresh one %d", got, want)
	}
	b.sameAs(fresh)
}

// rebuilt returns a fresh index of the same files.
func (b *bench) rebuilt() *bench {
	b.t.Helper()
	other := newBench(b.t)
	other.root = b.root
	other.run(b.root)
	return other
}

// size returns the size of the index's file.
func (b *bench) size() int64 {
	b.t.Helper()
	info, err := os.Stat(b.db.Path())
	b.must(err)
	return info.Size()
}

// sameAs compares what two indexes know of the files and their chunks.
func (b *bench) sameAs(other *bench) {
	b.t.Helper()
	got, want := b.chunks(), other.chunks()
	for path := range maps.Keys(want) {
		if !slices.Equal(got[path], want[path]) {
			b.t.Errorf("%s has chunks %v, want %v", path, got[path], want[path])
		}
	}
	if len(got) != len(want) {
		b.t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// chunks returns the chunks of every file.
func (b *bench) chunks() map[string][]store.Chunk {
	b.t.Helper()
	all := map[string][]store.Chunk{}
	b.must(b.db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) (err error) {
			all[f.Path], err = tx.Chunks(f)
			return err
		})
	}))
	return all
}

// TestQuantizedIndexFollowsEveryChange makes random changes with runs between
// them and compares the outcome with an index built afresh.
func TestQuantizedIndexFollowsEveryChange(t *testing.T) {
	if testing.Short() {
		t.Skip("one change after the other: nothing for the race detector")
	}
	b, rng := newBench(t), seeded(t, 204)
	f := b.fill(rng)
	b.run(b.root)
	for step := range 60 {
		name := f.name(rng)
		switch rng.IntN(8) {
		case 0, 1, 2: // edit some sections
			for range 1 + rng.IntN(3) {
				f[name][rng.IntN(len(f[name]))] = section(rng)
			}
		case 3: // cut one out, or put one in
			if at := rng.IntN(len(f[name])); len(f[name]) > 2 && rng.IntN(2) == 0 {
				f[name] = slices.Delete(f[name], at, at+1)
			} else {
				f[name] = slices.Insert(f[name], at, section(rng))
			}
		case 4: // a new file, of old text in part
			to := fmt.Sprintf("new/n%03d.md", step)
			f[to] = append(newSections(rng, rng.IntN(8)), f[name][:1+rng.IntN(len(f[name]))]...)
			name = to
		case 5:
			b.must(os.Remove(b.path(name)))
			delete(f, name)
		case 6: // a rename
			to := fmt.Sprintf("moved/m%03d.md", step)
			b.must(os.MkdirAll(filepath.Dir(b.path(to)), 0o755))
			b.must(os.Rename(b.path(name), b.path(to)))
			f[to] = f[name]
			delete(f, name)
			name = to
		case 7:
			b.run()
			b.check()
			continue
		}
		if s, ok := f[name]; ok {
			b.write(name, s.text())
		}
	}
	r := b.run()
	b.quantized(r.Chunks)
	if r.Files != len(f) {
		t.Errorf("%d files are indexed of %d", r.Files, len(f))
	}
	fresh := b.rebuilt()
	b.sameAs(fresh)
	b.searchesLike(fresh, f)
}
