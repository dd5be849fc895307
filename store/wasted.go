package store

import "go.etcd.io/bbolt"

// Wasted is about how many bytes Vacuum would save: the size of the file less
// what its records take in full pages. The room that the ends of records must
// leave in a page is not wasted, since a new file has it too. It looks at every
// page.
func (db *DB) Wasted() (int64, error) {
	h := db.acquire()
	defer h.users.Done()
	info, err := h.file.Stat()
	if err != nil {
		return 0, err
	}
	wasted := info.Size()
	err = db.run(h.bolt.View, func(tx *Tx) error {
		wasted -= sparePages * pageBytes
		for _, name := range allBuckets {
			wasted -= packedBytes(tx.bolt.Bucket(name))
		}
		return nil
	})
	return max(0, wasted), err
}

const (
	// sparePages hold no records of buckets: two meta pages, the list of free
	// pages and the one it replaced, the root of the buckets and the one before.
	sparePages = 6
	// leastKeys is how many records bbolt puts into a page, however long they are.
	leastKeys = 2
)

// packedBytes returns what the records of a bucket take in pages that are as full as
// bbolt makes them where records come in the order of keys.
func packedBytes(bucket *bbolt.Bucket) int64 {
	leaves, branches := packing{size: pageHeaderBytes}, packing{size: pageHeaderBytes}
	cursor := bucket.Cursor()
	for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
		if leaves.add(elementBytes + len(key) + len(value)) {
			branches.add(elementBytes + len(key))
		}
	}
	total := leaves.end()
	if total > pageBytes {
		total += branches.end()
	}
	return total
}

// packing fills pages one after the other.
type packing struct {
	size, keys int   // of the page at work
	pages      int64 // bytes of those before it
}

// add puts a record into a page, and reports whether it is the first there.
func (p *packing) add(size int) (first bool) {
	if p.keys >= leastKeys && p.size+size > pageBytes {
		p.end()
	}
	p.keys++
	p.size += size
	return p.keys == 1
}

// end closes the page at work and returns the bytes of all.
func (p *packing) end() int64 {
	if p.keys > 0 {
		p.pages += int64((p.size + pageBytes - 1) / pageBytes * pageBytes)
	}
	p.size, p.keys = pageHeaderBytes, 0
	return p.pages
}
