package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/engine/search/snapshot"
	"dowse/store"
)

// embed finds the vectors of the origin: stored ones, recomputed ones, and for chunks whose text
// changed since, the vectors that their codes decode to. Estimates take codes first, and recompute
// vectors of chunks without codes alone.
func (l *likeness) embed(ctx context.Context) error {
	clock := time.Now()
	chunks, dim := l.origin.chunks, l.opts.Vectors.Dim
	known, decoded, err := l.stored()
	if err != nil {
		return err
	}
	if l.req.Estimate {
		if err := l.remember(known); err != nil {
			return err
		}
	}
	var missing []uint32
	for _, chunk := range chunks {
		if known[chunk] == nil && (!l.req.Estimate || decoded[chunk] == nil) {
			missing = append(missing, chunk)
		}
	}
	exact := l.newRecomputer(l.commit)
	if len(missing) > 0 {
		vectors, ok := make([]float32, len(missing)*dim), make([]bool, len(missing))
		if err := exact.Vectors(ctx, missing, vectors, ok); err != nil {
			return err
		}
		for i, chunk := range missing {
			if ok[i] {
				known[chunk] = vectors[i*dim : (i+1)*dim]
			}
		}
	}
	for _, chunk := range chunks {
		if known[chunk] != nil {
			l.vectors = append(l.vectors, known[chunk])
		} else if decoded[chunk] != nil {
			l.vectors = append(l.vectors, decoded[chunk])
		}
	}
	l.rec.stage("embed", clock, len(chunks), len(l.vectors), exact.bytes)
	if len(l.vectors) == 0 {
		return fmt.Errorf("%w: there are neither vectors nor codes of %s, and its text is not the indexed one", store.ErrCorrupt, l.req.Path)
	}
	return nil
}

// stored reads what the index holds of the origin's chunks: vectors, and what codes stand
// for.
func (l *likeness) stored() (known, decoded map[uint32][]float32, err error) {
	known = map[uint32][]float32{}
	err = l.opts.Store.View(func(tx *store.Tx) (err error) {
		if err := l.follow(tx); err != nil {
			return err
		}
		for _, chunk := range l.origin.chunks {
			vector := make([]float32, l.opts.Vectors.Dim)
			switch err := tx.VectorAt(chunk, vector); {
			case err == nil:
				known[chunk] = vector
			case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrCorrupt) && tx.Damage().Vectors:
			default:
				return err
			}
		}
		decoded, err = l.opts.Vectors.Decode(snapshot.SoundVectors(tx), l.origin.chunks)
		return err
	})
	return known, decoded, err
}

// remember adds the vectors of the origin's chunks that were recomputed before.
func (l *likeness) remember(known map[uint32][]float32) error {
	for _, chunk := range l.origin.chunks {
		key, err := memoKey(l.commit, chunk)
		if err != nil {
			return err
		}
		if vector := make([]float32, l.opts.Vectors.Dim); known[chunk] == nil && l.memo.Get(key, vector) {
			known[chunk] = vector
		}
	}
	return nil
}
