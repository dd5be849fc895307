package noteapp

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// Joplin keeps notes, notebooks, tags and attached files as items: a title, a blank line, a text, a blank line, names and values. An
// export (.jex) is a tar of them, and of the attached files; a raw one a folder.

// joplinItem is one of them.
type joplinItem struct {
	title, body string
	said        map[string]string
}

// Kinds of items, as type_ tells them.
const (
	joplinNote     = "1"
	joplinNotebook = "2"
	joplinResource = "4"
	joplinTag      = "5"
	joplinTagged   = "6" // which note has which tag
)

var (
	joplinName = pattern.New(`^[0-9a-f]{32}\.md$`)
	// joplinTail is what stands behind the text of an item.
	joplinTail = pattern.New(`(?s)(?:^|\n\n)(id: [0-9a-f]{32}\n(?:[a-z_]+:[^\n]*\n)*type_: \d+)\s*$`)
	// joplinLink leads to an item, of a picture too.
	joplinLink = pattern.New(`\]\(:/[0-9a-f]{32}[^)]*\)`)
)

// maxTail bounds where the tail is looked for.
const maxTail = 8 << 10

// joplinItemOf reads an item; false where a text is none.
func joplinItemOf(data string) (item joplinItem, ok bool) {
	start := max(len(data)-maxTail, 0)
	m := joplinTail.FindStringSubmatchIndex(data[start:])
	if m == nil {
		return item, false
	}
	item.said = map[string]string{}
	for line := range strings.Lines(data[start+m[2] : start+m[3]]) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		item.said[name] = value
	}
	item.title, item.body, _ = strings.Cut(data[:start+m[0]], "\n")
	item.body = joplinLink.ReplaceAllString(strings.TrimSpace(item.body), "]")
	return item, true
}

// meta is what a note says of itself.
func (i *joplinItem) meta(tags []string) document.Meta {
	m := document.Meta{Title: i.title, Tags: tags, Date: dates.Parse(i.said["user_created_time"])}
	if m.Date.IsZero() {
		m.Date = dates.Parse(i.said["created_time"])
	}
	if by := i.said["author"]; by != "" {
		m.Authors = []string{by}
	}
	return m
}

// write writes a note that stands in a notebook.
func (i *joplinItem) write(w *writer, tags []string, notebook string) document.Meta {
	meta := i.meta(tags)
	w.note(meta)
	w.Row([]string{"Notebook"}, []string{notebook})
	w.EndRows()
	if i.body != "" {
		w.Append(&document.Document{Text: i.body, Kind: document.Markdown}, document.Part{Unit: document.Note, Number: w.notes, Name: i.title})
	}
	w.Paragraph(i.said["source_url"])
	return meta
}

func isJoplinItem(name string, head []byte) bool {
	return joplinName.MatchString(path.Base(name)) && len(head) > 0
}

// readJoplinItem reads one of a raw export. Which tags it has, other files say.
func readJoplinItem(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	item, ok := joplinItemOf(strings.ReplaceAll(text, "\r\n", "\n"))
	if !ok {
		return nil, document.ErrOther
	}
	w := &writer{Builder: in.Builder()}
	if item.said["type_"] == joplinNote {
		return w.finish("joplin", item.write(w, nil, "")), nil
	}
	if item.said["type_"] == joplinNotebook {
		w.Paragraph(item.title)
	}
	return w.finish("joplin", document.Meta{}), nil
}

func isJoplin(name string, head []byte) bool {
	return document.Extension(name) == "jex" && len(head) >= 512 && bytes.HasPrefix(head[257:], []byte("ustar"))
}

// eachMember calls f with the files of an export in turn. It ends at damage.
func eachMember(ctx context.Context, in *document.Input, f func(name string, r io.Reader) error) error {
	for t := tar.NewReader(bytes.NewReader(in.Data)); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("its files: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if h.Typeflag == tar.TypeReg {
			if err := f(h.Name, t); err != nil {
				return err
			}
		}
	}
}

// readJoplin reads an export: notes in their order with notebook, tags and time, and the files that are attached to them.
func readJoplin(ctx context.Context, in *document.Input) (*document.Document, error) {
	items, notes := map[string]joplinItem{}, []joplinItem(nil)
	tags := map[string][]string{} // ids of tags, by that of the note
	err := eachMember(ctx, in, func(name string, r io.Reader) error {
		if !joplinName.MatchString(name) {
			return nil
		}
		data, err := in.Unpack(io.LimitReader(r, maxBytes), 0)
		if err != nil {
			return err
		}
		item, ok := joplinItemOf(strings.ToValidUTF8(string(data), "\ufffd"))
		switch {
		case !ok:
		case item.said["type_"] == joplinNote:
			notes = append(notes, item)
		case item.said["type_"] == joplinTagged:
			tags[item.said["note_id"]] = append(tags[item.said["note_id"]], item.said["tag_id"])
		default:
			item.body = ""
			items[item.said["id"]] = item
		}
		return nil
	})
	if err != nil && (len(notes) == 0 || ctx.Err() != nil) {
		return nil, err
	}
	w := &writer{Builder: in.Builder()}
	if err != nil {
		w.Lack("what follows a damaged file")
	}
	var last document.Meta
	for i := range notes {
		if n := &notes[i]; !w.Full() {
			var names []string
			for _, id := range tags[n.said["id"]] {
				names = append(names, items[id].title)
			}
			slices.Sort(names)
			last = n.write(w, names, items[n.said["parent_id"]].title)
		}
	}
	err = eachMember(ctx, in, func(name string, r io.Reader) error {
		id, isAttached := strings.CutPrefix(name, "resources/")
		if !isAttached || in.Room() <= 0 {
			return nil
		}
		data, err := in.Unpack(io.LimitReader(r, maxBytes), 0)
		if err != nil {
			return err
		}
		id = strings.TrimSuffix(id, path.Ext(id))
		title := items[id].title
		if d, err := in.Open(ctx, title+path.Ext(name), data); err == nil {
			at := document.Part{Unit: document.Attachment, Name: name}
			w.Place(at)
			w.Entry(document.Meta{Title: title})
			w.Heading(1, title)
			w.Append(d, at)
		}
		return ctx.Err()
	})
	if ctx.Err() != nil {
		return nil, err
	}
	return w.finish("joplin", last), nil
}

// partOfJoplin opens an attached file.
func partOfJoplin(ctx context.Context, in *document.Input, part document.Part) (inner *document.Input, found bool, err error) {
	err = eachMember(ctx, in, func(name string, r io.Reader) error {
		if part.Unit != document.Attachment || name != part.Name {
			return nil
		}
		data, err := in.Unpack(io.LimitReader(r, maxBytes), 0)
		if err == nil {
			inner, err = in.Within(name, data)
		}
		return err
	})
	if inner == nil && err == nil {
		err = document.ErrNoPart
	}
	return inner, inner != nil, err
}
