package search

import (
	"slices"

	"dowse/engine/layout"
	"dowse/store"
)

// idBits are the bits of a chunk id that are the index's own. Above them stands which of the
// indexes it is of, 0 for the engine's own, so that the ids of a result are unique and mean
// the same after a commit.
const idBits = 28

// jointID is the id of a chunk of a part among those of all parts.
func jointID(part int, chunk uint32) uint32 { return uint32(part)<<idBits | chunk }

// splitID is the inverse of jointID.
func splitID(id uint32) (part int, chunk uint32) { return int(id >> idBits), id & (1<<idBits - 1) }

// viewAll runs fn with a transaction of each index's store.
func viewAll(indexes []*index, fn func(txs []*store.Tx) error) error {
	txs := make([]*store.Tx, 0, len(indexes))
	var open func() error
	open = func() error {
		if len(txs) == len(indexes) {
			return fn(txs)
		}
		return indexes[len(txs)].opts.Store.View(func(tx *store.Tx) error {
			txs = append(txs, tx)
			return open()
		})
	}
	return open()
}

// mask says which files of an index count.
type mask struct {
	only  []string // folders that alone do, where one is set
	set   bool
	other []string // folders that do not
}

// masksOf are those of an engine's index and of the ones beside it.
func masksOf(txs []*store.Tx) ([]mask, error) {
	masks := make([]mask, len(txs))
	for i, tx := range txs[1:] {
		shown, err := layout.Shown(tx)
		if err != nil {
			return nil, err
		}
		masks[i+1] = mask{only: shown, set: true}
		masks[0].other = append(masks[0].other, shown...)
	}
	return masks, nil
}

// equal reports whether two masks leave out the same.
func (m mask) equal(o mask) bool {
	return m.set == o.set && slices.Equal(m.only, o.only) && slices.Equal(m.other, o.other)
}

// admits reports whether a file at a path counts.
func (m mask) admits(path string) bool {
	within := func(dir string) bool { return below(path, dir) }
	return (!m.set || slices.ContainsFunc(m.only, within)) && !slices.ContainsFunc(m.other, within)
}

// needed is the mask where a file of the snapshot does not count, and else none: mostly
// nothing moves, and all files count.
func (m mask) needed(s *snapshot) mask {
	if m.set || len(m.other) > 0 {
		for _, f := range s.files {
			if !m.admits(f.Path) {
				return m
			}
		}
	}
	return mask{}
}
