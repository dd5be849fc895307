package store

import (
	"errors"

	"go.etcd.io/bbolt"
)

// PutVersion rewrites the header of a closed index.
func PutVersion(path string, version int) error {
	return Raw(path, func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketMain).Put(keyHeader, seal(Header{Version: version}.encode()))
	})
}

// Raw changes a closed index behind the store's back.
func Raw(path string, fn func(*bbolt.Tx) error) error {
	bolt, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	return errors.Join(bolt.Update(fn), bolt.Close())
}

// Seal ends a value as the store does.
func Seal(value []byte) []byte { return seal(value) }

// Key32 is an id as a key.
func Key32(id uint32) []byte { return key32(id) }
