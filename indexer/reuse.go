package indexer

import (
	"dowse/engine"
	"dowse/engine/leann"
	"dowse/store"
)

// donors are files of the index whose vectors and codes may serve again: the older
// version of a file, and files that are gone from where they were.
type donors struct {
	byHash map[[6]byte]store.File // files that are gone, by contents: a rename
}

// newDonors takes the files that a sync will remove.
func newDonors(gone []store.File) *donors {
	d := &donors{byHash: make(map[[6]byte]store.File, len(gone))}
	for _, f := range gone {
		d.byHash[f.Hash] = f
	}
	return d
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
	if f, ok := d.byHash[p.file.Hash]; ok {
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
	coded, err := index.HasCodes(engine.VectorIndex{Tx: tx}, ids)
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
