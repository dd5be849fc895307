package office

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"dowse/indexer/document"
)

// maxTopics is how deep topics are read that stand below each other.
const maxTopics = 500

// topic is a node of a mind map, as XMind has written it since 2020.
type topic struct {
	Title string
	Notes struct {
		Plain struct{ Content string }
	}
	Labels     []string
	Boundaries []struct{ Title string }
	Children   struct{ Attached, Detached, Summary, Callout []topic }
}

// mapSheet is a sheet of mind maps.
type mapSheet struct {
	Title         string
	RootTopic     topic
	Relationships []struct{ Title string }
}

// readXMind reads a mind map: topics as items below each other, with their notes and labels.
func readXMind(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	if !p.has("content.json") {
		r := mapReader{b: b}
		if err := p.events(ctx, "content.xml", &r); err != nil {
			return nil, err
		}
		return b.Document("xmind", document.Meta{}), nil
	}
	data, err := p.read("content.json")
	if err != nil {
		return nil, err
	}
	var sheets []mapSheet
	if err := json.Unmarshal(data, &sheets); err != nil {
		return nil, fmt.Errorf("content.json: %w", err)
	}
	for _, s := range sheets {
		b.Place(document.Part{Unit: document.Sheet, Name: s.Title})
		b.Heading(1, s.RootTopic.Title)
		s.RootTopic.Title = ""
		writeTopic(b, s.RootTopic, 0)
		for _, r := range s.Relationships {
			b.Item(0, r.Title)
		}
	}
	return b.Document("xmind", document.Meta{}), nil
}

// writeTopic writes a topic and what is below it. Level 0 is that of the sheet.
func writeTopic(b *document.Builder, t topic, level int) {
	if level > maxTopics || b.Full() {
		return
	}
	b.Item(level-1, labelled(t.Title, t.Labels))
	b.Paragraph(t.Notes.Plain.Content)
	for _, boundary := range t.Boundaries {
		b.Item(level, boundary.Title)
	}
	for _, below := range [][]topic{t.Children.Attached, t.Children.Callout, t.Children.Summary, t.Children.Detached} {
		for _, next := range below {
			writeTopic(b, next, level+1)
		}
	}
}

// labelled returns a title with the labels behind it.
func labelled(title string, labels []string) string {
	if len(labels) == 0 {
		return title
	}
	return title + " (" + strings.Join(labels, ", ") + ")"
}

// mapReader reads the XML that XMind wrote before.
type mapReader struct {
	b     *document.Builder
	level int
	inTag string // title, plain or label
	chars strings.Builder
}

func (m *mapReader) start(e element) (skip bool) {
	switch e.name {
	case "topic":
		m.level++
	case "sheet":
		m.level = 0
		m.b.Place(document.Part{Unit: document.Sheet})
	case "title", "plain", "label":
		m.inTag = e.name
		m.chars.Reset()
	case "html":
		return true // the notes again
	}
	return false
}

func (m *mapReader) text(s string) {
	if m.inTag != "" {
		m.chars.WriteString(s)
	}
}

func (m *mapReader) end(name string) {
	switch {
	case name == "topic":
		m.level = max(m.level-1, 0)
		return
	case name != m.inTag || name == "":
		return
	case name == "plain":
		m.b.Paragraph(m.chars.String())
	case name == "title" && m.level == 1:
		m.b.Heading(1, m.chars.String())
	default:
		m.b.Item(min(max(m.level-2, 0), maxTopics), m.chars.String())
	}
	m.inTag = ""
}
