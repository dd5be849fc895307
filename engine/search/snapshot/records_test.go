package snapshot

import (
	"testing"

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
	others := r.known([]uint32{0, 2998, 2999, 5000}, into)
	if len(others) != 2 || len(into[2999]) != 100 || len(into[2998]) != 99 {
		t.Errorf("%d files are known, not %v", len(into), others)
	}
}

// TestRecordsAreReadOnce: an equal search reads the table of files no more.
func TestRecordsAreReadOnce(t *testing.T) {
	w := birds(t)
	read := func() (noted int) {
		w.view(func(tx *store.Tx, s *Snapshot) error {
			var files []uint32
			for _, f := range s.Files {
				files = append(files, f.ID)
			}
			into := map[uint32][]store.Chunk{}
			err := w.index.Records(tx, files, into)
			noted = len(into)
			return err
		})
		return noted
	}
	first, known := read(), len(w.index.cached.files)
	w.remove(root + "/kingfisher.md")
	if again := read(); first != 3 || again != 2 || known != 3 || len(w.index.cached.files) != known {
		t.Errorf("%d and %d files were noted; the records of %d files were kept, then of %d", first, again, known, len(w.index.cached.files))
	}
}
