package lexical_test

import (
	"context"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

func (w *world) tidy() (merged int) {
	w.t.Helper()
	merged, err := lexical.MergeAll(context.Background(), w.store, w.live())
	if err != nil {
		w.t.Fatal(err)
	}
	return merged
}

func TestMergeAll(t *testing.T) {
	w := newWorld(t, 21)
	if merged := w.tidy(); merged != 0 {
		t.Errorf("merged %d segments of none", merged)
	}
	for range 5 {
		w.batch(40)
		w.kill(0.1)
	}
	if merged := w.tidy(); merged != 5 {
		t.Errorf("merged %d segments, want 5", merged)
	}
	w.compare(20)
	w.check()
	w.batch(1)
	if merged := w.tidy(); merged != 0 {
		t.Errorf("rewrote the index for one chunk of %d", len(w.documents))
	}
	w.batch(60)
	if merged := w.tidy(); merged != 3 {
		t.Errorf("merged %d segments, want 3", merged)
	}
	w.compare(20)
	w.check()
}

// TestTermsThatKeysDoNotAllow holds that what an Analyzer never gives is
// refused, not written so that it cannot be found.
func TestTermsThatKeysDoNotAllow(t *testing.T) {
	for _, term := range []string{"", "a\x00b", strings.Repeat("a", 65)} {
		b := lexical.NewBuilder()
		b.Add(1, []string{"word", term})
		if _, err := b.Write(newMemoryStore()); err == nil {
			t.Errorf("term %q was written", term)
		}
	}
}
