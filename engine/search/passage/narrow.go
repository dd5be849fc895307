package passage

import (
	"strings"

	"dowse/engine"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// A chunk may hold several short entries, and a filter lets some pass. Shown, reranked and quoted is one run of passing
// entries: the one with most of the query's words. Where the chunk has words of the query, but no passing entry has,
// nothing is shown: the chunk was found for an entry that does not pass.

// narrowing is what chunks are narrowed by.
type narrowing struct{ filter *snapshot.Filter }

// NarrowBy has chunks that are read narrowed to the entries that pass a filter, and lines of logs chosen by the words of a query.
func (v *Commit) NarrowBy(f *snapshot.Filter, q *engine.Query) {
	v.narrowing, v.query = nil, q
	if len(f.Entries) > 0 {
		v.narrowing = &narrowing{f}
	}
}

// narrow leaves of a chunk what passes, and of a log the lines that are shown; false where that is nothing, or nothing of
// what was looked for. A chunk that is read again is narrowed again, from the whole.
func (r *Reader) narrow(text *Text, file *store.File, place int) bool {
	whole := piece{0, len(text.Body)}
	at, found := r.passing(text, file, place)
	if !found {
		return false
	}
	start := int(r.chunks[place].Start)
	if at != whole {
		text.show(r.text, start+at.start, start+at.end)
	}
	if lines := r.shownLines(text.Body, file); lines != (piece{0, len(text.Body)}) {
		at = piece{at.start + lines.start, at.start + lines.end}
		text.show(r.text, start+at.start, start+at.end)
	}
	if at == whole {
		return true
	}
	if r.narrowed == nil {
		r.narrowed = map[uint32]piece{}
	}
	r.narrowed[text.id] = at
	return true
}

// passing returns what of a chunk passes the filters on entries; false where that is nothing, or nothing of what was looked for.
func (r *Reader) passing(text *Text, file *store.File, place int) (at piece, found bool) {
	whole := piece{0, len(text.Body)}
	if r.narrowing == nil || r.narrowing.filter.Entries[file.ID] == nil {
		return whole, true
	}
	runs, all := r.passingIn(file, text.Body, place)
	if all {
		return whole, true
	}
	if len(runs) == 0 {
		return piece{}, false
	}
	return r.mostTelling(text.Body, runs)
}

// passingIn returns the runs of entries that pass in the text of a chunk, without white space around them, and
// whether they are all of it.
func (r *Reader) passingIn(file *store.File, body string, place int) (runs []piece, all bool) {
	entries := r.narrowing.filter.Entries[file.ID]
	if r.passes == nil {
		r.passes = make([]bool, len(entries.List))
		for i := range r.narrowing.filter.Passing(file, entries) {
			r.passes[i] = true
		}
	}
	all = true
	goesOn := false
	inChunk(entries, place, func(i int, at piece) {
		at.start, at.end = min(at.start, len(body)), min(at.end, len(body))
		blank := strings.TrimSpace(body[at.start:at.end]) == ""
		switch {
		case blank:
		case !r.passes[i]:
			all, goesOn = false, false
		case goesOn:
			runs[len(runs)-1].end = at.end
		default:
			runs, goesOn = append(runs, at), true
		}
	})
	for i, at := range runs {
		text := body[at.start:at.end]
		runs[i].start = at.end - len(strings.TrimLeft(text, blanks))
		runs[i].end = at.start + len(strings.TrimRight(text, blanks))
	}
	return runs, all
}

// mostTelling returns the run with most of the query's words, and of runs that have as many the first. found is false
// where the text has some and none of them stands in a run.
func (r *Reader) mostTelling(body string, runs []piece) (best piece, found bool) {
	marks := r.highlighted(body)
	if len(marks) == 0 {
		return runs[0], true
	}
	most := 0
	for _, at := range runs {
		if words := marked(body, marks, at); words > most {
			best, most = at, words
		}
	}
	return best, most > 0
}
