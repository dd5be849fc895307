package noteapp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"dowse/indexer/document"
)

// isKeep reports whether a file of JSON is a note of Google Keep, as Takeout exports it.
func isKeep(name string, head []byte) bool {
	return document.Extension(name) == "json" && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) &&
		has(head, `"isTrashed"`, `"isPinned"`, `"isArchived"`) && (has(head, `"textContent"`) || has(head, `"listContent"`))
}

// readKeep reads a note once: the export holds its text also as HTML. One in the bin is left out.
func readKeep(_ context.Context, in *document.Input) (*document.Document, error) {
	var n struct {
		Title   string
		Text    string `json:"textContent"`
		Trashed bool   `json:"isTrashed"`
		Created int64  `json:"createdTimestampUsec"`
		Edited  int64  `json:"userEditedTimestampUsec"`
		List    []struct {
			Text    string
			Checked bool `json:"isChecked"`
		} `json:"listContent"`
		Labels []struct{ Name string }
		Links  []struct{ URL, Title, Description string } `json:"annotations"`
	}
	if err := json.Unmarshal(in.Data, &n); err != nil {
		return nil, fmt.Errorf("its note: %w", err)
	}
	w := &writer{Builder: in.Builder()}
	meta := document.Meta{Title: n.Title}
	if at := cmp.Or(max(n.Created, 0), n.Edited); at > 0 {
		meta.Date = time.UnixMicro(at).UTC()
	}
	for _, l := range n.Labels {
		meta.Tags = append(meta.Tags, l.Name)
	}
	if n.Trashed {
		return w.finish("keep", meta), nil
	}
	w.note(meta)
	w.Paragraph(n.Text)
	for _, item := range n.List {
		mark := "[ ] "
		if item.Checked {
			mark = "[x] "
		}
		w.Item(0, mark+item.Text)
	}
	w.EndRows()
	for _, l := range n.Links {
		w.Row([]string{"Link", "", ""}, []string{l.Title, l.Description, l.URL})
	}
	return w.finish("keep", meta), nil
}
