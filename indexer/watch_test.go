package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// watching starts Watch and waits until it follows.
func (b *bench) watching() {
	b.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- b.index.Watch(ctx, []string{b.root}, func() { close(ready) }) }()
	b.t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			b.t.Errorf("Watch ended with %v", err)
		}
	})
	select {
	case <-ready:
	case err := <-done:
		b.t.Fatal(err)
	case <-time.After(testwait.Patience):
		b.t.Fatal("the first run did not end")
	}
}

// eventually waits for the index to hold what is wanted. The limit only ends
// a test that would fail; what is asserted is that events alone suffice.
func (b *bench) eventually(what string, want map[string]int) {
	b.t.Helper()
	var got map[string]int
	if !testwait.For(testwait.Patience, func() bool { got = b.files(); return maps.Equal(got, want) }) {
		b.t.Fatalf("%s: the index holds %v, want %v", what, got, want)
	}
}

func TestWatchFollowsEveryKindOfChange(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.watching()
	b.eventually("at first", map[string]int{"a.md": 1})
	b.write("b.md", "horse\n")
	b.eventually("create", map[string]int{"a.md": 1, "b.md": 0})
	b.write("b.md", "a unicorn\n")
	b.eventually("edit", map[string]int{"a.md": 1, "b.md": 1})
	b.write("deep/er/c.md", "unicorn\n")
	b.eventually("create folders", map[string]int{"a.md": 1, "b.md": 1, "deep/er/c.md": 1})
	b.must(os.Rename(b.path("deep"), b.path("moved")))
	b.eventually("rename folder", map[string]int{"a.md": 1, "b.md": 1, "moved/er/c.md": 1})
	b.write("moved/er/d.md", "horse\n")
	b.eventually("create in renamed folder", map[string]int{"a.md": 1, "b.md": 1, "moved/er/c.md": 1, "moved/er/d.md": 0})
	b.must(os.Rename(b.path("a.md"), b.path("z.md")))
	b.eventually("rename file", map[string]int{"z.md": 1, "b.md": 1, "moved/er/c.md": 1, "moved/er/d.md": 0})
	b.must(os.WriteFile(b.path("b.md.tmp~"), []byte("replaced by a horse\n"), 0o600))
	b.must(os.Rename(b.path("b.md.tmp~"), b.path("b.md")))
	b.eventually("save by rename", map[string]int{"z.md": 1, "b.md": 0, "moved/er/c.md": 1, "moved/er/d.md": 0})
	b.write(".ignore", "moved/\n")
	b.eventually("ignore", map[string]int{"z.md": 1, "b.md": 0})
	b.must(os.Remove(b.path(".ignore")))
	b.eventually("no longer ignore", map[string]int{"z.md": 1, "b.md": 0, "moved/er/c.md": 1, "moved/er/d.md": 0})
	b.must(os.RemoveAll(b.path("moved")))
	b.must(os.Remove(b.path("z.md")))
	b.eventually("delete", map[string]int{"b.md": 0})
}

// TestWatchEndsWhereAFreshIndexWould makes random changes quickly and compares
// the outcome with an index built afresh.
func TestWatchEndsWhereAFreshIndexWould(t *testing.T) {
	const seed = 21
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	b := newBench(t)
	b.watching()
	want := map[string]int{}
	name := func() string { return fmt.Sprintf("d%d/e%d/f%d.md", rng.IntN(3), rng.IntN(2), rng.IntN(4)) }
	for range 300 {
		n := name()
		switch rng.IntN(5) {
		case 0, 1:
			b.write(n, "unicorn\n")
			want[n] = 1
		case 2:
			b.write(n, fmt.Sprintf("horse %d\n", rng.IntN(1000)))
			want[n] = 0
		case 3:
			if os.Remove(b.path(n)) == nil {
				delete(want, n)
			}
		case 4:
			to := name()
			b.must(os.MkdirAll(filepath.Dir(b.path(to)), 0o755))
			if to != n && os.Rename(b.path(n), b.path(to)) == nil {
				want[to] = want[n]
				delete(want, n)
			}
		}
		if rng.IntN(10) == 0 {
			testwait.Moment(time.Duration(rng.IntN(60)) * time.Millisecond)
		}
	}
	b.eventually("after 300 random changes", want)
}

func TestWatchFollowsRootsThatArrive(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	b.watching()
	b.eventually("at first", map[string]int{"a.md": 1})
	old := b.root + ".old"

	b.must(os.RemoveAll(b.root))
	b.write("b.md", "unicorn\n")
	b.eventually("deleted and made again", map[string]int{"b.md": 1})
	b.write("sub/c.md", "horse\n")
	b.eventually("change in the new one", map[string]int{"b.md": 1, "sub/c.md": 0})

	b.must(os.Rename(b.root, old))
	b.write("sub/d.md", "unicorn\n")
	b.eventually("moved away and made again", map[string]int{"sub/d.md": 1})
	b.write("sub/e.md", "horse\n")
	b.eventually("change in its folder", map[string]int{"sub/d.md": 1, "sub/e.md": 0})

	b.run(old) // as dowse index does while another process watches
	b.must(os.WriteFile(filepath.Join(old, "late.md"), []byte("a unicorn, late\n"), 0o600))
	beside := "../" + filepath.Base(old) + "/"
	b.eventually("folder added while watching", map[string]int{
		"sub/d.md": 1, "sub/e.md": 0,
		beside + "b.md": 1, beside + "sub/c.md": 0, beside + "late.md": 1,
	})
}
