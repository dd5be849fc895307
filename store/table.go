package store

import (
	"encoding/binary"
	"fmt"
)

// table is a part of the main bucket: the records whose keys begin with its
// byte; a number follows. Tables share a bucket because each bucket ends in a
// half empty page. They sort before the named records.
type table byte

const (
	tableFolders table = 1 + iota
	tableFiles
	tableNames
	tableCodes // further tables as Blocks numbers them
	tableCodebook
	tableLinks
	tableUpperLinks
	tableNextCodes
	tableFacts
	tableEntries
	tableKept
	tableEnd
)

var tableNamesByNumber = [tableEnd]string{"", "folders", "files", "names", "codes", "codebook", "links", "upper links", "codes to come", "facts", "entries", "kept vectors"}

func (t table) String() string { return tableNamesByNumber[t] }

const (
	tableKeyBytes = 5

	// MaxBlock bounds a value, in bytes: two of that length fit in 8 KiB, with the page
	// header and an element, a key and a checksum for each.
	MaxBlock = (8<<10-pageHeaderBytes)/2 - elementBytes - tableKeyBytes - checksumBytes

	// tableBlock is the length of the store's own values: two fill 4 KiB. It is
	// half of MaxBlock, because one changed file rewrites a few of them.
	tableBlock = (4<<10-pageHeaderBytes)/2 - elementBytes - tableKeyBytes - checksumBytes
)

func (t table) key(number uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{byte(t)}, number)
}

// tableOf tells the table and number of a key; ok is false for named records.
func tableOf(key []byte) (t table, number uint32, ok bool) {
	if len(key) == 0 || key[0] >= byte(tableEnd) {
		return 0, 0, false
	}
	if len(key) != tableKeyBytes {
		return table(key[0]), 0, true
	}
	return table(key[0]), binary.BigEndian.Uint32(key[1:]), true
}

// in reads the value of a number; ErrNotFound when there is none.
func (tx *Tx) in(t table, number uint32) ([]byte, error) {
	return tx.get(bucketMain, t.key(number))
}

func (tx *Tx) putIn(t table, number uint32, value []byte) error {
	return tx.put(bucketMain, t.key(number), value)
}

func (tx *Tx) deleteIn(t table, number uint32) error {
	return tx.delete(bucketMain, t.key(number))
}

// floorIn finds the value with the greatest number up to the given one.
func (tx *Tx) floorIn(t table, number uint32) (found uint32, value []byte, err error) {
	key, value, err := tx.floor(bucketMain, t.key(number))
	if err != nil {
		return 0, nil, err
	}
	owner, found, ok := tableOf(key)
	if !ok || owner != t {
		return 0, nil, ErrNotFound
	}
	return found, value, nil
}

func (tx *Tx) eachIn(t table, from uint32, fn func(number uint32, value []byte) error) error {
	cursor := tx.kv.Bucket(bucketMain).Cursor()
	for key, sealed := cursor.Seek(t.key(from)); key != nil; key, sealed = cursor.Next() {
		owner, number, ok := tableOf(key)
		if !ok || owner != t {
			return nil
		}
		value, err := tx.unseal(bucketMain, key, sealed)
		if err != nil {
			return err
		}
		if err := fn(number, value); err != nil {
			return err
		}
	}
	return nil
}

// locatedIn adds the place of an error in a table.
func locatedIn(t table, number uint32, err error) error {
	return fmt.Errorf("%s %08x: %w", t, number, err)
}

// Blocks is a kind of block that the vector index numbers and encodes. Values
// of up to MaxBlock bytes waste no room.
type Blocks uint8

// The kinds of blocks.
const (
	CodeBlocks      Blocks = iota // quantised vectors
	CodebookBlocks                // centroids of the codes
	LinkBlocks                    // of the graph's nodes
	UpperLinkBlocks               // of the graph's upper levels, and its head
	NextCodeBlocks                // quantised vectors that will replace CodeBlocks
	KeptBlocks                    // vectors that outlive a search, by chunk, each as long as its chunk
)

func (kind Blocks) table() (table, error) {
	switch {
	case kind < KeptBlocks:
		return tableCodes + table(kind), nil
	case kind == KeptBlocks:
		return tableKept, nil
	}
	return 0, fmt.Errorf("there are no blocks of kind %d", kind)
}

// PutBlock stores a block in place of any earlier one of that key.
func (tx *Tx) PutBlock(kind Blocks, key uint32, value []byte) error {
	t, err := kind.table()
	if err != nil {
		return err
	}
	sealed := make([]byte, 0, len(value)+checksumBytes)
	return tx.putIn(t, key, append(sealed, value...))
}

// Block reads a block, valid until a block is put or deleted. ErrNotFound when
// there is none.
func (tx *Tx) Block(kind Blocks, key uint32) ([]byte, error) {
	t, err := kind.table()
	if err != nil {
		return nil, err
	}
	return tx.in(t, key)
}

// EachBlock calls fn for every block of a kind by ascending key. The value is
// valid until fn returns; fn must not write to the index.
func (tx *Tx) EachBlock(kind Blocks, fn func(key uint32, value []byte) error) error {
	t, err := kind.table()
	if err != nil {
		return err
	}
	return tx.eachIn(t, 0, fn)
}

// DeleteBlock removes a block; a missing one is no error.
func (tx *Tx) DeleteBlock(kind Blocks, key uint32) error {
	t, err := kind.table()
	if err != nil {
		return err
	}
	return tx.deleteIn(t, key)
}
