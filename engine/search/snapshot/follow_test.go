package snapshot

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"dowse/engine/lexical"
	"dowse/store"
)

// TestSnapshotFollows changes an index at random and compares the snapshot
// that followed every commit with one that is read anew.
func TestSnapshotFollows(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	const seed = 91
	rng := rand.New(rand.NewPCG(seed, 0))
	w, steps, followed := newWorld(t), 300, 0
	var current *Snapshot
	for step := range steps {
		for range rng.IntN(4) { // several commits between two searches
			w.commitAtRandom(rng)
		}
		err := w.db.View(func(tx *store.Tx) error {
			want, err := newSnapshot(tx)
			if err != nil {
				return err
			}
			next, err := current.follow(tx)
			if err != nil {
				return err
			}
			if next != nil {
				followed++
				checkEqualSnapshots(t, step, tx, next, want, rng)
				want = next
			}
			current = want
			return nil
		})
		if err != nil || t.Failed() {
			t.Fatalf("seed %d, step %d: %v", seed, step, err)
		}
	}
	if followed != steps-1 {
		t.Errorf("%d of %d snapshots followed another", followed, steps)
	}
}

// commitAtRandom adds, replaces, touches and deletes files, and merges.
func (w *world) commitAtRandom(rng *rand.Rand) {
	w.t.Helper()
	err := w.db.Update(func(tx *store.Tx) error {
		builder := lexical.NewBuilder()
		for range rng.IntN(5) {
			path := fmt.Sprintf("%s/f%02d.md", root, rng.IntN(60))
			known, err := tx.FileByPath(path)
			switch kind := rng.IntN(6); {
			case err != nil || kind < 3:
				err = w.put(tx, builder, file{path, randomText(rng, rng.IntN(4)), on(1, 1+rng.IntN(20))})
			case kind == 3:
				err = tx.TouchFile(known.ID, 7, on(2, 1+rng.IntN(20)).UnixNano(), 0)
			default:
				err = tx.DeleteFile(known.ID)
			}
			if err != nil {
				return err
			}
		}
		if _, err := builder.Write(tx.Postings()); err != nil {
			return err
		}
		live := lexical.NewSet(tx.NextChunk())
		if err := tx.LiveChunks(func(first, n uint32) error { live.AddRange(first, n); return nil }); err != nil {
			return err
		}
		_, err := lexical.MergeDue(w.t.Context(), tx.Postings(), live)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func checkEqualSnapshots(t *testing.T, step int, tx *store.Tx, got, want *Snapshot, rng *rand.Rand) {
	t.Helper()
	if got.Commit != want.Commit || got.Chunks != want.Chunks || got.Size != want.Size || got.held != want.held || got.Errors != want.Errors {
		t.Errorf("step %d: %+v, want %+v", step, got, want)
	}
	if !reflect.DeepEqual(got.Files, want.Files) && len(want.Files) > 0 {
		t.Errorf("step %d: files %v, want %v", step, got.Files, want.Files)
	}
	if !reflect.DeepEqual(got.spans, want.spans) && len(want.spans) > 0 {
		t.Errorf("step %d: spans %v, want %v", step, got.spans, want.spans)
	}
	if g, w := members(got.Live), members(want.Live); !reflect.DeepEqual(g, w) {
		t.Errorf("step %d: chunks %v live, want %v", step, g, w)
	}
	if got.Collection.Stats() != want.Collection.Stats() {
		t.Errorf("step %d: %+v, want %+v", step, got.Collection.Stats(), want.Collection.Stats())
	}
	q := lexical.NewAnalyzer().Query(randomText(rng, 2))
	g, err := lexical.NewJoint(lexical.Part{Collection: got.Collection, Reader: tx.Postings()}).Search(t.Context(), q, 30, []*lexical.Set{nil})
	if err != nil {
		t.Fatal(err)
	}
	w, err := lexical.NewJoint(lexical.Part{Collection: want.Collection, Reader: tx.Postings()}).Search(t.Context(), q, 30, []*lexical.Set{nil})
	if err != nil || !reflect.DeepEqual(g, w) {
		t.Errorf("step %d: hits %+v, want %+v (%v)", step, g, w, err)
	}
}

func members(set *lexical.Set) (ids []uint32) {
	set.Each(func(id uint32) bool {
		ids = append(ids, id)
		return true
	})
	return ids
}

// TestOldReadersKeepTheNewSnapshot: a search that began before a commit sees
// its own state and does not take the newer one from those that follow.
func TestOldReadersKeepTheNewSnapshot(t *testing.T) {
	w := birds(t)
	err := w.db.View(func(tx *store.Tx) error {
		// An open reader may hold up a commit, so the newer one is made up.
		newer := &Snapshot{Commit: tx.Commit() + 1}
		w.index.current = newer
		snap, err := w.index.At(tx)
		if err != nil {
			return err
		}
		if len(snap.Files) != 3 || snap.Commit != tx.Commit() || w.index.current != newer {
			t.Errorf("the old reader sees %d files, and commit %d is kept", len(snap.Files), w.index.current.Commit)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSnapshotIsOnTheLedger: what is kept of an index of so many files is counted,
// and given back when they are gone.
func TestSnapshotIsOnTheLedger(t *testing.T) {
	w, rng := newWorld(t), rand.New(rand.NewPCG(64, 0))
	var made []file
	for i := range 200 {
		made = append(made, file{fmt.Sprintf("%s/f%03d.md", root, i), randomText(rng, 1), on(1, 1)})
	}
	w.add(made...)
	held := func() (bytes int64, files []*store.File) {
		w.view(func(_ *store.Tx, s *Snapshot) error {
			files = s.Files
			return nil
		})
		for _, pool := range w.ledger.Snapshot() {
			if pool.Name == "search.snapshot" {
				bytes = pool.Bytes
			}
		}
		return bytes, files
	}
	all, files := held()
	if least := int64(len(files)) * bytesOf(files[0]); all < least || all > 4*least {
		t.Errorf("%d bytes are held of %d files, at least %d", all, len(files), least)
	}
	gone := files[len(files)/2:]
	for _, f := range gone {
		w.remove(f.Path)
	}
	half, left := held()
	if given := int64(len(gone)) * bytesOf(files[0]) * 9 / 10; half > all-given || half < all/4 || len(left) != len(files)/2 {
		t.Errorf("%d bytes are held of half of the files, of all %d, at least %d more", half, all, given)
	}
	w.index.Drop()
	for _, pool := range w.ledger.Snapshot() {
		if pool.Bytes != 0 {
			t.Errorf("%d bytes of %s are held at the end", pool.Bytes, pool.Name)
		}
	}
}
