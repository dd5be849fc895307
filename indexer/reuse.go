package indexer

import (
	"errors"
	"io/fs"
	"slices"

	"dowse/engine/layout"
	"dowse/indexer/paths"
	"dowse/store"
)

// donors are files of the index whose chunks may serve again: files that are gone
// from where they were, and files that another one is a copy of.
type donors struct {
	gone  map[[6]byte]store.File // files that were found gone, by contents: a rename
	lent  map[[6]byte]bool       // contents that turned up elsewhere
	known map[[6]byte][]uint32   // ids of all files, by contents; nil before it is needed
	busy  map[uint32]bool        // files that this sync replaces or has replaced already

	unmounted []string // mount points on which nothing is mounted now

	store   *store.DB
	sources sources
}

// newDonors takes what a sync has to do, and the files that wait to be removed
// since an earlier one.
func (ix *Indexer) newDonors(todo *plan) (*donors, error) {
	d := &donors{gone: make(map[[6]byte]store.File, len(todo.gone)), lent: map[[6]byte]bool{}, busy: map[uint32]bool{}, store: ix.opts.Store}
	for _, f := range todo.gone {
		d.gone[f.Hash] = f
	}
	for _, j := range todo.read {
		if j.stored != nil {
			d.busy[j.stored.ID] = true
		}
	}
	return d, ix.opts.Store.View(func(tx *store.Tx) (err error) {
		if d.unmounted, err = unmountedIn(tx); err != nil {
			return err
		}
		for id := range ix.vanished {
			f, err := tx.File(id)
			if errors.Is(err, store.ErrNotFound) {
				delete(ix.vanished, id) // it was removed, or is another file by now
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

// donor is a file whose chunks may serve for another one.
type donor struct {
	store.File
	goes bool // it is replaced, so that its chunks keep their ids
}

// find finds the donor of p: the file that it was before it was renamed, or one
// that it is a copy of; nil if there is none. A renamed file is mostly among those
// that are gone. Where the system told of the new name first, it is one of all
// files: one whose path nothing stands at, below a root that is there.
func (d *donors) find(tx *store.Tx, p *prepared) (*donor, error) {
	if f, found := d.gone[p.file.Hash]; found && !d.busy[f.ID] {
		d.lent[f.Hash] = true
		return &donor{f, true}, nil
	}
	if p.stored != nil {
		return nil, nil // an edit, which is not worth looking at all files
	}
	if d.known == nil {
		d.known = map[[6]byte][]uint32{}
		err := tx.Files(func(f store.File) error {
			d.known[f.Hash] = append(d.known[f.Hash], f.ID)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var copied *donor
	for _, id := range d.known[p.file.Hash] {
		f, err := tx.File(id)
		if errors.Is(err, store.ErrNotFound) || d.busy[id] {
			continue
		}
		if err != nil {
			return nil, err
		}
		if d.isGone(f) {
			return &donor{f, true}, nil
		}
		copied = &donor{f, false}
	}
	return copied, nil
}

// isGone reports whether nothing stands at a file's path any more. A root that is
// not there has lost nothing.
func (d *donors) isGone(f store.File) bool {
	if info, err := lookAt(f.Root); err != nil || !info.IsDir() || paths.WithinAny(f.Path, d.unmounted) {
		return false
	}
	_, err := lookAt(f.Path)
	return errors.Is(err, fs.ErrNotExist)
}

// passage identifies the embedded text of a chunk, as far as the index knows.
type passage struct {
	hash   uint32
	length int64
}

func passageOf(c store.Chunk) passage { return passage{c.Hash, c.End - c.Start} }

// lent is what a chunk of the index can give to an equal one: its id, with all
// that is known under it, or else its vector, or the code that it has.
type lent struct {
	chunk  uint32
	keeps  bool // the id is to be had
	coded  bool
	vector []float32
}

// fill gives each chunk of p the id, the vector or the code that an equal chunk of
// a donor has, and counts the chunks that have no vector then.
func (s *session) fill(tx *store.Tx, p *prepared) error {
	p.kept, p.adopted, p.lent = store.Kept{IDs: map[int]uint32{}}, map[int]uint32{}, map[int][]float32{}
	have := map[passage][]lent{}
	if p.stored != nil {
		if err := s.lend(tx, &donor{*p.stored, true}, p, have); err != nil {
			return err
		}
	}
	if d, err := s.donors.find(tx, p); err != nil {
		return err
	} else if d != nil {
		if err := s.lend(tx, d, p, have); err != nil {
			return err
		}
	}
	for i, c := range p.chunks {
		list := have[passageOf(c)]
		if isLog(&p.file) {
			if n := len(list); n > 0 {
				p.kept.IDs[i], have[passageOf(c)] = list[0].chunk, list[1:]
			}
			continue
		}
		if len(list) == 0 {
			p.lacking++
			continue
		}
		l := &list[max(0, slices.IndexFunc(list, func(l lent) bool { return l.keeps }))]
		switch {
		case l.keeps:
			p.kept.IDs[i], l.keeps = l.chunk, false
			if !l.coded && l.vector == nil {
				p.lacking++
			}
		case l.vector != nil:
			p.lent[i] = l.vector
		case l.coded:
			p.adopted[i] = l.chunk
		default:
			p.lacking++
		}
	}
	return nil
}

// lend adds what the chunks of a donor have to give to p. They keep their ids if
// the same terms are posted of them: those of a file's name are. Where a repair
// named the file, some are not posted at all.
func (s *session) lend(tx *store.Tx, d *donor, p *prepared, have map[passage][]lent) error {
	chunks, err := tx.Chunks(d.File)
	if err != nil {
		return err
	}
	ids := make([]uint32, len(chunks))
	for place, id := range d.IDs.All() {
		ids[place] = id
	}
	if isLog(&d.File) != isLog(&p.file) {
		return nil
	}
	if isLog(&p.file) {
		s.lendLog(d, p, ids, chunks, have)
		return nil
	}
	coded, err := s.index().HasCodes(layout.VectorIndex{Tx: tx}, ids)
	if err != nil {
		return err
	}
	vectors := make(map[uint32][]float32)
	err = tx.VectorsOf(d.File, func(chunk uint32, vector []float32) error {
		vectors[chunk] = vector
		return nil
	})
	if err != nil {
		return err
	}
	keeps := s.keepIDs(d, p)
	for place, id := range ids {
		of := passageOf(chunks[place])
		have[of] = append(have[of], lent{chunk: id, keeps: keeps, coded: coded[id], vector: vectors[id]})
	}
	return nil
}

// keepIDs reports whether chunks of a donor keep their ids in p, and has the donor go if they do.
func (s *session) keepIDs(d *donor, p *prepared) bool {
	keeps := d.goes && !d.Doubted() && nameOf(d.Path) == nameOf(p.Path)
	if keeps && d.Path != p.Path {
		p.kept.From = append(p.kept.From, d.ID)
		s.donors.busy[d.ID] = true // it has nothing to give any more
	}
	return keeps
}

// lendLog is lend for logs, which have ids to give alone.
func (s *session) lendLog(d *donor, p *prepared, ids []uint32, chunks []store.Chunk, have map[passage][]lent) {
	if !s.keepIDs(d, p) {
		return
	}
	for place, id := range ids {
		of := passageOf(chunks[place])
		have[of] = append(have[of], lent{chunk: id, keeps: true})
	}
}
