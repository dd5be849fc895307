package indexer

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/store"
)

// Bounds of what is kept of what a document says of itself.
const (
	maxFact  = 200  // bytes of a title, a name or a tag
	maxFacts = 1000 // authors, recipients or tags: a mailbox has many
)

// factsOf returns what the index keeps of what a document says of itself.
func factsOf(d *document.Document) store.Facts {
	return store.Facts{
		Format: d.Format, Title: fact(d.Meta.Title),
		Authors: facts(d.Meta.Authors), To: facts(d.Meta.To), Tags: facts(d.Meta.Tags),
		Lacking: fact(d.Lacking),
	}
}

// messagesOf returns what the index keeps of what the messages of a document say of
// themselves: nothing of one without text.
func messagesOf(d *document.Document, chunks []store.Chunk) (said []store.Message) {
	for i, m := range d.Messages {
		end := len(d.Text)
		if i+1 < len(d.Messages) {
			end = min(end, d.Messages[i+1].Offset)
		}
		// A chunk ends with the white space behind it.
		text := d.Text[min(m.Offset, end):end]
		start := end - len(strings.TrimLeftFunc(text, unicode.IsSpace))
		end -= len(text) - len(strings.TrimRightFunc(text, unicode.IsSpace))
		if start >= end {
			continue
		}
		message := store.Message{
			First: chunkAt(chunks, start), Last: chunkAt(chunks, end-1),
			Title: fact(m.Meta.Title), Authors: facts(m.Meta.Authors), To: facts(m.Meta.To), Tags: facts(m.Meta.Tags),
		}
		if !m.Meta.Date.IsZero() {
			message.Date = m.Meta.Date.Unix()
		}
		if message.Last < len(chunks) {
			said = append(said, message)
		}
	}
	return said
}

// chunkAt returns the place of the chunk that holds a byte of the text, len(chunks) of none.
func chunkAt(chunks []store.Chunk, offset int) int {
	return sort.Search(len(chunks), func(i int) bool { return chunks[i].End > int64(offset) })
}

// facts cleans a list, and leaves out what is there twice.
func facts(list []string) (out []string) {
	for _, s := range list {
		if s = fact(s); s != "" && !slices.Contains(out, s) && len(out) < maxFacts {
			out = append(out, s)
		}
	}
	return out
}

// fact puts a text on one line of valid UTF-8, and cuts what is too long for one.
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
