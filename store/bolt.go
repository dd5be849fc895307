package store

import (
	"errors"

	"go.etcd.io/bbolt"

	"dowse/store/kv"
)

// boltDB, boltTx and boltBucket are bbolt's own with the types of kv; they are no larger than a
// pointer, so that none is allocated.
type (
	boltDB     struct{ *bbolt.DB }
	boltTx     struct{ *bbolt.Tx }
	boltBucket struct{ *bbolt.Bucket }
)

func (db boltDB) View(fn func(kv.Tx) error) error {
	return db.DB.View(func(tx *bbolt.Tx) error { return fn(boltTx{tx}) })
}

func (db boltDB) Update(fn func(kv.Tx) error) error {
	return db.DB.Update(func(tx *bbolt.Tx) error { return fn(boltTx{tx}) })
}

func (tx boltTx) Bucket(name []byte) kv.Bucket {
	if b := tx.Tx.Bucket(name); b != nil {
		return boltBucket{b}
	}
	return nil
}

func (tx boltTx) Empty() bool {
	first, _ := tx.Cursor().First()
	return first == nil
}

func (tx boltTx) CreateBucket(name []byte) (kv.Bucket, error) {
	b, err := tx.Tx.CreateBucket(name)
	return boltBucket{b}, err
}

func (b boltBucket) Cursor() kv.Cursor { return b.Bucket.Cursor() }

// appendFill fills split pages: most records are appended, so that room left
// would stay empty.
const appendFill = 1.0

func (b boltBucket) Put(key, value []byte) error {
	b.FillPercent = appendFill
	return b.Bucket.Put(key, value)
}

// errOnServer refuses what concerns files and pages.
var errOnServer = errors.New("the records of this index lie on a server, which has no file and no pages of this program")

// bolt is the transaction in the file, for what concerns its pages. Callers have asked DB.server.
func (tx *Tx) bolt() *bbolt.Tx { return tx.kv.(boltTx).Tx }
