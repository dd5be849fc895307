package indexer

import (
	"errors"
	"io/fs"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// donors are files of the index whose vectors and codes may serve again: the older
// version of a file, and files that are gone from where they were.
type donors struct {
	gone  map[[6]byte]store.File // files that were found gone, by contents: a rename
	lent  map[[6]byte]bool       // contents that turned up elsewhere
	known map[[6]byte][]uint32   // ids of all files, by contents; nil before it is needed
}

// newDonors takes the files that a sync found gone, and those that wait to be
// removed since an earlier one.
func (ix *Indexer) newDonors(gone []store.File) (*donors, error) {
	d := &donors{gone: make(map[[6]byte]store.File, len(gone)), lent: map[[6]byte]bool{}}
	for _, f := range gone {
		d.gone[f.Hash] = f
	}
	return d, ix.opts.Store.View(func(tx *store.Tx) error {
		for id := range ix.vanished {
			f, err := tx.File(id)
			if errors.Is(err, store.ErrNotFound) {
				delete(ix.vanished, id) // a full sync removed it
				continue
			}
			if err != nil {
				return err
			}
			d.gone[f.Hash] = f
		}
		return nil
	})
}

// renamed finds the file that p was before it was renamed. Mostly it is among
// those that are gone. Where the system told of the new name first, it is one of
// all files: one whose path nothing stands at.
func (d *donors) renamed(tx *store.Tx, p *prepared) (f store.File, found bool, err error) {
	if f, found = d.gone[p.file.Hash]; found {
		d.lent[f.Hash] = true
		return f, true, nil
	}
	if p.stored != nil {
		return f, false, nil // an edit, which is not worth looking at all files
	}
	if d.known == nil {
		d.known = map[[6]byte][]uint32{}
		err := tx.Files(func(f store.File) error {
			d.known[f.Hash] = append(d.known[f.Hash], f.ID)
			return nil
		})
		if err != nil {
			return f, false, err
		}
	}
	for _, id := range d.known[p.file.Hash] {
		f, err := tx.File(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return f, false, err
		}
		if _, err := lookAt(f.Path); errors.Is(err, fs.ErrNotExist) {
			return f, true, nil
		}
	}
	return f, false, nil
}

// passage identifies what was embedded of a chunk, as far as the index knows.
type passage struct {
	hash   uint32
	length int64
}

func passageOf(c store.Chunk) passage { return passage{c.Hash, c.End - c.Start} }

// lent is what a chunk of the index can give to an equal one: its vector, or
// the code that it has under its id.
type lent struct {
	vector []float32
	chunk  uint32
}

// fill gives each chunk of p the vector or the code that an equal chunk of a
// donor has, and lists the chunks for which there is neither.
func (d *donors) fill(tx *store.Tx, index leann.Index, p *prepared) error {
	dim := index.Dim
	p.vectors = make([]float32, len(p.chunks)*dim)
	p.adopted = make(map[int]uint32)
	have := map[passage]lent{}
	var sources []store.File
	if p.stored != nil {
		sources = append(sources, *p.stored)
	}
	if f, ok, err := d.renamed(tx, p); err != nil {
		return err
	} else if ok {
		sources = append(sources, f)
	}
	for _, f := range sources {
		chunks, err := tx.Chunks(f)
		if err != nil {
			return err
		}
		err = tx.VectorsOf(f, func(first uint32, vectors []float32) error {
			for i, c := range chunks[first-f.FirstChunk:][:len(vectors)/dim] {
				have[passageOf(c)] = lent{vector: vectors[i*dim : (i+1)*dim]}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := lendCodes(tx, index, f, chunks, have); err != nil {
			return err
		}
	}
	for i, c := range p.chunks {
		switch l, ok := have[passageOf(c)]; {
		case !ok:
			p.missing = append(p.missing, i)
		case l.vector != nil:
			copy(p.vectors[i*dim:], l.vector)
		default:
			p.adopted[i] = l.chunk
		}
	}
	return nil
}

// lendCodes adds the chunks of a file that have a code.
func lendCodes(tx *store.Tx, index leann.Index, f store.File, chunks []store.Chunk, have map[passage]lent) error {
	ids := make([]uint32, len(chunks))
	for i := range ids {
		ids[i] = f.FirstChunk + uint32(i)
	}
	coded, err := index.HasCodes(layout.VectorIndex{Tx: tx}, ids)
	if err != nil {
		return err
	}
	for i, c := range chunks {
		if coded[ids[i]] {
			have[passageOf(c)] = lent{chunk: ids[i]}
		}
	}
	return nil
}
