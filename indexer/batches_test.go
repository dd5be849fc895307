package indexer_test

import (
	"errors"
	"fmt"
	"testing"

	"dowse/engine"
	"dowse/store"
)

// TestLastBatchIsSmall looks at the batches of a folder: they grow from one to the next, and shrink towards the end, where
// nothing else is left to do while one is committed.
func TestLastBatchIsSmall(t *testing.T) {
	const files, most = 600, 32
	b := newBench(t)
	for i := range files {
		b.write(fmt.Sprintf("%d.md", i), fmt.Sprintf("note %d\n", i))
	}
	var batches []int
	b.onEvent = func(e engine.Event) {
		if e.Changed != nil && e.Changed.Added > 0 {
			batches = append(batches, e.Changed.Added)
		}
	}
	b.run(b.root)
	sum := 0
	for _, n := range batches {
		sum += n
	}
	if last := batches[len(batches)-1]; sum != files || last > most {
		t.Errorf("batches of %v files", batches)
	}
}

// segments counts those of the postings.
func (b *bench) segments() (n int) {
	b.t.Helper()
	err := b.db.View(func(tx *store.Tx) error {
		all, err := tx.Postings().Segments()
		n = len(all)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestMergesComeBehindWords adds files whose vectors cannot be computed: their segments wait to be merged, and stay few.
func TestMergesComeBehindWords(t *testing.T) {
	const least, bound, due = 32, 64, 8
	b := newBench(t)
	most := 0
	for i := range bound + 4 {
		b.embed.err = errTired
		b.write(fmt.Sprintf("%d.md", i), fmt.Sprintf("unicorn%d grazes\n", i))
		if _, err := b.index.Run(t.Context(), []string{b.root}); !errors.Is(err, errTired) {
			t.Fatalf("run %d: %v", i, err)
		}
		most = max(most, b.segments())
	}
	b.check()
	if most < least || most > bound {
		t.Errorf("as many as %d segments", most)
	}
	b.embed.err = nil
	b.run()
	if n := b.segments(); n >= due {
		t.Errorf("%d segments in the end", n)
	}
	b.check()
}
