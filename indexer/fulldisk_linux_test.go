package indexer_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dowse/indexer"
	"dowse/internal/testenv"
	"dowse/internal/testwait"
	"dowse/store"
)

// TestWatchWaitsForAFullDisk: a first comparison for which there is no room is told of once and tried again, and
// nothing is lost meanwhile. One run fails.
func TestWatchWaitsForAFullDisk(t *testing.T) {
	disk := testenv.SmallDisk(t, "4m")
	db, err := store.Open(filepath.Join(disk, "index.db"), store.Options{Fingerprint: "test"})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.must(b.db.Close())
	b.db = db
	b.index = indexer.New(b.options())
	b.index.RescanAfter(20 * time.Millisecond)
	b.write("first.md", "unicorn\n")
	b.run(b.root)
	want := map[string]int{"first.md": 1, "late.md": 1}
	for i := range 40 {
		name := fmt.Sprintf("%d.md", i)
		want[name] = 1
		b.write(name, "unicorn\n"+strings.Repeat(fmt.Sprintf("Some words of note %d, of which each one is another. ", i), 500)+"\n")
	}
	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	if _, err := b.index.Run(t.Context(), nil); !errors.Is(err, store.ErrNoSpace) {
		t.Fatalf("a run ended with %v", err)
	}
	b.problems()
	b.watching()
	told := b.problems()
	if len(told) != 1 || !strings.Contains(told[0], "cannot be indexed yet, and will be tried again: no space left for the index: the disk of "+db.Path()+" is full") {
		t.Errorf("told %q", told)
	}
	if b.index.Blocked() != told[0] {
		t.Errorf("blocked: %q", b.index.Blocked())
	}
	b.write("late.md", "unicorn\n")
	testwait.Moment(200 * time.Millisecond) // some tries
	if told := b.problems(); len(told) != 0 {
		t.Errorf("told again %q", told)
	}
	if b.files()["first.md"] != 1 {
		t.Error("what was indexed is lost")
	}
	b.must(os.Remove(filler))
	b.eventually("there is room", want)
	testwait.Until(t, "nothing waits", func() bool { return b.index.Blocked() == "" })
}

// fill takes all room of a disk.
func fill(t *testing.T, path string) {
	t.Helper()
	data := make([]byte, 16<<20)
	if err := os.WriteFile(path, data, 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk took %d bytes: %v", len(data), err)
	}
}
