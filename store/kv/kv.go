// Package kv says what the store needs of the thing that keeps its records: buckets of records that
// are ordered by the bytes of their keys, and transactions on all of them.
//
// bbolt keeps them in a file (store/bolt.go), store/postgres on a server. Both pass one suite of
// tests (store/contract_test.go).
package kv

// DB keeps buckets. Its methods may be called from several goroutines.
type DB interface {
	// View runs fn on the last state that was committed. What commits meanwhile is not seen.
	View(fn func(Tx) error) error
	// Update runs fn and commits what it wrote, or nothing where fn fails or the process dies. One
	// runs at a time.
	Update(fn func(Tx) error) error
	// Close waits for running transactions.
	Close() error
}

// Tx is a transaction, valid inside its function and on its goroutine. What it cannot read it throws
// as a panic: a Failure, or what a damaged file makes of bbolt. So reads need no error where nearly
// none ever comes.
type Tx interface {
	// Bucket returns the bucket of a name, or nil.
	Bucket(name []byte) Bucket
	CreateBucket(name []byte) (Bucket, error)
	Writable() bool
	// Empty reports whether there is no bucket at all.
	Empty() bool
}

// Bucket holds records by key. Keys are not empty. Slices that it returns are valid until the
// transaction ends or writes to the bucket, and are not written to.
type Bucket interface {
	// Get returns nil where there is no such key, and an empty slice of an empty value.
	Get(key []byte) []byte
	// Put copies key and keeps value, which must not change before the transaction ends. A nil value
	// is an empty one.
	Put(key, value []byte) error
	// Delete of a key that is not there is no error.
	Delete(key []byte) error
	Cursor() Cursor
}

// Cursor goes through a bucket by ascending key; a nil key is beyond its ends. After a write to the
// bucket it must seek again.
type Cursor interface {
	First() (key, value []byte)
	Last() (key, value []byte)
	// Seek goes to the first key that is not below the given one.
	Seek(key []byte) (found, value []byte)
	Next() (key, value []byte)
	Prev() (key, value []byte)
}

// Versioned is a Tx that knows the number of the commit that it sees. Numbers ascend, whoever commits.
type Versioned interface{ Commit() uint64 }

// Failure is thrown by a read whose records cannot be had.
type Failure struct{ Err error }
