package store

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/cespare/xxhash/v2"
)

// The table of names leads from the short hash of a path to file ids; the
// file's record then confirms the path. Blocks divide the range of hashes: each
// holds those from its number up to the next block's, the first those from 0.

// pathHashBits is short because hashes are stored as differences: 24 bits take
// two bytes each for 1,000 to 100,000 files; among a million files one look-up
// in 16 reads a record in vain.
const pathHashBits = 24

func pathHash(path string) uint32 {
	return uint32(xxhash.Sum64String(path) >> (64 - pathHashBits))
}

// pathBlock is a block of ascending hashes and their file ids. Equal hashes
// stand together, in any order.
type pathBlock struct {
	hashes, ids []uint32
}

func (b *pathBlock) encode(first uint32) []byte {
	value := make([]byte, 0, tableBlock+checksumBytes)
	for i, hash := range b.hashes {
		value = binary.AppendUvarint(value, uint64(hash-first))
		value = binary.AppendUvarint(value, uint64(b.ids[i]))
		first = hash
	}
	return value
}

func decodePathBlock(first uint32, value []byte) (*pathBlock, error) {
	n := len(value) / 4 // an estimate
	b := &pathBlock{make([]uint32, 0, n), make([]uint32, 0, n)}
	err := eachPath(first, value, func(hash, id uint32) bool {
		b.hashes, b.ids = append(b.hashes, hash), append(b.ids, id)
		return true
	})
	return b, err
}

// eachPath calls fn for the entries of a block in order until it returns false.
func eachPath(first uint32, value []byte, fn func(hash, id uint32) bool) error {
	hash := uint64(first)
	for at := 0; at < len(value); {
		further, id, n := pathEntry(value[at:])
		if hash += further; n == 0 || hash >= 1<<pathHashBits {
			return locatedIn(tableNames, first, corrupt("bad entry at byte %d", at))
		}
		if at += n; !fn(uint32(hash), id) {
			break
		}
	}
	return nil
}

// pathEntry reads the entry that a value begins with: how far its hash is from the one before, its id and its bytes, 0 of
// none.
func pathEntry(value []byte) (further uint64, id uint32, n int) {
	further, n = binary.Uvarint(value)
	if n <= 0 || further >= 1<<pathHashBits {
		return 0, 0, 0
	}
	wide, m := binary.Uvarint(value[n:])
	if m <= 0 || wide > math.MaxUint32 {
		return 0, 0, 0
	}
	return further, uint32(wide), n + m
}

// at returns the index range of a hash.
func (b *pathBlock) at(hash uint32) (from, to int) {
	from = sort.Search(len(b.hashes), func(i int) bool { return b.hashes[i] >= hash })
	for to = from; to < len(b.hashes) && b.hashes[to] == hash; to++ {
	}
	return from, to
}

// pathBlockOf reads the block that a hash belongs to; an empty first one if
// there is none.
func (tx *Tx) pathBlockOf(hash uint32) (first uint32, b *pathBlock, err error) {
	first, value, err := tx.floorIn(tableNames, hash)
	if errors.Is(err, ErrNotFound) {
		return 0, &pathBlock{}, nil
	}
	if err != nil {
		return 0, nil, err
	}
	b, err = decodePathBlock(first, value)
	return first, b, err
}

func (tx *Tx) idsOf(path string) ([]uint32, error) {
	path, ok := tx.db.mount.find(path)
	if !ok {
		return nil, nil
	}
	hash := pathHash(path)
	first, value, err := tx.floorIn(tableNames, hash)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []uint32
	err = eachPath(first, value, func(h, id uint32) bool {
		if h == hash {
			ids = append(ids, id)
		}
		return h <= hash
	})
	return ids, err
}

// addPath adds a path that is not in the table yet. Of its block the entries before it are read alone: a folder that is
// indexed adds one path after the other.
func (tx *Tx) addPath(path string, id uint32) error {
	hash := pathHash(path)
	first, value, err := tx.floorIn(tableNames, hash)
	if errors.Is(err, ErrNotFound) {
		first, value, err = 0, nil, nil
	}
	if err != nil {
		return err
	}
	if value, err = insertPath(first, value, hash, id); err != nil {
		return err
	}
	if len(value) <= tableBlock {
		return tx.putIn(tableNames, first, value)
	}
	b, err := decodePathBlock(first, value)
	if err != nil {
		return err
	}
	middle := b.split()
	if middle == 0 {
		return tx.putIn(tableNames, first, value)
	}
	low, high := b.cut(middle)
	if err := tx.putIn(tableNames, first, low.encode(first)); err != nil {
		return err
	}
	return tx.putIn(tableNames, high.hashes[0], high.encode(high.hashes[0]))
}

// insertPath returns the value of a block with one more entry, behind those of the same hash.
func insertPath(first uint32, value []byte, hash, id uint32) ([]byte, error) {
	before, at := uint64(first), 0
	for at < len(value) {
		further, _, n := pathEntry(value[at:])
		if n == 0 {
			return nil, locatedIn(tableNames, first, corrupt("bad entry at byte %d", at))
		}
		if before+further > uint64(hash) {
			break
		}
		before, at = before+further, at+n
	}
	grown := append(make([]byte, 0, len(value)+2*maxPathEntry+checksumBytes), value[:at]...)
	grown = binary.AppendUvarint(grown, uint64(hash)-before)
	grown = binary.AppendUvarint(grown, uint64(id))
	if rest := value[at:]; len(rest) > 0 { // the hash behind is stored as the difference to this one
		further, n := binary.Uvarint(rest)
		grown = binary.AppendUvarint(grown, before+further-uint64(hash))
		grown = append(grown, rest[n:]...)
	}
	return grown, nil
}

// split returns the index nearest to the middle that does not part equal
// hashes; 0 when there is none.
func (b *pathBlock) split() int {
	middle := len(b.hashes) / 2
	for i := middle; i < len(b.hashes) && i > 0; i++ {
		if b.hashes[i] != b.hashes[i-1] {
			return i
		}
	}
	for i := middle - 1; i > 0; i-- {
		if b.hashes[i] != b.hashes[i-1] {
			return i
		}
	}
	return 0
}

func (b *pathBlock) cut(at int) (low, high *pathBlock) {
	return &pathBlock{b.hashes[:at], b.ids[:at]}, &pathBlock{b.hashes[at:], b.ids[at:]}
}

func (tx *Tx) removePath(path string, id uint32) error {
	hash := pathHash(path)
	first, b, err := tx.pathBlockOf(hash)
	if err != nil {
		return err
	}
	from, to := b.at(hash)
	i := slices.Index(b.ids[from:to], id)
	if i < 0 {
		return locatedIn(tableNames, first, corrupt("file %d is not under the hash of its path", id))
	}
	b.hashes, b.ids = slices.Delete(b.hashes, from+i, from+i+1), slices.Delete(b.ids, from+i, from+i+1)
	if len(b.hashes) == 0 {
		return tx.deleteIn(tableNames, first)
	}
	return tx.putIn(tableNames, first, b.encode(first))
}
