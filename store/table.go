package store

import (
	"encoding/binary"
	"fmt"
)

// table is a part of the main bucket: the records whose keys begin with its
// byte. Tables share a bucket because each bucket ends in a page that is half
// empty. Their keys, that byte and a number, sort before the named records.
type table byte

const (
	tableFolders table = 1 + iota
	tableFiles
	tableNames
	tableCodes // as Blocks numbers kinds, from here on
	tableCodebook
	tableLinks
	tableUpperLinks
	tableNextCodes
	tableFacts
	tableEntries
	tableEnd
)

var tableNamesByNumber = [tableEnd]string{"", "folders", "files", "names", "codes", "codebook", "links", "upper links", "codes to come", "facts", "entries"}

func (t table) String() string { return tableNamesByNumber[t] }

const (
	tableKeyBytes = 5

	// MaxBlock is the longest value of which two fill eight pages of 1 KiB,
	// or two of 4: beside them stand a page header, and of each its element,
	// key and checksum.
	MaxBlock = (8<<10-pageHeaderBytes)/2 - elementBytes - tableKeyBytes - checksumBytes

	// tableBlock is how long the values of the store's own tables become: two
	// of them fill four pages. Half as long as MaxBlock, because the change of
	// one file rewrites a few of them.
	tableBlock = (4<<10-pageHeaderBytes)/2 - elementBytes - tableKeyBytes - checksumBytes
)

func (t table) key(number uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{byte(t)}, number)
}

// tableOf tells the table and number of a key of the main bucket; ok is false
// for the named records.
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

// putIn seals and writes a value; it may use value's memory.
func (tx *Tx) putIn(t table, number uint32, value []byte) error {
	return tx.put(bucketMain, t.key(number), value)
}

func (tx *Tx) deleteIn(t table, number uint32) error {
	return tx.delete(bucketMain, t.key(number))
}

// floorIn finds the value with the greatest number that is not above the one
// given.
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

// eachIn calls fn for the values from a number on, ascending.
func (tx *Tx) eachIn(t table, from uint32, fn func(number uint32, value []byte) error) error {
	cursor := tx.bolt.Bucket(bucketMain).Cursor()
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

// locatedIn adds where in a table an error is.
func locatedIn(t table, number uint32, err error) error {
	return fmt.Errorf("%s %08x: %w", t, number, err)
}
