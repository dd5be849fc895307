package indexer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/indexer"
	"dowse/store"
)

// TestRecode has an index grow to more than four times the chunks that its codebook was
// trained for, by runs each of which adds less than there was. Recoding is ended in the
// middle of each step: the index is sound, its codes are the old ones to the last, and the
// next process goes on where it was.
func TestRecode(t *testing.T) {
	if testing.Short() {
		t.Skip("one change after the other: nothing for the race detector")
	}
	b, rng := newBench(t), seeded(t, 501)
	b.fill(rng)
	first := b.run(b.root).Chunks
	chunks, most := first, 4*first+100
	for step := 0; chunks < most; step++ {
		for to := min(chunks*19/10, most); chunks < to; chunks += 100 {
			b.write(fmt.Sprintf("more%d/%d.md", step, chunks), strings.ReplaceAll(newSections(rng, 100).text(), "end.", "end. It was a long day."))
		}
		chunks = b.run().Chunks
	}
	old, model := b.blocks(leann.CodeRuns), b.model()
	if books := b.blocks(leann.Books); len(books) != 1 || len(old) != 2 {
		t.Fatalf("%d codebooks, %d blocks", len(books), len(old))
	}
	quiet := 0
	for _, c := range []struct{ embedded, books, next int }{
		{chunks / 2, 1, 0},    // while it trains
		{chunks + 3000, 2, 0}, // in the first block
		{4096 + 300, 2, 1},    // in the second
		{1 << 30, 2, 0},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		b.embed.take()
		b.embed.onEmbed = func(total int) {
			b.noView("texts are embedded again")
			if total > c.embedded {
				cancel()
			}
		}
		options := b.options()
		options.Quiet = func(ctx context.Context) error { quiet++; return ctx.Err() }
		err := indexer.New(options).Recode(ctx)
		cancel()
		b.check()
		if books, next := len(b.blocks(leann.Books)), len(b.blocks(leann.NextRuns)); books != c.books || next != c.next {
			t.Errorf("after %d texts there are %d codebooks, %d blocks wait", c.embedded, books, next)
		}
		if c.embedded == 1<<30 {
			b.must(err)
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d texts: %v", c.embedded, err)
		}
		if !maps.EqualFunc(old, b.blocks(leann.CodeRuns), bytes.Equal) || b.model() != model {
			t.Errorf("after %d texts searches see other codes", c.embedded)
		}
	}
	b.embed.onEmbed = nil
	for key, value := range b.blocks(leann.CodeRuns) {
		if value[1] != 1 {
			t.Errorf("block %d has codes of book %d", key, value[1])
		}
	}
	if b.model() == model || quiet < chunks/32 {
		t.Errorf("errors %+v as before, %d looks at whether somebody searches", model, quiet)
	}
	b.embed.take()
	if err := b.index.Recode(t.Context()); err != nil || len(b.embed.take()) != 0 {
		t.Errorf("there is more to do, %v", err)
	}
}

// model reads the error model of estimates.
func (b *bench) model() (m leann.ErrorModel) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) (err error) {
		m, err = layout.Errors(tx)
		return err
	}))
	return m
}
