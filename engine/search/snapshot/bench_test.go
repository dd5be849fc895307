package snapshot

import (
	"dowse/engine/lexical"
	"dowse/store"
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkSnapshot is what a search of 100,000 files waits for after a commit
// that changed one of them.
func BenchmarkSnapshot(b *testing.B) {
	w := newWorld(b)
	const files, batch = 100_000, 5000
	rng := rand.New(rand.NewPCG(2, 2))
	for n := 0; n < files; n += batch {
		err := w.db.Update(func(tx *store.Tx) error {
			builder := lexical.NewBuilder()
			for i := n; i < n+batch; i++ {
				f := store.File{Path: fmt.Sprintf("%s/d%03d/f%06d.md", root, i%317, i), Root: root}
				if err := tx.PutFile(&f, []store.Chunk{{End: 500}}); err != nil {
					return err
				}
				builder.Add(f.IDs[0].First, w.analyzer.Append(nil, randomText(rng, 1)))
			}
			_, err := builder.Write(tx.Postings())
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	snapshot := func(from *Snapshot) (next *Snapshot) {
		err := w.db.View(func(tx *store.Tx) (err error) {
			if next, err = from.follow(tx); next == nil && err == nil {
				next, err = newSnapshot(tx)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		return next
	}
	current := snapshot(nil)
	for name, follows := range map[string]bool{"anew": false, "followed": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				w.add(file{root + "/changing.md", "draft\n", on(1, 1)})
				if !follows {
					current = nil
				}
				b.StartTimer()
				current = snapshot(current)
			}
		})
	}
}
