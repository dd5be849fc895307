package indexer

import (
	"dowse/store"
)

// donors are files of the index whose vectors may serve again: the older
// version of a file, and files that are gone from where they were.
type donors struct {
	byHash map[[16]byte]store.File // files that are gone, by contents: a rename
}

// newDonors takes the files that a sync will remove.
func newDonors(gone []store.File) *donors {
	d := &donors{byHash: make(map[[16]byte]store.File, len(gone))}
	for _, f := range gone {
		d.byHash[f.Hash] = f
	}
	return d
}

// passage identifies what was embedded of a chunk, as far as the index knows.
type passage struct {
	hash    uint32
	length  int64
	heading string
}

func passageOf(c store.Chunk) passage { return passage{c.Hash, c.End - c.Start, c.Heading} }

// fill gives each chunk of p the vector that an equal chunk of a donor has,
// and lists the chunks for which there is none.
func (d *donors) fill(tx *store.Tx, p *prepared, dim int) error {
	p.vectors = make([]float32, len(p.chunks)*dim)
	have := map[passage][]float32{}
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
		vectors, err := tx.VectorsOf(f.ID)
		if err != nil {
			return err
		}
		if len(vectors) != len(chunks)*dim {
			continue // of a commit that stored none
		}
		for i, c := range chunks {
			have[passageOf(c)] = vectors[i*dim : (i+1)*dim]
		}
	}
	for i, c := range p.chunks {
		if v, ok := have[passageOf(c)]; ok {
			copy(p.vectors[i*dim:], v)
		} else {
			p.missing = append(p.missing, i)
		}
	}
	return nil
}
