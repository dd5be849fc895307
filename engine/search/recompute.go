package search

import (
	"context"
	"slices"
	"time"

	"dowse/engine/leann"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// newRecomputer returns one for a commit of the engine's index.
func (e *Engine) newRecomputer(c *passage.Commit) *recomputer {
	return &recomputer{Commit: c, engine: e, reader: c.NewReader()}
}

// recomputer gives the vectors of chunks by embedding their text again, as
// they were embedded when they were indexed, unless they are known from a search before. Because a
// vector never depends on what else is embedded with it, it is the same to
// the last bit.
type recomputer struct {
	*passage.Commit
	engine *Engine
	reader *passage.Reader
	ahead  bool // of any search

	asked, embedded int
	bytes           int64
	reading         time.Duration
	embedding       time.Duration
}

var _ leann.Exact = (*recomputer)(nil)

// Vectors implements leann.Exact. Chunks are read by file, so that each is read
// once.
func (r *recomputer) Vectors(ctx context.Context, chunks []uint32, dst []float32, ok []bool) error {
	r.asked += len(chunks)
	dim := len(dst) / len(chunks)
	var missing []int
	keys := make([]leann.MemoKey, len(chunks))
	for i, chunk := range chunks {
		key, err := memoKey(r.Commit, chunk)
		if err != nil {
			return err
		}
		keys[i] = key
		if ok[i] = r.engine.memo.Get(key, dst[i*dim:(i+1)*dim]); !ok[i] {
			missing = append(missing, i)
		}
	}
	missing = r.known(keys, missing, dst, ok)
	slices.SortFunc(missing, func(a, b int) int { return r.Snap.CompareChunks(chunks[a], chunks[b]) })
	if err := r.embed(ctx, chunks, keys, missing, dst, ok); err != nil {
		return err
	}
	if !r.ahead && r.engine.opts.Kept > 0 {
		r.engine.asks.note(keys, dst, ok)
	}
	return nil
}

// known takes the vectors that the index keeps, and returns which are still missing: what cannot be read
// is computed again.
func (r *recomputer) known(keys []leann.MemoKey, missing []int, dst []float32, ok []bool) (still []int) {
	if len(missing) == 0 || r.engine.opts.Pack != "" { // a pack keeps none
		return missing
	}
	dim := len(dst) / len(keys)
	err := r.engine.opts.Store.View(func(tx *store.Tx) error {
		index := snapshot.Vectors(tx)
		for _, i := range missing {
			vector := dst[i*dim : (i+1)*dim]
			if kept, err := r.engine.opts.Vectors.KeptVector(index, keys[i], vector); err != nil || !kept {
				still = append(still, i)
				continue
			}
			ok[i] = true
			r.engine.memo.Put(keys[i], vector)
		}
		return nil
	})
	if err != nil {
		return slices.DeleteFunc(missing, func(i int) bool { return ok[i] })
	}
	return still
}

// embed computes the missing vectors of chunks that are as they were indexed.
func (r *recomputer) embed(ctx context.Context, chunks []uint32, keys []leann.MemoKey, missing []int, dst []float32, ok []bool) error {
	texts, places, err := r.read(ctx, chunks, missing)
	if err != nil || len(texts) == 0 {
		return err
	}
	clock := time.Now()
	vectors, err := r.engine.opts.Embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		return err
	}
	r.embedding += time.Since(clock)
	r.embedded += len(texts)
	dim := len(dst) / len(chunks)
	for i, at := range places {
		vector := vectors[i*dim : (i+1)*dim]
		copy(dst[at*dim:], vector)
		ok[at] = true
		if !r.ahead {
			r.engine.memo.Put(keys[at], vector)
		}
	}
	return nil
}

// memoKey says what text a chunk is: another one may have had its id before.
func memoKey(c *passage.Commit, chunk uint32) (leann.MemoKey, error) {
	file, place, ok := c.Snap.Place(chunk)
	if !ok {
		return leann.MemoKey{}, nil
	}
	records, err := c.RecordsOf(*file)
	if err != nil || place >= len(records) {
		return leann.MemoKey{}, err
	}
	r := records[place]
	return leann.MemoKey{Chunk: chunk, Hash: r.Hash, Bytes: uint32(r.End - r.Start)}, nil
}

// read returns the texts of the missing chunks that are as they were indexed,
// and which those are.
func (r *recomputer) read(ctx context.Context, chunks []uint32, missing []int) (texts []string, places []int, err error) {
	clock := time.Now()
	defer func() { r.reading += time.Since(clock) }()
	for _, i := range missing {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		text, file, err := r.reader.Embedded(chunks[i])
		if err != nil {
			return nil, nil, err
		}
		if text == "" {
			r.Outdated(file)
			continue
		}
		r.bytes += int64(len(text))
		texts, places = append(texts, text), append(places, i)
	}
	return texts, places, nil
}
