package store

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
	"go.etcd.io/bbolt"

	"dowse/store/kv"
)

// PutVersion rewrites the header of a closed index.
func PutVersion(path string, version int) error {
	return Raw(path, func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketMain).Put(keyHeader, seal(keyHeader, Header{Version: version}.encode()))
	})
}

// SetPages writes a closed index with pages of another size.
func SetPages(path string, size int) error {
	old, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	out, err := bbolt.Open(path+".pages", 0o600, &bbolt.Options{PageSize: size})
	if err == nil {
		err = errors.Join(bbolt.Compact(out, old, 0), out.Close())
	}
	return errors.Join(err, old.Close(), os.Rename(path+".pages", path))
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
func Seal(key, value []byte) []byte { return seal(key, value) }

// Key32 returns an id as a key.
func Key32(id uint32) []byte { return key32(id) }

// FilesKey returns a key of the main bucket.
func FilesKey(number uint32) []byte { return tableFiles.key(number) }

// NamesKey is another.
func NamesKey(number uint32) []byte { return tableNames.key(number) }

// FoldersKey returns one too.
func FoldersKey(number uint32) []byte { return tableFolders.key(number) }

// EntriesKey is the key of the entries of a file.
func EntriesKey(file uint32) []byte { return tableEntries.key(file) }

// RepairAll repairs what no checksum shows.
func RepairAll(ctx context.Context, tx *Tx) error { return tx.repair(ctx) }

// VersionOf returns the format that an index says it has.
func VersionOf(tx *bbolt.Tx) (int, error) {
	h, err := headerOf(boltTx{tx})
	return h.Version, err
}

// SealPack makes a pack of any bytes.
func SealPack(data []byte, version uint32) []byte {
	seal := binary.LittleEndian.AppendUint32([]byte(packMagic), version)
	seal = binary.LittleEndian.AppendUint64(append(seal, 0, 0, 0, 0), uint64(len(data)))
	all := slices.Concat(data, seal)
	return binary.LittleEndian.AppendUint64(all, xxhash.Sum64(all))
}

// OpenBolt opens the buckets of a file.
func OpenBolt(path string) (kv.DB, error) {
	h, err := openBolt(path, false, DefaultTimeout)
	if err != nil {
		return nil, err
	}
	return h.kv, nil
}

// Guard turns what a read throws into an error, as transactions do.
func Guard(fn func() error) error { return guard(fn) }

// RecordsOf gives the buckets below an index.
func RecordsOf(db *DB) kv.DB { return db.current.kv }
