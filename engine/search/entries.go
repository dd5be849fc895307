package search

import (
	"cmp"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"dowse/engine"
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

// entriesOf returns those of all files that have some, in a commit.
func (e *Engine) entriesOf(tx *store.Tx) (map[uint32]*store.Entries, error) {
	k := &e.entries
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
	e.opts.Ledger.Grow(entriesPool, max(0, held-k.held))
	e.opts.Ledger.Shrink(entriesPool, max(0, k.held-held))
	k.commit, k.files, k.held = tx.Commit(), files, held
	return files, nil
}

// entriesIn returns those of one file.
func (e *Engine) entriesIn(tx *store.Tx, file uint32) (*store.Entries, error) {
	e.entries.mu.Lock()
	known := e.entries.files[file]
	e.entries.mu.Unlock()
	if known != nil {
		return known, nil
	}
	all, err := tx.Entries(file)
	return &all, err
}

// dropEntries forgets them.
func (e *Engine) dropEntries() {
	k := &e.entries
	k.mu.Lock()
	defer k.mu.Unlock()
	e.opts.Ledger.Shrink(entriesPool, k.held)
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

// part of a chunk, in bytes from its beginning. One that goes on into the next chunk has no end.
type piece struct{ start, end int }

// toItsEnd is the end of a piece that is the rest of its chunk.
const toItsEnd = int(^uint(0) >> 1)

// inChunk calls fn for the entries of which a part stands in a chunk, with that part.
func inChunk(e *store.Entries, chunk int, fn func(i int, at piece)) {
	i := sort.Search(len(e.List), func(i int) bool { return e.List[i].Chunk > chunk || e.List[i].Chunk == chunk && e.List[i].Offset > 0 }) - 1
	for i = max(i, 0); i < len(e.List) && e.List[i].Chunk <= chunk; i++ {
		at := piece{0, toItsEnd}
		if e.List[i].Chunk == chunk {
			at.start = e.List[i].Offset
		}
		if next := i + 1; next < len(e.List) && e.List[next].Chunk == chunk {
			at.end = e.List[next].Offset
		}
		if at.start < at.end {
			fn(i, at)
		}
	}
}

// aboutEntries returns what the entries say that a passage shows, which is a part of a chunk: all of their people and
// tags, and the title and the date of the one that has most of the query's words, of several the first. What none of
// them has to say of a title or a date, the file does.
func aboutEntries(e *store.Entries, chunk int, of piece, shown *engine.Passage, file engine.About) engine.About {
	about := engine.About{Format: file.Format}
	titled, dated := -1, -1 // words of the entries that said it so far
	inChunk(e, chunk, func(i int, at piece) {
		if at.start >= of.end || at.end <= of.start {
			return
		}
		n := &e.List[i]
		s := &e.About[n.About]
		words := marked(shown.Text, shown.Highlights, piece{at.start - of.start, at.end - of.start})
		about.Authors, about.To, about.Tags = joined(about.Authors, s.Authors), joined(about.To, s.To), joined(about.Tags, s.Tags)
		if s.Title != "" && words > titled {
			about.Title, titled = s.Title, words
		}
		if day := shownTime(n.Date, n.Clock); !day.IsZero() && words > dated {
			about.Date, dated = day, words
		}
	})
	about.Title = cmp.Or(about.Title, file.Title)
	if about.Date.IsZero() {
		about.Date = file.Date
	}
	return about
}

// marked returns how many words of a part of a text are marked, each counted once.
func marked(text string, marks []engine.Range, of piece) int {
	words := map[string]bool{}
	for _, m := range marks {
		if m.Start >= of.start && m.End <= of.end {
			words[strings.ToLower(text[m.Start:m.End])] = true
		}
	}
	return len(words)
}

// joined appends what is not there yet. The lists of the store are not written to.
func joined(list, more []string) []string {
	for _, s := range more {
		known := false
		for _, has := range list {
			known = known || has == s
		}
		if !known {
			list = append(list, s)
		}
	}
	return list
}
