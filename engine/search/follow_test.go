package search

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
	var current *snapshot
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

func checkEqualSnapshots(t *testing.T, step int, tx *store.Tx, got, want *snapshot, rng *rand.Rand) {
	t.Helper()
	if got.commit != want.commit || got.chunks != want.chunks || got.size != want.size || got.held != want.held || got.errors != want.errors {
		t.Errorf("step %d: %+v, want %+v", step, got, want)
	}
	if !reflect.DeepEqual(got.files, want.files) && len(want.files) > 0 {
		t.Errorf("step %d: files %v, want %v", step, got.files, want.files)
	}
	if !reflect.DeepEqual(got.spans, want.spans) && len(want.spans) > 0 {
		t.Errorf("step %d: spans %v, want %v", step, got.spans, want.spans)
	}
	if g, w := members(got.live), members(want.live); !reflect.DeepEqual(g, w) {
		t.Errorf("step %d: chunks %v live, want %v", step, g, w)
	}
	if got.collection.Stats() != want.collection.Stats() {
		t.Errorf("step %d: %+v, want %+v", step, got.collection.Stats(), want.collection.Stats())
	}
	q := lexical.NewAnalyzer().Query(randomText(rng, 2))
	g, err := got.collection.Search(t.Context(), tx.Postings(), q, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := want.collection.Search(t.Context(), tx.Postings(), q, 30, nil)
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
