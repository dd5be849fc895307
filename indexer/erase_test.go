package indexer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/indexer"
	"dowse/internal/testwait"
	"dowse/store"
)

// secretName is stored byte for byte, because packing would lengthen it.
const secretName = "d1/\u017e\u0178\u0159\u0178\u017e\u0159\u0178\u017e\u0159.md"

// erasing makes the indexer one that erases after so long.
func (b *bench) erasing(after time.Duration) {
	opts := b.options()
	opts.EraseAfter = after
	b.index = indexer.New(opts)
}

// onDisk reports which traces of a text the file of the index holds.
func (b *bench) onDisk(traces map[string][]byte) (found []string) {
	b.t.Helper()
	file, err := os.ReadFile(b.db.Path())
	b.must(err)
	for what, trace := range traces {
		if bytes.Contains(file, trace) {
			found = append(found, what)
		}
	}
	return found
}

// traces returns the bytes of a file's name and of the vectors of texts.
func traces(texts []string) map[string][]byte {
	all := map[string][]byte{"its name": []byte(strings.TrimSuffix(strings.TrimPrefix(secretName, "d1/"), ".md"))}
	for _, text := range texts {
		var raw []byte
		for _, x := range fakeVector(text) {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		all["a vector"] = raw
	}
	return all
}

// secret adds a file under watch and returns what is to be erased of it.
func (b *bench) secret(f folder, s sections) map[string][]byte {
	b.t.Helper()
	b.until("all others have codes", func(c store.Counts) bool { return b.meant() && c.Vectors == 0 })
	b.embed.take()
	f[secretName] = s
	b.write(secretName, s.text())
	b.until("the secret is indexed", func(store.Counts) bool { return len(b.chunks()[b.path(secretName)]) > 0 && b.meant() })
	all := traces(b.embed.take())
	if found := b.onDisk(all); len(found) != len(all) {
		b.t.Fatalf("the index holds %v of the secret: the test tests little", found)
	}
	return all
}

// nothingLeft checks that codes and postings know live chunks alone.
func (b *bench) nothingLeft(dead []uint32) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		codes, err := vectorIndex.HasCodes(layout.VectorIndex{Tx: tx}, dead)
		if err != nil || len(codes) > 0 {
			b.t.Errorf("%d deleted chunks have codes (%v)", len(codes), err)
		}
		live := lexical.NewSet(tx.NextChunk())
		if err := tx.LiveChunks(func(first, n uint32) error { live.AddRange(first, n); return nil }); err != nil {
			return err
		}
		c, err := lexical.NewCollection(tx.Postings(), live)
		if err == nil && c.Stats().Tombstones > 0 {
			b.t.Errorf("postings know %d deleted chunks", c.Stats().Tombstones)
		}
		return err
	}))
}

// chunkIDs returns the ids of a file's chunks.
func (b *bench) chunkIDs(name string) (ids []uint32) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		f, err := tx.FileByPath(b.path(name))
		for _, id := range f.IDs.All() {
			ids = append(ids, id)
		}
		return err
	}))
	return ids
}

// TestDeletedTextLeavesTheDisk: a while after files were deleted under watch,
// their vectors, codes and postings are not in the index's file any more, nor
// in its free pages.
func TestDeletedTextLeavesTheDisk(t *testing.T) {
	b, rng := newBench(t), seeded(t, 206)
	b.erasing(time.Millisecond)
	f := b.fill(rng)
	b.watching()
	quantized := f.name(rng)
	dead := b.chunkIDs(quantized)
	all := b.secret(f, newSections(rng, 3))
	b.must(os.Remove(b.path(secretName)))
	b.must(os.Remove(b.path(quantized)))
	b.until("the files are gone", func(store.Counts) bool { return len(b.chunks()) == len(f)-2 })
	b.until("their traces are gone", func(store.Counts) bool { return len(b.onDisk(all)) == 0 && !b.hasTraces() })
	b.nothingLeft(dead)
	b.check()
}

// hasTraces reports whether the index says that it holds traces.
func (b *bench) hasTraces() (has bool) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		since, err := tx.Meta("indexer.traces")
		has = since != nil
		return err
	}))
	return has
}

// TestNextRunErases: what a process did not live to erase, the next one does,
// and a run that changed nothing writes nothing.
func TestNextRunErases(t *testing.T) {
	b, rng := newBench(t), seeded(t, 207)
	b.erasing(time.Hour)
	f := b.fill(rng)
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- b.index.Watch(ctx, []string{b.root}, func() { close(ready) }) }()
	<-ready
	all := b.secret(f, newSections(rng, 3))
	b.must(os.Remove(b.path(secretName)))
	b.until("the file is gone", func(store.Counts) bool { return len(b.chunks()) == len(f)-1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if found := b.onDisk(all); len(found) == 0 || !b.hasTraces() {
		t.Fatal("nothing was left to erase: the test tests little")
	}
	b.erasing(time.Hour)
	b.run()
	if found := b.onDisk(all); len(found) > 0 || b.hasTraces() {
		t.Errorf("the next run left %v", found)
	}
	before, err := os.Stat(b.db.Path())
	b.must(err)
	b.run()
	after, err := os.Stat(b.db.Path())
	if b.must(err); !os.SameFile(before, after) {
		t.Error("a run without changes wrote the file anew")
	}
}

// TestWaitingForARunEndsWithContext: who waits for another run may give up.
func TestWaitingForARunEndsWithContext(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "unicorn\n")
	hangs, goes := make(chan struct{}), make(chan struct{})
	opts := b.options()
	opts.Embedder = hanging{b.embed, hangs, goes}
	b.index = indexer.New(opts)
	first := make(chan error, 1)
	go func() {
		_, err := b.index.Run(t.Context(), []string{b.root})
		first <- err
	}()
	<-hangs
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	waiting := make(chan error, 2)
	go func() {
		_, err := b.index.Run(ctx, nil)
		waiting <- err
	}()
	go func() { waiting <- b.index.Watch(ctx, nil, nil) }()
	for range 2 {
		select {
		case err := <-waiting:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		case <-time.After(testwait.Patience):
			t.Error("a cancelled call waits for another one")
		}
	}
	close(goes)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// hanging does not answer until it is let go.
type hanging struct {
	*fakeEmbedder
	hangs, goes chan struct{}
}

func (h hanging) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	close(h.hangs)
	<-h.goes
	return h.fakeEmbedder.EmbedDocuments(ctx, texts)
}
