package indexer_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"testing"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// long writes a file of more chunks than are embedded at a time, and returns
// how many it has at least.
func (b *bench) long(name string, rng *rand.Rand) int {
	b.t.Helper()
	const sections = 1350
	b.write(name, newSections(rng, sections).text())
	return sections
}

// TestEmbeddingIsResumed interrupts a run in the middle of one file, again and
// again: words find all of it from the first run on, what was embedded is embedded once,
// but for the step under way, and the end is the same.
func TestEmbeddingIsResumed(t *testing.T) {
	const step = 512
	b := newBench(t)
	least := b.long("long.md", seeded(t, 401))
	b.write("short.md", "a unicorn\n")
	interrupted, embedded := 0, 0
	for b.embed.most = 700; ; b.embed.most += 100 {
		_, err := b.index.Run(t.Context(), []string{b.root})
		embedded += len(b.embed.take())
		if err == nil {
			break
		}
		if interrupted++; !errors.Is(err, errTired) || interrupted > 5 {
			t.Fatalf("run %d: %v", interrupted, err)
		}
		b.check()
		if files := b.files(); len(files) != 2 || files["short.md"] != 1 {
			t.Errorf("run %d left %v in the index", interrupted, files)
		}
	}
	chunks := b.counts().Chunks
	if chunks < least || interrupted < 2 {
		t.Fatalf("%d chunks, %d interruptions", chunks, interrupted)
	}
	if again := embedded - chunks; again > interrupted*step {
		t.Errorf("of %d chunks %d were embedded again after %d interruptions", chunks, again, interrupted)
	}
	b.embed.most = 0
	other := b.rebuilt()
	b.sameAs(other)
	b.sameVectors(other)
}

// TestCancelledEmbeddingIsResumed cancels a run in the middle of one file.
func TestCancelledEmbeddingIsResumed(t *testing.T) {
	b := newBench(t)
	b.long("long.md", seeded(t, 402))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.embed.onEmbed = func(total int) {
		if total > 1100 {
			cancel()
		}
	}
	_, err := b.index.Run(ctx, []string{b.root})
	before := len(b.embed.take())
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v after %d chunks", err, before)
	}
	b.embed.onEmbed = nil
	r := b.run()
	if again := before + len(b.embed.take()) - r.Chunks; again > 512 {
		t.Errorf("%d chunks were embedded again", again)
	}
}

// TestHalfEmbeddedFileChanges changes, and removes, a file that was not embedded
// to its end: the vectors that it has serve the new version.
func TestHalfEmbeddedFileChanges(t *testing.T) {
	b, rng := newBench(t), seeded(t, 403)
	b.long("long.md", rng)
	b.embed.most = 1200
	if _, err := b.index.Run(t.Context(), []string{b.root}); !errors.Is(err, errTired) {
		t.Fatal(err)
	}
	b.embed.take()
	b.embed.most = 0
	f, err := os.OpenFile(b.path("long.md"), os.O_APPEND|os.O_WRONLY, 0)
	b.must(err)
	_, err = f.WriteString(section(rng))
	b.must(errors.Join(err, f.Close()))
	r := b.run()
	if n := len(b.embed.take()); n > r.Chunks-1000 {
		t.Errorf("%d of %d chunks were embedded again after something was appended", n, r.Chunks)
	}

	b.long("other.md", rng)
	b.embed.most = 1200
	if _, err := b.index.Run(t.Context(), nil); !errors.Is(err, errTired) {
		t.Fatal(err)
	}
	b.must(os.Remove(b.path("other.md")))
	b.embed.take()
	b.run()
}

// sameVectors compares the codebooks and codes of two indexes.
func (b *bench) sameVectors(other *bench) {
	b.t.Helper()
	for _, part := range []leann.Part{leann.Books, leann.CodeRuns} {
		got, want := b.blocks(part), other.blocks(part)
		if len(want) == 0 || !maps.EqualFunc(got, want, bytes.Equal) {
			b.t.Errorf("part %d: %d blocks, want %d that are the same", part, len(got), len(want))
		}
	}
}

func (b *bench) blocks(part leann.Part) map[uint32][]byte {
	b.t.Helper()
	all := map[uint32][]byte{}
	b.must(b.db.View(func(tx *store.Tx) error {
		return layout.VectorIndex{Tx: tx}.EachBlock(part, func(key uint32, value []byte) error {
			all[key] = bytes.Clone(value)
			return nil
		})
	}))
	return all
}

// TestWhatCannotBeEmbeddedIsTriedAgain: a file that is not as it was indexed when its turn comes gets its
// vectors once it is, whatever was embedded meanwhile.
func TestWhatCannotBeEmbeddedIsTriedAgain(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "a unicorn\n")
	b.write("b.md", "a horse\n")
	b.embed.err = errTired
	if _, err := b.index.Run(t.Context(), []string{b.root}); !errors.Is(err, errTired) {
		t.Fatal(err)
	}
	b.embed.err = nil
	b.write("a.md", "another thing\n")
	b.follow(b.path("b.md"))
	b.write("c.md", "a cow\n")
	b.follow(b.path("c.md"))
	if n := b.counts().Vectors; n != 2 || b.meant() {
		t.Errorf("%d vectors, all: %v", n, b.meant())
	}
	b.write("a.md", "a unicorn\n")
	b.follow(b.path("a.md"))
	if n := b.counts().Vectors; n != 3 || !b.meant() {
		t.Errorf("%d vectors once the file is as it was, all: %v", n, b.meant())
	}
}
