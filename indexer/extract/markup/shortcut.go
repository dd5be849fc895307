package markup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// shortcutFields are what a file says that leads to a page or a program, in the order in which it is written.
var shortcutFields = []string{"Name", "GenericName", "Comment", "Keywords", "URL"}

var shortcutLine = pattern.New(`^(\w+)\s*=\s*(.*)$`)

// plistAddress is the address in a .webloc, as text or in the binary form of Apple's lists, in which it stands as it is.
var plistAddress = pattern.New(`https?://[\x21-\x7e]+`)

// readShortcut reads where a .url, a .webloc or a .desktop leads. Names in other languages are left out.
func readShortcut(ctx context.Context, in *document.Input) (*document.Document, error) {
	said := map[string]string{}
	if bytes.HasPrefix(in.Data, []byte("bplist")) {
		said["URL"] = string(plistAddress.Find(in.Data))
	} else {
		text, err := in.Text(ctx, in.Data)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(bytes.TrimSpace([]byte(text)), []byte("<")) {
			var list struct {
				URL string `xml:"dict>string"`
			}
			if xml.Unmarshal([]byte(text), &list) != nil {
				return nil, document.ErrOther
			}
			said["URL"] = list.URL
		}
		for line := range strings.Lines(text) {
			if m := shortcutLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil && said[m[1]] == "" {
				said[m[1]] = m[2]
			}
		}
	}
	w := newWriter(in)
	w.from(1)
	meta := document.Meta{Title: said["Name"]}
	if meta.Title == "" {
		base := in.Name[strings.LastIndexByte(in.Name, '/')+1:]
		meta.Title = strings.TrimSuffix(base, base[max(strings.LastIndexByte(base, '.'), 0):])
	}
	any := ""
	for _, name := range shortcutFields {
		any = cmp.Or(any, said[name])
	}
	if any == "" {
		return nil, document.ErrOther
	}
	w.Heading(1, meta.Title)
	said["Keywords"] = strings.ReplaceAll(said["Keywords"], ";", " ")
	for _, name := range shortcutFields[1:] {
		w.Paragraph(said[name])
	}
	return w.document("shortcut", meta), nil
}
