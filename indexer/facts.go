package indexer

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/store"
)

// Bounds of the facts that are kept of a document.
const (
	maxFact  = 200  // bytes of a title, a name or a tag
	maxFacts = 1000 // authors, recipients or tags: a mailbox has many
)

// factsOf returns what the index keeps of what a document says of itself. People and tags of its entries are its own:
// filters look them up by file.
func factsOf(d *document.Document) store.Facts {
	authors, to, tags := distinct{}, distinct{}, distinct{}
	authors.add(d.Meta.Authors)
	to.add(d.Meta.To)
	tags.add(d.Meta.Tags)
	for i := range d.Entries {
		m := &d.Entries[i].Meta
		authors.add(m.Authors)
		to.add(m.To)
		tags.add(m.Tags)
	}
	return store.Facts{
		Format: d.Format, Title: fact(d.Meta.Title),
		Authors: authors.list, To: to.list, Tags: tags.list,
		Lacking: fact(d.Lacking),
	}
}

// entriesOf returns what the index keeps of the entries of a document: where in its chunks they begin, and what
// they say, each once. What stands before the first says what the document does.
func entriesOf(d *document.Document, chunks []store.Chunk) (e store.Entries) {
	if len(d.Entries) == 0 || len(chunks) == 0 {
		return e
	}
	known := map[string]int{}
	for i := -1; i < len(d.Entries); i++ {
		offset, end, meta := 0, len(d.Text), &d.Meta
		if i >= 0 {
			offset, meta = d.Entries[i].Offset, &d.Entries[i].Meta
		}
		if i+1 < len(d.Entries) {
			end = min(end, d.Entries[i+1].Offset)
		}
		text := d.Text[min(offset, end):end]
		start := end - len(strings.TrimLeftFunc(text, unicode.IsSpace))
		if start >= end {
			continue // it has no text
		}
		e.List = append(e.List, entryAt(d, chunks, start, meta))
		e.List[len(e.List)-1].About = addAbout(&e, known, meta)
	}
	return e
}

// entryAt returns where an entry begins, and of when it is.
func entryAt(d *document.Document, chunks []store.Chunk, start int, meta *document.Meta) store.Entry {
	at := chunkAt(chunks, start)
	n := store.Entry{Chunk: at}
	if from := int(chunks[at].Start); strings.TrimLeftFunc(d.Text[from:start], unicode.IsSpace) != "" {
		n.Offset = start - from
	}
	if !meta.Date.IsZero() && meta != &d.Meta {
		n.Date, n.Clock = meta.Date.Unix(), meta.Date.Location() == dates.Clock
	}
	return n
}

// addAbout returns the number of a meta among e.About, and adds it if it is new.
func addAbout(e *store.Entries, known map[string]int, meta *document.Meta) int {
	s := store.Said{Title: fact(meta.Title), Authors: facts(meta.Authors), To: facts(meta.To), Tags: facts(meta.Tags)}
	key := fmt.Sprintf("%q", s)
	about, is := known[key]
	if !is {
		about = len(e.About)
		known[key] = about
		e.About = append(e.About, s)
	}
	return about
}

// chunkAt returns the place of the chunk that holds a byte of the text, len(chunks) of none.
func chunkAt(chunks []store.Chunk, offset int) int {
	return sort.Search(len(chunks), func(i int) bool { return chunks[i].End > int64(offset) })
}

// facts cleans a list and drops duplicates.
func facts(list []string) []string {
	var d distinct
	d.add(list)
	return d.list
}

// distinct is a list of facts, each once.
type distinct struct {
	list  []string
	known map[string]bool
}

func (d *distinct) add(list []string) {
	for _, s := range list {
		if d.known[s] || len(d.list) == maxFacts {
			continue
		}
		if d.known == nil {
			d.known = map[string]bool{}
		}
		d.known[s] = true
		if s = fact(s); s != "" && !slices.Contains(d.list, s) {
			d.list = append(d.list, s)
		}
	}
}

// fact makes a text one line of valid UTF-8 of bounded length.
func fact(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\ufffd"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if len(s) <= maxFact {
		return s
	}
	end := maxFact
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
