package noteapp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// jsonNote is a note of an app that exports all of them in one object.
type jsonNote struct {
	title, text string
	tags        []string
	at          time.Time
}

// jsonApp is such an app.
type jsonApp struct {
	format string
	keys   []string // that its exports begin with, in any order
	read   func(data []byte) []jsonNote
}

var jsonApps = []jsonApp{
	{"dayone", []string{`"metadata"`, `"entries"`, `"version"`}, dayOne},
	{"standardnotes", []string{`"items"`, `"content_type"`, `"version"`}, standardNotes},
	{"simplenote", []string{`"activeNotes"`}, simplenote},
}

// jsonAppOf returns the app whose export begins with head, nil of none.
func jsonAppOf(name string, head []byte) *jsonApp {
	if ext := document.Extension(name); ext != "json" && ext != "txt" || !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return nil
	}
	for i := range jsonApps {
		if has(head, jsonApps[i].keys...) {
			return &jsonApps[i]
		}
	}
	return nil
}

func isJSONApp(name string, head []byte) bool { return jsonAppOf(name, head) != nil }

// readJSONApp reads the notes of an export, each with its title, which is its first line where it has no other one.
func readJSONApp(ctx context.Context, in *document.Input) (*document.Document, error) {
	app := jsonAppOf(in.Name, in.Data[:min(len(in.Data), 4<<10)])
	if app == nil {
		return nil, document.ErrOther
	}
	notes := app.read(in.Data)
	if len(notes) == 0 {
		return nil, document.ErrOther
	}
	w := &writer{Builder: in.Builder()}
	var meta document.Meta
	for _, n := range notes {
		if ctx.Err() != nil || w.Full() {
			break
		}
		n.text = pasted.ReplaceAllString(n.text, "\n")
		if n.title == "" {
			first, rest, _ := strings.Cut(strings.TrimSpace(n.text), "\n")
			if n.title = strings.TrimSpace(strings.TrimLeft(first, "# ")); len(n.title) > maxTitle {
				n.title = ""
			} else {
				n.text = rest
			}
		}
		n.text = blankLines.ReplaceAllString(strings.TrimSpace(n.text), "\n\n")
		meta = document.Meta{Title: n.title, Tags: n.tags, Date: n.at}
		w.note(meta)
		w.Append(&document.Document{Text: n.text, Kind: document.Markdown}, document.Part{Unit: document.Note, Number: w.notes, Name: n.title})
	}
	return w.finish(app.format, meta), ctx.Err()
}

// maxTitle is how many bytes a first line has that is a title.
const maxTitle = 200

// blankLines are what is left around pictures.
var blankLines = pattern.New(`\n\s*\n\s*\n`)

// pasted are pictures that Day One holds beside the text.
var pasted = pattern.New(`!\[[^\]]*\]\(dayone-moment:[^)]*\)`)

// dayOne reads the entries of a journal.
func dayOne(data []byte) (notes []jsonNote) {
	var in struct {
		Entries []struct {
			CreationDate, Text string
			Tags               []string
			Location           struct{ PlaceName, LocalityName, Country string }
		}
	}
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	for _, e := range in.Entries {
		if e.CreationDate == "" {
			continue
		}
		var place []string
		for _, name := range []string{e.Location.PlaceName, e.Location.LocalityName, e.Location.Country} {
			if name != "" {
				place = append(place, name)
			}
		}
		text := strings.ReplaceAll(e.Text, `\.`, ".") // as Day One escapes it
		notes = append(notes, jsonNote{text: text + "\n\n" + strings.Join(place, ", "), tags: e.Tags, at: dates.Parse(e.CreationDate)})
	}
	return notes
}

// standardNotes reads a backup that is not encrypted. Tags name the notes that have them.
func standardNotes(data []byte) (notes []jsonNote) {
	var in struct {
		Items []struct {
			UUID    string
			Type    string `json:"content_type"`
			Created string `json:"created_at"`
			Deleted bool
			Content json.RawMessage
		}
	}
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	type content struct {
		Title, Text string
		Trashed     bool
		References  []struct{ UUID string }
	}
	tags := map[string][]string{}
	for _, pass := range []string{"Tag", "Note"} {
		for _, i := range in.Items {
			var c content
			if i.Type != pass || i.Deleted || json.Unmarshal(i.Content, &c) != nil || c.Trashed {
				continue
			}
			if pass == "Tag" {
				for _, r := range c.References {
					tags[r.UUID] = append(tags[r.UUID], c.Title)
				}
				continue
			}
			notes = append(notes, jsonNote{title: c.Title, text: superText(c.Text), tags: tags[i.UUID], at: dates.Parse(i.Created)})
		}
	}
	return notes
}

// superText returns the words of a note that is kept as a tree; others stay.
func superText(text string) string {
	if !strings.HasPrefix(text, `{"root"`) {
		return text
	}
	type node struct {
		Text, Type string
		Children   []json.RawMessage
	}
	var all strings.Builder
	var walk func(raw json.RawMessage)
	walk = func(raw json.RawMessage) {
		var n node
		if json.Unmarshal(raw, &n) != nil {
			return
		}
		all.WriteString(n.Text)
		for _, c := range n.Children {
			walk(c)
		}
		if n.Text == "" && n.Type != "link" {
			all.WriteString("\n\n")
		}
	}
	var tree struct{ Root json.RawMessage }
	_ = json.Unmarshal([]byte(text), &tree) // a damaged one has no root
	walk(tree.Root)
	return all.String()
}

// simplenote reads the notes that are not in the bin.
func simplenote(data []byte) (notes []jsonNote) {
	var in struct {
		ActiveNotes []struct {
			Content, CreationDate string
			Tags                  []string
		}
	}
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	for _, n := range in.ActiveNotes {
		notes = append(notes, jsonNote{text: n.Content, tags: n.Tags, at: dates.Parse(n.CreationDate)})
	}
	return notes
}
