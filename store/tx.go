package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"dowse/store/kv"
)

// Buckets and keys; doc.go lists them.
var (
	bucketMain     = []byte("dowse")
	bucketVectors  = []byte("vectors")
	bucketSegments = []byte("segments")
	bucketPostings = []byte("postings")
	bucketTexts    = []byte("texts")
	bucketMarks    = []byte("marks")

	allBuckets = [][]byte{bucketMain, bucketVectors, bucketSegments, bucketPostings, bucketTexts, bucketMarks}

	keyHeader   = []byte("header")
	keyCounters = []byte("counters")
	keyRoots    = []byte("roots")
	prefixMeta  = "meta/"
)

type counters struct {
	nextChunk, nextSegment uint32 // next ids; nextChunk only where none is free
	nextFile               uint32
	folders                uint32 // numbered so far
	files, chunks, vectors uint32 // there now
	dimension              uint32 // of the vectors; with none left, of the last ones
	textBytes              int64
	commit                 uint64 // number of the Update
	time                   int64  // of the Update, unix nanoseconds
}

func (c counters) encode() []byte {
	var value []byte
	for _, n := range []uint64{uint64(c.nextChunk), uint64(c.nextSegment), uint64(c.nextFile), uint64(c.folders),
		uint64(c.files), uint64(c.chunks), uint64(c.vectors), uint64(c.dimension), uint64(c.textBytes), c.commit, uint64(c.time)} {
		value = binary.AppendUvarint(value, n)
	}
	return value
}

func decodeCounters(value []byte) (counters, error) {
	d := decoder{rest: value}
	c := counters{
		nextChunk: d.uint32(), nextSegment: d.uint32(), nextFile: d.uint32(), folders: d.uint32(),
		files: d.uint32(), chunks: d.uint32(), vectors: d.uint32(), dimension: d.uint32(), textBytes: d.int63(), commit: d.uvarint(), time: d.int63(),
	}
	return c, d.end()
}

// Tx is a transaction: one state of the index, and in Update the changes to it.
// It is valid inside its function.
type Tx struct {
	db       *DB
	kv       kv.Tx
	counters counters
	changed  bool
	dated    bool         // more than kept vectors changed
	changes  []FileChange // for the journal

	free      Runs // free ids, once read
	freeKnown bool

	filling *fileBlock // the block that a file was last put behind others in; it may have changed since
	filled  []byte     // the value of filling as it was put

	folders     []folder          // the first ones, as far as they were read
	folderIndex map[folder]uint32 // of all in folders; nil until a folder is looked up
}

// errUnchanged ends an Update that wrote nothing.
var errUnchanged = errors.New("nothing was written")

// View runs fn on the last committed state.
func (db *DB) View(fn func(*Tx) error) error {
	h := db.acquire()
	defer h.users.Done()
	return db.run(h.kv.View, fn)
}

// Update runs fn and commits what it wrote, or nothing when fn fails. One
// Update runs at a time; others wait.
func (db *DB) Update(fn func(*Tx) error) error {
	db.writer.Lock()
	defer db.writer.Unlock()
	var written counters
	err := db.run(db.current.kv.Update, func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		err := tx.finish(time.Now())
		written = tx.counters
		return err
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	if err == nil {
		db.older = false
		db.remember(written)
	}
	return err
}

// run runs a transaction. A damaged record fails that transaction alone, a
// broken file all that follow.
func (db *DB) run(with func(func(kv.Tx) error) error, fn func(*Tx) error) error {
	if db.broken.Load() {
		return errBrokenBefore
	}
	err := translate(guard(func() error {
		return with(func(records kv.Tx) error {
			tx := &Tx{db: db, kv: records}
			if err := tx.load(); err != nil {
				return err
			}
			return fn(tx)
		})
	}))
	if errors.Is(err, ErrBroken) {
		db.broken.Store(true)
	}
	return err
}

// load reads the counters; a new index has none yet.
func (tx *Tx) load() error {
	if v, is := tx.kv.(kv.Versioned); is && v.Commit() != tx.db.version {
		return ErrReplaced
	}
	value, err := tx.get(bucketMain, keyCounters)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		tx.counters, err = decodeCounters(value)
	}
	if err != nil {
		return brokenIf(err)
	}
	tx.db.remember(tx.counters)
	return nil
}

func (db *DB) remember(c counters) {
	for {
		last := db.last.Load()
		if last != nil && last.commit >= c.commit || db.last.CompareAndSwap(last, &c) {
			return
		}
	}
}

func (tx *Tx) finish(now time.Time) error {
	if !tx.changed {
		return errUnchanged
	}
	tx.counters.commit++
	tx.db.journal.add(tx.counters.commit, tx.changes)
	if tx.dated {
		tx.counters.time = max(now.UnixNano(), 0)
	}
	if tx.db.older {
		if err := tx.put(bucketMain, keyHeader, tx.db.header.encode()); err != nil {
			return err
		}
	}
	return tx.put(bucketMain, keyCounters, tx.counters.encode())
}

// Commit returns the number of the Update that made this state, a key for
// caches.
func (tx *Tx) Commit() uint64 { return tx.counters.commit }

// LastCommit is the time of the last Update that changed more than kept vectors; zero when there was none.
func (tx *Tx) LastCommit() time.Time {
	if tx.counters.commit == 0 {
		return time.Time{}
	}
	return time.Unix(0, tx.counters.time)
}

// Counts says how much is indexed.
type Counts struct {
	Files, Chunks int
	Vectors       int   // stored ones; chunks in the graph have none
	Dimension     int   // of these, and of those before; 0 where there was none yet
	TextBytes     int64 // of extracted text
}

// Counts counts the live files and their chunks.
func (tx *Tx) Counts() (Counts, error) {
	c := tx.counters
	return Counts{Files: int(c.files), Chunks: int(c.chunks), Vectors: int(c.vectors), Dimension: int(c.dimension), TextBytes: c.textBytes}, nil
}

// NextChunk is above all ids of chunks and all ids that postings or codes may
// name.
func (tx *Tx) NextChunk() uint32 { return tx.counters.nextChunk }

// get returns a value without its checksum, valid inside the transaction, or
// ErrNotFound.
func (tx *Tx) get(bucket, key []byte) ([]byte, error) {
	sealed := tx.kv.Bucket(bucket).Get(key)
	if sealed == nil {
		return nil, ErrNotFound
	}
	return tx.unseal(bucket, key, sealed)
}

func (tx *Tx) unseal(bucket, key, sealed []byte) ([]byte, error) {
	value, err := unseal(key, sealed)
	if err != nil {
		return nil, located(bucket, key, err)
	}
	return value, nil
}

// located adds the place of an error.
func located(bucket, key []byte, err error) error {
	if bytes.Equal(bucket, bucketMain) {
		if t, number, ok := tableOf(key); ok {
			return locatedIn(t, number, err)
		}
		return fmt.Errorf("%s %q: %w", bucket, key, err)
	}
	return fmt.Errorf("%s %x: %w", bucket, key, err)
}

// put seals and writes a value; it may use value's memory.
// touch notes that a record changes. Kept vectors change nothing that is indexed.
func (tx *Tx) touch(bucket, key []byte) {
	tx.changed = true
	if t, _, inTable := tableOf(key); !inTable || t != tableKept || !bytes.Equal(bucket, bucketMain) {
		tx.dated = true
	}
}

func (tx *Tx) put(bucket, key, value []byte) error {
	if !tx.kv.Writable() {
		return ErrReadOnly
	}
	tx.touch(bucket, key)
	if err := tx.kv.Bucket(bucket).Put(key, seal(key, value)); err != nil {
		return located(bucket, key, err)
	}
	return nil
}

func (tx *Tx) delete(bucket, key []byte) error {
	if !tx.kv.Writable() {
		return ErrReadOnly
	}
	tx.touch(bucket, key)
	if err := tx.kv.Bucket(bucket).Delete(key); err != nil {
		return located(bucket, key, err)
	}
	return nil
}

func (tx *Tx) each(bucket, from []byte, fn func(key, value []byte) error) error {
	cursor := tx.kv.Bucket(bucket).Cursor()
	for key, sealed := cursor.Seek(from); key != nil; key, sealed = cursor.Next() {
		value, err := tx.unseal(bucket, key, sealed)
		if err != nil {
			return err
		}
		if err := fn(key, value); err != nil {
			return err
		}
	}
	return nil
}

// eachSealed calls fn for all records of a bucket, damaged ones too.
func (tx *Tx) eachSealed(bucket []byte, fn func(key, sealed []byte) error) error {
	cursor := tx.kv.Bucket(bucket).Cursor()
	for key, sealed := cursor.First(); key != nil; key, sealed = cursor.Next() {
		if err := fn(key, sealed); err != nil {
			return err
		}
	}
	return nil
}

// floor finds the record with the greatest key up to the given one.
func (tx *Tx) floor(bucket, key []byte) (found, value []byte, err error) {
	cursor := tx.kv.Bucket(bucket).Cursor()
	found, sealed := cursor.Seek(key)
	if !bytes.Equal(found, key) {
		if found == nil {
			found, sealed = cursor.Last()
		} else {
			found, sealed = cursor.Prev()
		}
		// Prev stops at a page whose keys this transaction has deleted, as if nothing stood before it.
		if first, _ := tx.kv.Bucket(bucket).Cursor().First(); found == nil && first != nil && bytes.Compare(first, key) < 0 {
			for found == nil {
				found, sealed = cursor.Prev()
			}
		}
	}
	if found == nil {
		return nil, nil, ErrNotFound
	}
	value, err = tx.unseal(bucket, found, sealed)
	return found, value, err
}
