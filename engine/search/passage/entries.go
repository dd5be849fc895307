package passage

import (
	"cmp"
	"sort"
	"strings"

	"dowse/engine"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// part of a chunk, in bytes from its beginning. One that goes on into the next chunk has no end.
type piece struct{ start, end int }

// toItsEnd is the end of a piece that is the rest of its chunk.
const toItsEnd = int(^uint(0) >> 1)

// inChunk calls fn for each entry that stands in a chunk, with the part of the chunk that is its.
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
		if day := snapshot.ShownTime(n.Date, n.Clock); !day.IsZero() && words > dated {
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
