package store

import "fmt"

// Blocks is a kind of block: values under numbers that the vector index keeps
// here and alone understands. Values of up to MaxBlock bytes waste no room.
type Blocks uint8

// The kinds of blocks.
const (
	CodeBlocks      Blocks = iota // quantised vectors
	CodebookBlocks                // what the codes stand for
	LinkBlocks                    // of the graph's nodes
	UpperLinkBlocks               // of those on its upper levels, and its head
	NextCodeBlocks                // quantised vectors that are to take the place of others
	blockKinds
)

// table returns where the blocks of a kind lie.
func (kind Blocks) table() (table, error) {
	if kind >= blockKinds {
		return 0, fmt.Errorf("there are no blocks of kind %d", kind)
	}
	return tableCodes + table(kind), nil
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

// Block reads a block, valid inside the transaction until a block is put or
// deleted. ErrNotFound when there is none.
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

// DeleteBlock removes a block; one that is not there is no error.
func (tx *Tx) DeleteBlock(kind Blocks, key uint32) error {
	t, err := kind.table()
	if err != nil {
		return err
	}
	return tx.deleteIn(t, key)
}
