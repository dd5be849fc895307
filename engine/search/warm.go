package search

import (
	"cmp"
	"context"
	"slices"
	"time"

	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Bounds of warming: a batch is over before anybody waits for it, and as much
// time again is left to others.
const (
	warmBatch = 16
	warmAgain = 10 * time.Second // look for new chunks this often
)

// Warm recomputes the vectors of chunks before anybody asks, those of the
// files changed last first, as many as the memo holds, and goes on with what
// is indexed later, until ctx ends. It yields to searches. It is for a
// process that stays, such as one that watches.
func (e *Engine) Warm(ctx context.Context) error {
	done := map[uint32]uint32{} // chunk -> file; another file may get the chunk's id later
	for {
		chunks, err := e.cold(done)
		if err != nil {
			return err
		}
		for batch := range slices.Chunk(chunks, warmBatch) {
			if e.memo.Full() {
				return nil
			}
			start := time.Now()
			if err := e.warm(ctx, batch); err != nil {
				return err
			}
			for _, c := range batch {
				done[c.chunk] = c.file
			}
			if err := e.rest(ctx, time.Since(start)); err != nil {
				return err
			}
		}
		if err := e.rest(ctx, warmAgain); err != nil {
			return err
		}
	}
}

// Quiet blocks until no search is under way, or ctx ends.
func (e *Engine) Quiet(ctx context.Context) error { return e.rest(ctx, 0) }

// rest waits, and then until no search is under way.
func (e *Engine) rest(ctx context.Context, d time.Duration) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d):
		}
		if e.searching.Load() == 0 {
			return nil
		}
		d = 50 * time.Millisecond
	}
}

// coldChunk is a chunk of a file, both by id.
type coldChunk struct{ chunk, file uint32 }

// cold lists the chunks without a stored vector that were not warmed yet.
func (e *Engine) cold(done map[uint32]uint32) (chunks []coldChunk, err error) {
	err = e.opts.Store.View(func(tx *store.Tx) error {
		snap, err := e.index.At(tx)
		if err != nil {
			return err
		}
		files := slices.Clone(snap.Files)
		slices.SortStableFunc(files, func(a, b *store.File) int { return cmp.Compare(b.Time(), a.Time()) })
		fresh := map[uint32]bool{}
		err = tx.Vectors(func(first uint32, raw []byte) error {
			for i := range len(raw) / (4 * e.opts.Vectors.Dim) {
				fresh[first+uint32(i)] = true
			}
			return nil
		})
		for _, f := range files {
			if !snapshot.HasVectors(f) {
				continue
			}
			for _, chunk := range f.IDs.All() {
				if file, warm := done[chunk]; !fresh[chunk] && (!warm || file != f.ID) {
					chunks = append(chunks, coldChunk{chunk, f.ID})
				}
			}
		}
		return err
	})
	return chunks, err
}

// warm recomputes a few vectors.
func (e *Engine) warm(ctx context.Context, batch []coldChunk) error {
	chunks := make([]uint32, len(batch))
	for i, c := range batch {
		chunks[i] = c.chunk
	}
	c, err := e.source.Copy(chunks)
	if err != nil {
		return err
	}
	chunks = slices.DeleteFunc(chunks, func(chunk uint32) bool { return !c.Snap.Live.Has(chunk) })
	if len(chunks) == 0 {
		return nil
	}
	r := e.newRecomputer(c)
	vectors, ok := make([]float32, len(chunks)*e.opts.Vectors.Dim), make([]bool, len(chunks))
	return r.Vectors(ctx, chunks, vectors, ok)
}
