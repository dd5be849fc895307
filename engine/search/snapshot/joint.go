package snapshot

import (
	"slices"

	"dowse/engine/layout"
	"dowse/store"
)

// IDBits are the bits of a chunk id that are the index's own. Above them stands which of the
// indexes it is of, 0 for the engine's own, so that the ids of a result are unique and mean
// the same after a commit.
const IDBits = 28

// JointID is the id of a chunk of a part among those of all parts.
func JointID(part int, chunk uint32) uint32 { return uint32(part)<<IDBits | chunk }

// SplitID is the inverse of jointID.
func SplitID(id uint32) (part int, chunk uint32) { return int(id >> IDBits), id & (1<<IDBits - 1) }

// ViewAll runs fn with a transaction of each index's store.
func ViewAll(indexes []*Index, fn func(txs []*store.Tx) error) error {
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

// Mask says which files of an index count.
type Mask struct {
	only  []string // folders that alone do, where one is set
	set   bool
	other []string // folders that do not
}

// Masks are those of an engine's index and of the ones beside it.
func Masks(txs []*store.Tx) ([]Mask, error) {
	masks := make([]Mask, len(txs))
	if len(txs) == 0 {
		return masks, nil
	}
	for i, tx := range txs[1:] {
		shown, err := layout.Shown(tx)
		if err != nil {
			return nil, err
		}
		masks[i+1] = Mask{only: shown, set: true}
		masks[0].other = append(masks[0].other, shown...)
	}
	return masks, nil
}

// Equal reports whether two masks leave out the same.
func (m Mask) Equal(o Mask) bool {
	return m.set == o.set && slices.Equal(m.only, o.only) && slices.Equal(m.other, o.other)
}

// Admits reports whether a file at a path counts.
func (m Mask) Admits(path string) bool {
	within := func(dir string) bool { return Below(path, dir) }
	return (!m.set || slices.ContainsFunc(m.only, within)) && !slices.ContainsFunc(m.other, within)
}

// Needed is the mask where a file of the snapshot does not count, and else none: mostly
// nothing moves, and all files count.
func (m Mask) Needed(s *Snapshot) Mask {
	if m.set || len(m.other) > 0 {
		for _, f := range s.Files {
			if !m.Admits(f.Path) {
				return m
			}
		}
	}
	return Mask{}
}
