package indexer_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"dowse/store"
)

// TestARunBesideAWatchTellsWhatWasEmbedded: whether the run or the goroutine that embeds beside it came first to what the
// run found.
func TestARunBesideAWatchTellsWhatWasEmbedded(t *testing.T) {
	b := newBench(t)
	b.write("watched/a.md", "unicorn\n")
	top := b.root
	b.root = b.path("watched")
	b.watching()
	b.root = top
	b.until("the first file has its vector", func(store.Counts) bool { return b.meant() })
	for i := range 30 {
		folder := fmt.Sprintf("later%d", i) // of which no event tells
		b.write(filepath.Join(folder, "b.md"), fmt.Sprintf("horse %d\n", i))
		if r := b.run(b.path(folder)); r.Files != 1 || r.Embedded != 1 || !b.meant() {
			t.Fatalf("run %d: %+v, all: %v", i, r, b.meant())
		}
	}
}
