package indexer_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/store"
)

// idBound returns what all ids of chunks are below.
func (b *bench) idBound() (next uint32) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		next = tx.NextChunk()
		return nil
	}))
	return next
}

// textByID returns the hash of the text of every chunk, by id.
func (b *bench) textByID() map[uint32]uint32 {
	b.t.Helper()
	texts := map[uint32]uint32{}
	b.must(b.db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			chunks, err := tx.Chunks(f)
			for place, id := range f.IDs.All() {
				texts[id] = chunks[place].Hash
			}
			return err
		})
	}))
	return texts
}

// TestUnchangedChunksKeepTheirIDs edits, moves and renames a file of an index with
// codes, and counts the chunks that have another id than before.
func TestUnchangedChunksKeepTheirIDs(t *testing.T) {
	b, rng := newBench(t), seeded(t, 221)
	f := b.fill(rng)
	name := f.name(rng)
	s := f[name]
	b.run(b.root)
	for _, c := range []struct {
		what string
		do   func()
		lost int // ids that no chunk of the file has afterwards
	}{
		{"an edit", func() { s[3] = section(rng) }, 1},
		{"an insertion", func() { s = slices.Insert(s, 2, section(rng)) }, 0},
		{"a removal", func() { s = slices.Delete(s, 1, 2) }, 1},
		{"another order", func() { slices.Reverse(s) }, 0},
		{"a move", func() {
			b.must(os.MkdirAll(b.path("elsewhere"), 0o755))
			b.must(os.Rename(b.path(name), b.path("elsewhere/"+filepath.Base(name))))
			name = "elsewhere/" + filepath.Base(name)
		}, 0},
		{"a new name", func() { // its words are posted with each passage
			b.must(os.Rename(b.path(name), b.path("elsewhere/other.md")))
			name = "elsewhere/other.md"
		}, len(s)},
		{"a copy", func() { b.write("elsewhere/copy.md", s.text()) }, 0},
	} {
		before := b.chunkIDs(name)
		b.embed.take()
		c.do()
		if c.what != "a copy" {
			b.write(name, s.text())
		}
		b.run()
		lost := 0
		now := b.chunkIDs(name)
		for _, id := range before {
			if !slices.Contains(now, id) {
				lost++
			}
		}
		if lost != c.lost {
			t.Errorf("%s: %d chunks lost their ids, want %d: %v, %v", c.what, lost, c.lost, before, now)
		}
		if again := b.embed.take(); len(again) > 1 || len(again) == 1 && c.what != "an edit" && c.what != "an insertion" {
			t.Errorf("%s: %d chunks were embedded", c.what, len(again))
		}
		b.check()
	}
}

// TestManySaves saves one note again and again. The ids that this takes stay near
// the number of chunks, and at rest nothing is left of it.
func TestManySaves(t *testing.T) {
	if testing.Short() {
		t.Skip("one change after the other: nothing for the race detector")
	}
	b, rng := newBench(t), seeded(t, 222)
	f := b.fill(rng)
	b.run(b.root)
	saves := setting(t, "DOWSE_TEST_SAVES", 200)
	name := f.name(rng)
	most := uint32(0)
	for range saves {
		f[name][len(f[name])/2] = section(rng)
		b.write(name, f[name].text())
		b.follow(b.path(name))
		most = max(most, b.idBound())
	}
	chunks := b.counts().Chunks
	if most > uint32(chunks)*105/100 {
		t.Errorf("%d ids for %d chunks while one was saved again and again", most, chunks)
	}
	b.quantized(b.run().Chunks)
	if next := b.idBound(); next > uint32(chunks)*105/100 {
		t.Errorf("%d ids for %d chunks at rest", next, chunks)
	}
	fresh := b.rebuilt()
	t.Logf("%d chunks, %d ids at most and %d at rest; %d bytes, a fresh index has %d", chunks, most, b.idBound(), b.size(), fresh.size())
	if got, want := b.size(), fresh.size(); float64(got) > 1.15*float64(want)+lastPages {
		t.Errorf("the index has %d bytes, a fresh one %d", got, want)
	}
	b.sameAs(fresh)
	b.searchesLike(fresh, f)
}

// change does one random change to a folder and follows it.
func (f folder) change(b *bench, rng *rand.Rand, step int) {
	name := f.name(rng)
	paths := []string{b.path(name)}
	switch rng.IntN(6) {
	case 0, 1: // edit, insert, remove
		at := rng.IntN(len(f[name]))
		f[name] = slices.Replace(f[name], at, at+1, newSections(rng, rng.IntN(3))...)
	case 2: // a new file, some of whose text stands in another one
		to := fmt.Sprintf("new/n%03d.md", step)
		f[to] = append(newSections(rng, rng.IntN(3)), f[name][:len(f[name])/2]...)
		name = to
		paths = append(paths, b.path(to))
	case 3:
		delete(f, name)
		b.must(os.Remove(b.path(name)))
	default:
		to := fmt.Sprintf("moved%d/%s", step, filepath.Base(name))
		if rng.IntN(2) == 0 {
			to = fmt.Sprintf("moved/m%03d.md", step)
		}
		b.must(os.MkdirAll(filepath.Dir(b.path(to)), 0o755))
		b.must(os.Rename(b.path(name), b.path(to)))
		f[to] = f[name]
		delete(f, name)
		name = to
		paths = append(paths, b.path(to))
	}
	if s, there := f[name]; there {
		b.write(name, s.text())
	}
	if again := b.follow(paths...); len(again) > 0 { // what is gone waits at first
		b.follow(again...)
	}
}

// TestIDsOfOthersAreNotSeen changes files at random, with merges and whole runs in
// between, and searches with an engine that stays: what it keeps of a chunk must
// not be shown of another one that gets its id.
func TestIDsOfOthersAreNotSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("one change after the other: nothing for the race detector")
	}
	b, rng := newBench(t), seeded(t, 223)
	b.index.HoldFor(0)
	f := b.fill(rng)
	b.run(b.root)
	options := search.Options{
		Store: b.db, Analyzer: lexical.NewAnalyzer(), Embedder: b.embed, Texts: b.embed, Vectors: vectorIndex,
		Recompute: 64, Memo: 1 << 20,
	}
	stays := search.New(options)
	had, reused := map[uint32]uint32{}, 0
	const steps = 30
	for step := range steps {
		if step%12 == 11 {
			b.run()
			b.check()
		}
		f.change(b, rng, step)
		for id, hash := range b.textByID() {
			if old, known := had[id]; known && old != hash {
				reused++
			}
			had[id] = hash
		}
		name := f.name(rng)
		if len(f[name]) == 0 {
			continue
		}
		words := strings.Fields(f[name][0])
		query := strings.Join(words[3:6], " ")
		if step%3 == 0 {
			query += ` "` + strings.Join(words[7:9], " ") + `"`
		}
		b.shownAlike(stays, search.New(options), query)
	}
	t.Logf("%d ids were given again in %d steps", reused, steps)
	if reused < steps/4 {
		t.Errorf("%d ids were given again: the test tests little", reused)
	}
	b.run()
	b.searchesLike(b.rebuilt(), f)
}

// shownAlike compares what two engines find and show. What they show stands in the
// files.
func (b *bench) shownAlike(got, want *search.Engine, query string) {
	b.t.Helper()
	for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid, engine.Lexical} {
		find := func(e *search.Engine) []engine.Passage {
			r, err := e.Search(b.t.Context(), engine.Request{Query: query, Mode: mode, K: 20}, nil)
			b.must(err)
			return r.Passages
		}
		passages, others := find(got), find(want)
		if len(passages) != len(others) || len(others) == 0 {
			b.t.Fatalf("%s, %q: %d passages, want %d", mode, query, len(passages), len(others))
		}
		for i, p := range passages {
			if !reflect.DeepEqual(p, others[i]) {
				b.t.Fatalf("%s, %q:\n got %+v\nwant %+v", mode, query, p, others[i])
			}
			view, err := got.Preview(b.t.Context(), p, 0, 0)
			b.must(err)
			if p.Stale || !strings.Contains(strings.Join(view.Lines, "\n")+"\n\n", strings.TrimSpace(p.Text)) {
				b.t.Errorf("%s, %q: %q is shown as %q", mode, query, p.Text, view.Lines)
			}
		}
	}
}
