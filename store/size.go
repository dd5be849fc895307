package store

import (
	"maps"

	"go.etcd.io/bbolt"
)

// Sizes returns what the bytes of the file are for. The parts add up to "total",
// the size of the file in use; vectors, postings, text and free pages are counted
// in whole pages, the rest by record:
//
//	vectors     of chunks that have no code yet
//	graph       links of chunks that resemble each other
//	pq          quantised vectors and their codebook
//	chunks      files, what they say of themselves, and their chunks
//	postings    of the lexical index, without
//	dictionary  its terms
//	text        of files that is slow to take out of them
//	free        pages that Updates to come may use, and the list of them
//	other       counters, roots, page tables and room left in pages
//
// It looks at every page of the index, once for each commit.
func (tx *Tx) Sizes() (map[string]int64, error) {
	if tx.bolt.Writable() {
		return tx.measure()
	}
	known := tx.db.sizes.Load()
	if known == nil || known.bolt != tx.bolt.DB() || known.commit != tx.Commit() {
		bytes, err := tx.measure()
		if err != nil {
			return nil, err
		}
		known = &measured{tx.bolt.DB(), tx.Commit(), bytes}
		tx.db.sizes.Store(known)
	}
	return maps.Clone(known.bytes), nil
}

// measured is what Sizes found in a file, which Vacuum replaces, at a commit.
type measured struct {
	bolt   *bbolt.DB
	commit uint64
	bytes  map[string]int64
}

// measure looks at every page.
func (tx *Tx) measure() (map[string]int64, error) {
	table := tx.tableBytes()
	sizes := map[string]int64{
		"vectors": tx.pageBytes(bucketVectors),
		"graph":   table[tableLinks] + table[tableUpperLinks],
		"pq":      table[tableCodes] + table[tableNextCodes] + table[tableCodebook],
		"chunks":  table[tableFolders] + table[tableFiles] + table[tableNames] + table[tableFacts] + table[tableEntries] + tx.pageBytes(bucketMarks),
		"text":    tx.pageBytes(bucketTexts),
		"free":    tx.freeBytes(),
	}
	dictionary, err := tx.dictionaryBytes()
	if err != nil {
		return nil, err
	}
	// Inline buckets take no pages of their own: never count below zero.
	lexical := tx.pageBytes(bucketPostings) + tx.pageBytes(bucketSegments)
	sizes["dictionary"] = min(dictionary, lexical)
	sizes["postings"] = lexical - sizes["dictionary"]
	total := tx.bolt.Size()
	rest := total
	for _, n := range sizes {
		rest -= n
	}
	sizes["other"], sizes["total"] = rest, total
	return sizes, nil
}

// tableBytes adds up what the records of each table take in their pages.
func (tx *Tx) tableBytes() (sum [tableEnd]int64) {
	cursor := tx.bolt.Bucket(bucketMain).Cursor()
	for key, sealed := cursor.First(); key != nil; key, sealed = cursor.Next() {
		t, _, ok := tableOf(key)
		if !ok {
			break // the named records come last
		}
		sum[t] += elementBytes + int64(len(key)+len(sealed))
	}
	return sum
}

// dictionaryBytes adds up what the segments of the lexical index say.
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
	s := tx.bolt.Bucket(bucket).Stats()
	return int64(s.BranchAlloc) + int64(s.LeafAlloc)
}

// freeBytes returns what no bucket uses, but for the two meta pages.
func (tx *Tx) freeBytes() int64 {
	s := tx.bolt.Cursor().Bucket().Stats()
	return tx.bolt.Size() - int64(s.BranchAlloc) - int64(s.LeafAlloc) - 2*int64(tx.bolt.DB().Info().PageSize)
}

// OpenReads returns how many Views of the file in use are under way. An Update that
// makes the file grow waits for them, and so does whoever waits for it.
func (db *DB) OpenReads() int {
	h := db.acquire()
	defer h.users.Done()
	return h.bolt.Stats().OpenTxN
}
