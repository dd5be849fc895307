package snapshot

import (
	"sync"

	"dowse/store"
)

// recordChunks bounds the records of chunks kept between searches: 24 bytes each.
const recordChunks = 1 << 16

// records keeps where chunks stand in their files, across searches: reading
// them takes a third of the time of a search that recomputes nothing. What the
// index knows of a file never changes under its id.
type records struct {
	mu     sync.Mutex
	files  map[uint32][]store.Chunk
	chunks int
}

// Records notes where the chunks of files stand in them.
func (x *Index) Records(tx *store.Tx, files []uint32, into map[uint32][]store.Chunk) error {
	return tx.EachChunks(x.cached.known(files, into), func(file uint32, chunks []store.Chunk) error {
		into[file] = chunks
		x.cached.put(file, chunks)
		return nil
	})
}

// known moves the files that are known from missing to into, and returns the
// others.
func (r *records) known(missing []uint32, into map[uint32][]store.Chunk) (others []uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, file := range missing {
		if chunks, known := r.files[file]; known {
			into[file] = chunks
		} else {
			others = append(others, file)
		}
	}
	return others
}

// put keeps the chunks of a file. When there is no room, it begins anew.
func (r *records) put(file uint32, chunks []store.Chunk) {
	if len(chunks) > recordChunks/16 {
		return // a file that would push out all others
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.files[file]; known {
		return
	}
	if r.files == nil || r.chunks+len(chunks) > recordChunks {
		r.files, r.chunks = map[uint32][]store.Chunk{}, 0
	}
	r.files[file] = chunks
	r.chunks += len(chunks)
}
