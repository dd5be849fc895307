package noteapp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// isEvernote reports whether a file is an export of Evernote's, or of a program that writes the same.
func isEvernote(name string, head []byte) bool {
	return document.Extension(name) == "enex" && has(head, "<en-export")
}

// note is one of an export, by the elements of its published document type.
type note struct {
	Title    string   `xml:"title"`
	Content  string   `xml:"content"` // a page
	Created  string   `xml:"created"`
	Updated  string   `xml:"updated"`
	Tags     []string `xml:"tag"`
	Author   string   `xml:"note-attributes>author"`
	Source   string   `xml:"note-attributes>source-url"`
	Attached []struct {
		Data string `xml:"data"`
		MIME string `xml:"mime"`
		Name string `xml:"resource-attributes>file-name"`
	} `xml:"resource"`
}

// eachNote calls f with the notes of an export in turn, until it says that that is enough.
func eachNote(ctx context.Context, in *document.Input, f func(n *note) (more bool, err error)) error {
	decoder := xml.NewDecoder(bytes.NewReader(in.Data)) // Text would cut the attached files out
	decoder.Strict = false
	decoder.Entity = xml.HTMLEntity
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the type says UTF-8
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("its notes: %w", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "note" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var n note
		if err := decoder.DecodeElement(&n, &start); err != nil {
			return fmt.Errorf("a note: %w", err)
		}
		if more, err := f(&n); err != nil || !more {
			return err
		}
	}
}

// encrypted is what a person sealed within a note.
var encrypted = pattern.New(`(?s)<en-crypt\b.*?</en-crypt>`)

// readEvernote reads an export: notes with title, tags and time, and the files that are attached to them.
// What was read before the file breaks off stays.
func readEvernote(ctx context.Context, in *document.Input) (*document.Document, error) {
	w := &writer{Builder: in.Builder()}
	var last document.Meta
	attached := 0 // to the notes before
	err := eachNote(ctx, in, func(n *note) (bool, error) {
		last = n.meta()
		w.note(last)
		if encrypted.MatchString(n.Content) {
			w.Lack("what is encrypted within notes")
		}
		w.page(encrypted.ReplaceAllString(n.Content, ""))
		w.Paragraph(n.Source)
		for i := range n.Attached {
			name, data := n.file(i)
			if data == nil || in.Room() <= 0 {
				continue
			}
			d, err := in.Open(ctx, name, data)
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if err == nil {
				at := document.Part{Unit: document.Attachment, Number: attached + i + 1, Name: name}
				w.Place(at)
				w.Heading(2, name)
				w.Append(d, at)
			}
		}
		attached += len(n.Attached)
		return !w.Full(), nil
	})
	if err != nil && (w.notes == 0 || ctx.Err() != nil) {
		return nil, err
	}
	if err != nil {
		w.Lack("what follows a damaged note")
	}
	return w.finish("enex", last), nil
}

// partOfEvernote opens an attached file, by its number among all of the export.
func partOfEvernote(ctx context.Context, in *document.Input, part document.Part) (inner *document.Input, found bool, err error) {
	attached := 0
	err = eachNote(ctx, in, func(n *note) (bool, error) {
		i := part.Number - attached - 1
		attached += len(n.Attached)
		if part.Unit != document.Attachment || i < 0 || i >= len(n.Attached) {
			return true, nil
		}
		var err error
		if name, data := n.file(i); name == part.Name && data != nil {
			inner, err = in.Within(name, data)
		}
		return false, err
	})
	if err == nil && inner == nil {
		err = fmt.Errorf("%s: %w", part.Name, document.ErrNoPart)
	}
	return inner, inner != nil, err
}

// meta is what a note says of itself.
func (n *note) meta() document.Meta {
	m := document.Meta{Title: strings.TrimSpace(n.Title), Tags: n.Tags, Date: digits(n.Created)}
	if n.Author != "" {
		m.Authors = []string{n.Author}
	}
	if m.Date.IsZero() {
		m.Date = digits(n.Updated)
	}
	return m
}

// file is an attached one, nil of what is none.
func (n *note) file(i int) (name string, data []byte) {
	a := &n.Attached[i]
	name = a.Name
	if name == "" {
		name = fmt.Sprintf("attachment %d.%s", i+1, a.MIME[strings.LastIndexByte(a.MIME, '/')+1:])
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(a.Data), ""))
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return name, nil
	}
	return name, data
}
