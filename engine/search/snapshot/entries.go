package snapshot

import (
	"sync"
	"unsafe"

	"dowse/store"
)

// keptEntries are what entries say, of the newest commit in which a filter asked: a filter is asked again at each
// keystroke. What a file's entries say never changes under its id.
type keptEntries struct {
	mu     sync.Mutex // held while they are read, so that one search reads them for all
	commit uint64
	files  map[uint32]*store.Entries // never changed once it is here
	held   int64
}

// entriesPool is the ledger's pool of what entries say.
const entriesPool = "search.entries"

// maxEntries is how many bytes of them are kept between searches: some million messages of chats, or 200,000 of
// mailboxes, each with a subject of its own.
const maxEntries = 64 << 20

// Entries returns those of all files that have some, in a commit.
func (x *Index) Entries(tx *store.Tx) (map[uint32]*store.Entries, error) {
	k := &x.entries
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files != nil && k.commit == tx.Commit() {
		return k.files, nil
	}
	files, held := map[uint32]*store.Entries{}, int64(0)
	err := tx.EachWithEntries(func(file uint32, read func() (store.Entries, error)) error {
		of := k.files[file]
		if of == nil {
			all, err := read()
			if err != nil {
				return err
			}
			of = &all
		}
		if len(of.List) > 0 {
			files[file] = of
			held += bytesOfEntries(of)
		}
		return nil
	})
	if err != nil || held > maxEntries || k.files != nil && k.commit > tx.Commit() {
		return files, err
	}
	x.opts.Ledger.Grow(entriesPool, max(0, held-k.held))
	x.opts.Ledger.Shrink(entriesPool, max(0, k.held-held))
	k.commit, k.files, k.held = tx.Commit(), files, held
	return files, nil
}

// EntriesIn returns those of one file.
func (x *Index) EntriesIn(tx *store.Tx, file uint32) (*store.Entries, error) {
	x.entries.mu.Lock()
	known := x.entries.files[file]
	x.entries.mu.Unlock()
	if known != nil {
		return known, nil
	}
	all, err := tx.Entries(file)
	return &all, err
}

// dropEntries forgets them.
func (x *Index) dropEntries() {
	k := &x.entries
	k.mu.Lock()
	defer k.mu.Unlock()
	x.opts.Ledger.Shrink(entriesPool, k.held)
	k.files, k.held = nil, 0
}

// bytesOfEntries is what those of a file take in memory.
func bytesOfEntries(e *store.Entries) int64 {
	n := int64(cap(e.List))*int64(unsafe.Sizeof(store.Entry{})) + int64(cap(e.About))*int64(unsafe.Sizeof(store.Said{}))
	for i := range e.About {
		s := &e.About[i]
		n += int64(len(s.Title))
		for _, list := range [][]string{s.Authors, s.To, s.Tags} {
			for _, text := range list {
				n += int64(unsafe.Sizeof(text)) + int64(len(text))
			}
		}
	}
	return n
}
