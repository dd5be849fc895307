package indexer_test

import (
	"fmt"
	"os"
	"testing"

	"dowse/engine"
)

// TestNoViewIsOpenWhileTextsAreEmbedded: an embedder may be a server that takes minutes, and
// who hears of progress may not read on. Neither holds pages of the index.
func TestNoViewIsOpenWhileTextsAreEmbedded(t *testing.T) {
	b, rng := newBench(t), seeded(t, 211)
	calls := map[string]int{}
	closed := func(what string) {
		calls[what]++
		b.noView(what)
	}
	b.embed.onEmbed = func(int) { closed("embed") }
	b.onEvent = func(engine.Event) { closed("event") }
	f := b.fill(rng)
	b.run(b.root) // with codes and links
	name := f.name(rng)
	b.write(name, f[name].text()+section(rng))
	b.must(os.Remove(b.path(f.name(rng))))
	b.follow()
	closed("end")
	if calls["embed"] < 2 || calls["event"] < 2 {
		t.Error(fmt.Sprint(calls))
	}
}
