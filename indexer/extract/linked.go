package extract

import (
	"encoding/json"
	"strings"

	"dowse/indexer/document"
)

// Bounds of the linked data of a page.
const (
	maxLinked      = 8 // blocks of a page
	maxLinkedDepth = 4 // of objects within objects
)

// noteLinked takes what a page says of itself as JSON-LD (schema.org), anywhere in what is looked
// at of it: pages have it in their head or at their end. It counts behind what tags say.
func noteLinked(m *document.Meta, source string) {
	const kind, open, end = "application/ld+json", "<script", "</script"
	for range maxLinked {
		_, after, found := strings.Cut(source, kind)
		if !found {
			return
		}
		before := source[:len(source)-len(after)-len(kind)]
		source = after
		tag := strings.LastIndexByte(before, '<')
		if tag < 0 || len(before)-tag > maxOpen || !strings.EqualFold(before[tag:min(len(before), tag+len(open))], open) {
			continue // a word of the text
		}
		if _, source, found = strings.Cut(source, ">"); !found {
			return
		}
		block, _, _ := strings.Cut(source, end)
		var value any
		if json.Unmarshal([]byte(block), &value) == nil {
			noteObject(m, value, maxLinkedDepth)
		}
	}
}

const maxOpen = 1 << 10 // bytes of a tag before its type

// noteObject takes what an object, or the first of a list that does, says of a work.
func noteObject(m *document.Meta, value any, depth int) {
	if depth == 0 {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			noteObject(m, each, depth-1)
		}
	case map[string]any:
		_, isHeaded := v["headline"]
		_, isDated := v["datePublished"]
		if isHeaded || isDated {
			work := document.Meta{}
			note(&work, "title", linkedTexts(v["headline"]))
			note(&work, "date", linkedTexts(v["datePublished"]))
			note(&work, "date", linkedTexts(v["dateCreated"]))
			note(&work, "authors", linkedTexts(v["author"]))
			note(&work, "keywords", linkedTexts(v["keywords"]))
			addMissing(m, work)
		}
		for _, key := range []string{"@graph", "mainEntity"} {
			noteObject(m, v[key], depth-1)
		}
	}
}

// addMissing takes what other says and m does not.
func addMissing(m *document.Meta, other document.Meta) {
	if m.Title == "" {
		m.Title = other.Title
	}
	if m.Date.IsZero() {
		m.Date = other.Date
	}
	if len(m.Authors) == 0 {
		m.Authors = other.Authors
	}
	if len(m.Tags) == 0 {
		m.Tags = other.Tags
	}
}

// linkedTexts returns a value as texts: things have names.
func linkedTexts(value any) []string {
	switch v := value.(type) {
	case string:
		if v = strings.Join(strings.Fields(v), " "); v != "" {
			return []string{v}
		}
	case []any:
		var out []string
		for _, each := range v {
			if _, isList := each.([]any); !isList {
				out = append(out, linkedTexts(each)...)
			}
		}
		return out
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			return linkedTexts(name)
		}
	}
	return nil
}
