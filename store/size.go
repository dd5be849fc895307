package store

import (
	"maps"

	"go.etcd.io/bbolt"
)

// Sizes returns what the bytes of the file hold. The parts add up to "total".
// Vectors, postings, text and free pages are counted in whole pages, the rest
// by record:
//
//	vectors     of chunks without a code
//	graph       links of similar chunks
//	pq          quantised vectors and their codebook
//	kept        vectors that searches asked for, and those computed ahead
//	chunks      files, their facts and their chunks
//	postings    of the lexical index, without its terms
//	dictionary  terms of the lexical index
//	text        of files in slow formats
//	free        pages for later Updates, and their list
//	other       counters, roots, page tables and room left in pages
//
// It reads every page, once for each commit.
func (tx *Tx) Sizes() (map[string]int64, error) {
	if tx.db.server {
		return nil, errOnServer
	}
	if tx.kv.Writable() {
		return tx.measure()
	}
	known := tx.db.sizes.Load()
	if known == nil || known.bolt != tx.bolt().DB() || known.commit != tx.Commit() {
		bytes, err := tx.measure()
		if err != nil {
			return nil, err
		}
		known = &measured{tx.bolt().DB(), tx.Commit(), bytes}
		tx.db.sizes.Store(known)
	}
	return maps.Clone(known.bytes), nil
}

// measured is what Sizes found in a file at a commit.
type measured struct {
	bolt   *bbolt.DB
	commit uint64
	bytes  map[string]int64
}

func (tx *Tx) measure() (map[string]int64, error) {
	table := tx.tableBytes()
	sizes := map[string]int64{
		"vectors": tx.pageBytes(bucketVectors),
		"graph":   table[tableLinks] + table[tableUpperLinks],
		"pq":      table[tableCodes] + table[tableNextCodes] + table[tableCodebook],
		"kept":    table[tableKept],
		"chunks":  table[tableFolders] + table[tableFiles] + table[tableNames] + table[tableFacts] + table[tableEntries] + tx.pageBytes(bucketMarks),
		"text":    tx.pageBytes(bucketTexts),
		"free":    tx.freeBytes(),
	}
	dictionary, err := tx.dictionaryBytes()
	if err != nil {
		return nil, err
	}
	// Inline buckets have no pages: never count below zero.
	lexical := tx.pageBytes(bucketPostings) + tx.pageBytes(bucketSegments)
	sizes["dictionary"] = min(dictionary, lexical)
	sizes["postings"] = lexical - sizes["dictionary"]
	total := tx.bolt().Size()
	rest := total
	for _, n := range sizes {
		rest -= n
	}
	sizes["other"], sizes["total"] = rest, total
	return sizes, nil
}

// tableBytes adds up the records of each table.
func (tx *Tx) tableBytes() (sum [tableEnd]int64) {
	cursor := tx.kv.Bucket(bucketMain).Cursor()
	for key, sealed := cursor.First(); key != nil; key, sealed = cursor.Next() {
		t, _, ok := tableOf(key)
		if !ok {
			break // the named records come last
		}
		sum[t] += elementBytes + int64(len(key)+len(sealed))
	}
	return sum
}

func (tx *Tx) dictionaryBytes() (sum int64, err error) {
	postings := tx.Postings()
	segments, err := postings.Segments()
	if err != nil {
		return 0, err
	}
	for _, id := range segments {
		dictionary, _, err := postings.header(id)
		if err != nil {
			return 0, err
		}
		sum += dictionary
	}
	return sum, nil
}

func (tx *Tx) pageBytes(bucket []byte) int64 {
	s := tx.bolt().Bucket(bucket).Stats()
	return int64(s.BranchAlloc) + int64(s.LeafAlloc)
}

// freeBytes returns what no bucket uses, without the two meta pages.
func (tx *Tx) freeBytes() int64 {
	s := tx.bolt().Cursor().Bucket().Stats()
	return tx.bolt().Size() - int64(s.BranchAlloc) - int64(s.LeafAlloc) - 2*int64(tx.bolt().DB().Info().PageSize)
}

// OpenReads counts running Views of the file in use, none where there is no file. An Update that enlarges
// the file waits for them.
func (db *DB) OpenReads() int {
	h := db.acquire()
	defer h.users.Done()
	if h.bolt == nil {
		return 0
	}
	return h.bolt.Stats().OpenTxN
}

// Wasted estimates the bytes that Vacuum would save: the size of the file less
// its records in full pages and the room that ends of records leave in them. It
// reads every page.
func (db *DB) Wasted() (int64, error) {
	h := db.acquire()
	defer h.users.Done()
	if h.bolt == nil {
		return 0, errOnServer
	}
	info, err := h.file.Stat()
	if err != nil {
		return 0, err
	}
	wasted := info.Size()
	err = db.run(h.kv.View, func(tx *Tx) error {
		wasted -= sparePages * pageBytes
		for _, name := range allBuckets {
			wasted -= packedBytes(tx.bolt().Bucket(name))
		}
		return nil
	})
	return max(0, wasted), err
}

const (
	// sparePages hold no records: two meta pages, the free list and its
	// predecessor, the root of the buckets and its predecessor.
	sparePages = 6
	// leastKeys is how many records bbolt puts into a page at least.
	leastKeys = 2
)

// packedBytes returns what the records of a bucket take in pages as full as
// bbolt makes them when keys come in order.
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

type packing struct {
	size, keys int   // of the page at work
	pages      int64 // bytes of the pages before it
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

// end closes the page and returns the bytes of all.
func (p *packing) end() int64 {
	if p.keys > 0 {
		p.pages += int64((p.size + pageBytes - 1) / pageBytes * pageBytes)
	}
	p.size, p.keys = pageHeaderBytes, 0
	return p.pages
}
