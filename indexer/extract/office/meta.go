package office

import (
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
)

// maxMeta bounds what is taken of a property: some programs keep whole texts in one.
const maxMeta = 500

// properties takes what a file says of itself from the elements of Dublin Core and those
// that Office, OpenDocument and EPUB have beside them.
type properties struct {
	meta           document.Meta
	value          strings.Builder
	first          string    // who began the document
	changed, began time.Time // when it was saved last, and made
}

func (p *properties) start(element) bool { p.value.Reset(); return false }

func (p *properties) text(s string) {
	if p.value.Len() < maxMeta {
		p.value.WriteString(s)
	}
}

func (p *properties) end(name string) {
	value := strings.Join(strings.Fields(p.value.String()), " ")
	p.value.Reset()
	if value == "" || len(value) > maxMeta || len(p.meta.Authors)+len(p.meta.Tags) > 100 {
		return
	}
	switch name {
	case "title":
		if p.meta.Title == "" {
			p.meta.Title = value
		}
	case "creator":
		p.meta.Authors = append(p.meta.Authors, people(value)...)
	case "initial-creator":
		p.first = value
	case "keyword", "keywords", "subject":
		p.meta.Tags = append(p.meta.Tags, splitTags(value)...)
	case "modified":
		p.changed = parseTime(value)
	case "date":
		if p.changed.IsZero() {
			p.changed = parseTime(value)
		}
	case "created", "creation-date":
		p.began = parseTime(value)
	}
}

// result returns what was said.
func (p *properties) result() document.Meta {
	m := p.meta
	if p.first != "" { // of OpenDocument, where creator is who saved it last
		m.Authors = people(p.first)
	}
	if m.Date = p.changed; m.Date.IsZero() {
		m.Date = p.began
	}
	return m.Said()
}

// properties reads the part of a file that says what it is. A file without it says nothing.
func (p *parts) properties(ctx context.Context, name string) (document.Meta, error) {
	if name == "" || !p.has(name) {
		return document.Meta{}, nil
	}
	var said properties
	err := p.events(ctx, name, &said)
	return said.result(), err
}

// splitTags takes keywords apart.
func splitTags(s string) []string {
	var tags []string
	for _, tag := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// people takes the names of several authors apart, as Office writes them into one property.
func people(s string) []string {
	var names []string
	for name := range strings.SplitSeq(s, ";") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// parseTime reads the forms of ISO 8601 that are met, and days as English writes them out, and returns the zero time for others.
func parseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02", "2006-01", "2006",
		"2 January 2006", "January 2, 2006", "January 2 2006", "2 Jan 2006", "Jan 2, 2006", "January 2006"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return t.UTC()
		}
	}
	return time.Time{}
}
