package indexer

import (
	"slices"
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
