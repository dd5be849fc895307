package search

import (
	"testing"

	"dowse/engine"
	"dowse/store"
)

// TestRecordsAreBounded: what is kept between searches has a bound, and one
// long file does not push out the others.
func TestRecordsAreBounded(t *testing.T) {
	var r records
	for file := range uint32(3000) {
		r.put(file, make([]store.Chunk, 1+file%100))
		if r.chunks > recordChunks {
			t.Fatalf("%d chunks are kept", r.chunks)
		}
	}
	r.put(5000, make([]store.Chunk, recordChunks/2))
	into := map[uint32][]store.Chunk{}
	others := r.take([]uint32{0, 2998, 2999, 5000}, into)
	if len(others) != 2 || len(into[2999]) != 100 || len(into[2998]) != 99 {
		t.Errorf("%d files are known, not %v", len(into), others)
	}
}

// TestRecordsAreReadOnce: an equal search reads the table of files no more.
func TestRecordsAreReadOnce(t *testing.T) {
	w := birds(t)
	first := w.search(engine.Request{Query: "heron"})
	known := len(w.Engine.index.cached.files)
	w.unindex(root + "/birds/kingfisher.md")
	again := w.search(engine.Request{Query: "heron"})
	if known != 3 || len(w.Engine.index.cached.files) != known || len(again.Passages) != len(first.Passages)-1 {
		t.Errorf("the records of %d files were kept, then of %d", known, len(w.Engine.index.cached.files))
	}
}
