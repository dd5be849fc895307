package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Bounds of warming: a batch is over before anybody waits for it, and as much
// time again is left to others.
const (
	warmBatch = 16
	warmKeep  = 4 * warmBatch    // vectors kept in one transaction
	warmAgain = 10 * time.Second // look for new chunks this often
)

// Vectors that nobody asked for may take 1/aheadShare of the text, or aheadLeast bytes: an index stays a fraction
// of its text where that is small.
const (
	aheadShare = 20
	aheadLeast = 64 << 10
)

// Warm keeps in the index the vectors that searches ask for, and computes others ahead, those of the
// files changed last first, a share of what Options.Kept holds, until ctx ends. What is kept outlives the
// process, and is never computed again as long as its text stays; where room is short, what searches
// asked for takes it. Warm yields to searches, and computes nothing ahead while Options.Waits says so. It
// is for a process that stays, such as one that watches.
func (e *Engine) Warm(ctx context.Context) (err error) {
	if e.opts.Kept <= 0 {
		return nil
	}
	defer func() { err = errors.Join(err, e.keepVectors(e.asks.take())) }() // what was asked for last
	done := map[uint32]uint32{}                                             // chunk -> file; another file may get the chunk's id later
	for commit := uint64(0); ; {
		if err := e.keepVectors(e.asks.take()); err != nil {
			return err
		}
		at, chunks, err := e.cold(commit, done)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(chunks, warmKeep) {
			if e.opts.Waits != nil && e.opts.Waits() {
				at = commit // the rest is looked for again
				break
			}
			if err := e.warm(ctx, some, done); err != nil {
				return err
			}
		}
		commit = at
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

// cold lists the chunks without a stored vector that were not warmed yet, as many as there is room
// for; none in a commit that was looked at before. It returns the commit.
func (e *Engine) cold(before uint64, done map[uint32]uint32) (commit uint64, chunks []coldChunk, err error) {
	err = e.opts.Store.View(func(tx *store.Tx) error {
		snap, err := e.index.At(tx)
		if err != nil || snap.Commit == before {
			return err
		}
		known := map[uint32]bool{}
		if err := leann.EachKept(snapshot.SoundVectors(tx), func(chunk uint32, _ int) { known[chunk] = true }); err != nil {
			return err
		}
		counts, err := tx.Counts()
		if err != nil {
			return err
		}
		room := min(e.keptRoom(), leann.KeptRoom(max(counts.TextBytes/aheadShare, aheadLeast), e.opts.Vectors.Dim)) - len(known)
		err = tx.Vectors(func(first uint32, raw []byte) error {
			for i := range len(raw) / (4 * e.opts.Vectors.Dim) {
				known[first+uint32(i)] = true
			}
			return nil
		})
		files := slices.Clone(snap.Files)
		slices.SortStableFunc(files, func(a, b *store.File) int { return cmp.Compare(b.Time(), a.Time()) })
		for _, f := range files {
			if !snapshot.HasVectors(f) {
				continue
			}
			for _, chunk := range f.IDs.All() {
				if len(chunks) >= room {
					break
				}
				if file, warm := done[chunk]; !known[chunk] && (!warm || file != f.ID) {
					chunks = append(chunks, coldChunk{chunk, f.ID})
				}
			}
		}
		commit = snap.Commit
		return err
	})
	return cmp.Or(commit, before), chunks, err
}

// keptRoom is how many vectors are kept.
func (e *Engine) keptRoom() int { return leann.KeptRoom(e.opts.Kept, e.opts.Vectors.Dim) }

// warm computes vectors, a few at a time, and keeps them.
func (e *Engine) warm(ctx context.Context, chunks []coldChunk, done map[uint32]uint32) error {
	var list []leann.Kept
	for batch := range slices.Chunk(chunks, warmBatch) {
		start := time.Now()
		more, err := e.ahead(ctx, batch)
		if err == nil {
			list = append(list, more...)
			for _, c := range batch {
				done[c.chunk] = c.file
			}
			err = e.rest(ctx, time.Since(start))
		}
		if err != nil {
			return errors.Join(err, e.keepVectors(list))
		}
	}
	return e.keepVectors(list)
}

// ahead computes the vectors of a few chunks.
func (e *Engine) ahead(ctx context.Context, batch []coldChunk) ([]leann.Kept, error) {
	chunks := make([]uint32, len(batch))
	for i, c := range batch {
		chunks[i] = c.chunk
	}
	c, err := e.source.Copy(chunks)
	if err != nil {
		return nil, err
	}
	chunks = slices.DeleteFunc(chunks, func(chunk uint32) bool { return !c.Snap.Live.Has(chunk) })
	if len(chunks) == 0 {
		return nil, nil
	}
	r := e.newRecomputer(c)
	r.ahead = true
	dim := e.opts.Vectors.Dim
	vectors, ok := make([]float32, len(chunks)*dim), make([]bool, len(chunks))
	if err := r.Vectors(ctx, chunks, vectors, ok); err != nil {
		return nil, err
	}
	var list []leann.Kept
	for i, chunk := range chunks {
		packed := leann.Pack(vectors[i*dim : (i+1)*dim])
		if !ok[i] || packed == nil {
			continue
		}
		key, err := memoKey(c, chunk)
		if err != nil {
			return nil, err
		}
		list = append(list, leann.Kept{Key: key, Packed: packed})
	}
	return list, nil
}

// keepTries is how often keepVectors looks again after another commit came between.
const keepTries = 3

// keepVectors keeps vectors of chunks that still have the text that they are of. Those that it cannot keep,
// because the index goes on changing, are dropped.
func (e *Engine) keepVectors(list []leann.Kept) error {
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b leann.Kept) int { return cmp.Compare(a.Key.Chunk, b.Key.Chunk) })
	chunks := make([]uint32, len(list))
	for i := range list {
		chunks[i] = list[i].Key.Chunk
	}
	for range keepTries {
		c, err := e.source.Copy(chunks)
		if err != nil {
			return err
		}
		still := slices.DeleteFunc(slices.Clone(list), func(k leann.Kept) bool {
			key, err := memoKey(c, k.Key.Chunk)
			return err != nil || key != k.Key
		})
		kept := false
		err = e.opts.Store.Update(func(tx *store.Tx) error {
			if tx.Commit() != c.Snap.Commit {
				return nil
			}
			kept = true
			_, err := e.opts.Vectors.Keep(layout.VectorIndex{Tx: tx}, still, e.keptRoom())
			return err
		})
		if kept || err != nil {
			return err
		}
	}
	return nil
}
