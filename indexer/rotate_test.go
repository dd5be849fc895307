package indexer_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/leann"
)

// TestRotationComesWithSize has an index grow over the size from which codebooks have a
// rotation: until then nothing is coded anew, then everything is, once, and searches find
// the same before, after and in an index that was as large from the first.
func TestRotationComesWithSize(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers, for half a minute where memory is watched")
	}
	b, rng := newBench(t), seeded(t, 611)
	f := b.fill(rng)
	first := b.run(b.root).Chunks
	line := first + 60
	b.index.RotateFrom(line)
	if rotated(b) != "plain" {
		t.Fatalf("%d chunks have codebooks %q", first, rotated(b))
	}
	chunks := first
	for i := 0; chunks < line; i++ {
		b.embed.take()
		b.must(b.index.Recode(t.Context()))
		if n := len(b.embed.take()); n != 0 || rotated(b) != "plain" {
			t.Fatalf("of %d chunks, fewer than %d: %d were embedded again, codebooks %q", chunks, line, n, rotated(b))
		}
		name := fmt.Sprintf("more/%d.md", i)
		f[name] = newSections(rng, 60)
		b.write(name, f[name].text())
		chunks = b.run().Chunks
	}
	before := b.exactly(f)
	b.embed.take()
	b.must(b.index.Recode(t.Context()))
	if n := len(b.embed.take()); n < chunks || n > 3*chunks || rotated(b) != "plain rotated" {
		t.Errorf("%d of %d texts were embedded for codebooks %q", n, chunks, rotated(b))
	}
	for key, block := range b.blocks(leann.CodeRuns) {
		if block[1] != 1 {
			t.Errorf("block %d has codes of book %d", key, block[1])
		}
	}
	b.quantized(chunks)
	b.check()
	if after := b.exactly(f); !slices.Equal(before, after) {
		t.Errorf("searches that recompute everything gave\n%v, and now\n%v", before, after)
	}
	b.searchesLike(b.rebuilt(), f)
	b.embed.take()
	b.must(b.index.Recode(t.Context()))
	if n := len(b.embed.take()); n != 0 {
		t.Errorf("%d texts were embedded by another run", n)
	}
}

// rotated names the codebooks by their lengths: a rotation of so few dimensions adds
// fakeDim*(fakeDim+4) bytes.
func rotated(b *bench) string {
	books := b.blocks(leann.Books)
	var names []string
	for _, key := range slices.Sorted(maps.Keys(books)) {
		name := "plain"
		if len(books[key]) >= len(books[0])+fakeDim*(fakeDim+4) {
			name = "rotated"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// exactly searches by meaning with all vectors recomputed.
func (b *bench) exactly(f folder) (found []string) {
	b.t.Helper()
	e := b.engine(1 << 20)
	for i, name := range slices.Sorted(maps.Keys(f)) {
		if i%20 != 0 {
			continue
		}
		r, err := e.Search(b.t.Context(), engine.Request{Query: strings.Join(strings.Fields(f[name][0])[3:6], " "), Mode: engine.Vector, K: 20}, nil)
		b.must(err)
		found = append(found, ranking(r)...)
	}
	return found
}
