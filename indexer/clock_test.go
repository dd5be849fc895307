package indexer_test

import (
	"testing"

	"dowse/indexer"
)

// TestClock sums up what the stages of a run take.
func TestClock(t *testing.T) {
	b, clock := newBench(t), &indexer.Clock{}
	b.write("a.txt", "unicorn one")
	b.write("b.txt", "unicorn two")
	_, err := b.another(indexer.Options{Threads: 2, Clock: clock}).Run(t.Context(), []string{b.root})
	b.must(err)
	if at := clock.Times(); at.Extract <= 0 || at.Cut <= 0 || at.Embed <= 0 || at.Commit <= 0 || at.Compress <= 0 {
		t.Errorf("%+v", at)
	}
}
