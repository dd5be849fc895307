package indexer

import (
	"cmp"
	"context"
	"slices"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// reread is a leann.Exact of chunks whose records were copied from the index: it reads their
// text again, by file, and embeds it. It needs no transaction.
type reread struct {
	*Indexer
	paths   []string // of files
	records map[uint32]recordOf
}

// recordOf is what the index knows of a chunk.
type recordOf struct {
	file int // number in paths
	store.Chunk
}

var _ leann.Exact = (*reread)(nil)

// rereadBatch is how many texts are embedded between two looks at whether somebody searches.
const rereadBatch = 32

// newReread copies the records of chunks.
func (ix *Indexer) newReread(tx *store.Tx, chunks []uint32) (*reread, error) {
	r, wanted := &reread{Indexer: ix, records: make(map[uint32]recordOf, len(chunks))}, lexical.NewSet(tx.NextChunk())
	for _, id := range chunks {
		wanted.Add(id)
	}
	err := tx.Files(func(f store.File) error {
		var known []store.Chunk
		for place, id := range f.IDs.All() {
			if !wanted.Has(id) {
				continue
			}
			if known == nil {
				var err error
				if known, err = tx.Chunks(f); err != nil {
					return err
				}
				r.paths = append(r.paths, f.Path)
			}
			r.records[id] = recordOf{len(r.paths) - 1, known[place]}
		}
		return nil
	})
	return r, err
}

// Vectors implements leann.Exact.
func (r *reread) Vectors(ctx context.Context, chunks []uint32, dst []float32, ok []bool) error {
	dim := r.opts.Embedder.Dim()
	var texts []string
	var places []int
	embed := func() error {
		if r.opts.Quiet != nil {
			if err := r.opts.Quiet(ctx); err != nil {
				return err
			}
		}
		vectors, err := r.opts.Embedder.EmbedDocuments(ctx, texts)
		if err != nil {
			return err
		}
		for i, at := range places {
			copy(dst[at*dim:(at+1)*dim], vectors[i*dim:])
			ok[at] = true
		}
		texts, places = texts[:0], places[:0]
		return nil
	}
	err := r.each(ctx, chunks, func(place int, text string) error {
		texts, places = append(texts, text), append(places, place)
		if len(texts) < rereadBatch {
			return nil
		}
		return embed()
	})
	if err == nil && len(texts) > 0 {
		err = embed()
	}
	return err
}

// each calls f with the embedded text of each chunk that is as it was indexed, and
// their places in the list, by file.
func (r *reread) each(ctx context.Context, chunks []uint32, f func(place int, text string) error) error {
	var order []int
	for i, id := range chunks {
		if _, known := r.records[id]; known {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := r.records[chunks[a]], r.records[chunks[b]]
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.Start, y.Start))
	})
	texts := r.rereading()
	var text *engine.Text
	for at, file := 0, -1; at < len(order); at++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := r.records[chunks[order[at]]]
		if c.file != file {
			file = c.file
			text, _ = texts.Text(r.paths[file]) // nil where it cannot be read now
		}
		embedded := embeddedOf(text, c.Chunk)
		if embedded == "" {
			continue
		}
		if err := f(order[at], embedded); err != nil {
			return err
		}
	}
	return nil
}

// rereading reads the texts of files again.
func (ix *Indexer) rereading() Texts {
	return Texts{MaxFile: ix.opts.MaxFile, Count: ix.opts.Embedder.Count, Room: ix.opts.Embedder.Room(), Store: ix.opts.Store, Encodings: ix.opts.Encodings, Secrets: ix.opts.Secrets, Browsers: ix.opts.Browsers}
}

// embeddedOf is the text of a chunk that is embedded; "" where it is not the one that was indexed. text may be nil.
func embeddedOf(text *engine.Text, c store.Chunk) string {
	if text == nil || c.End > int64(len(text.Body)) {
		return ""
	}
	embedded := text.Embedded(int(c.Start), int(c.End))
	if layout.ChunkHash(embedded) != c.Hash {
		return ""
	}
	return embedded
}
