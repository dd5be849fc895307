package markup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"dowse/indexer/document"
)

// isBrowser reports whether a file is that in which Chromium, and browsers made of it, keep bookmarks.
func isBrowser(name string, head []byte) bool {
	return (name == "bookmarks" || name == "bookmarks.bak") && len(head) > 0 && head[0] == '{' && bytes.Contains(head, []byte(`"checksum"`)) && bytes.Contains(head, []byte(`"roots"`))
}

// bookmark is an address, or a folder of them, as Chromium keeps it.
type bookmark struct {
	Name, URL string
	Added     string `json:"date_added"` // millionths of a second since 1601
	Children  []bookmark
}

// readBrowser reads folders and addresses. The error is document.ErrBrowser where nobody asked for them.
func readBrowser(_ context.Context, in *document.Input) (*document.Document, error) {
	if !in.Browsers {
		return nil, document.ErrBrowser
	}
	var file struct {
		Roots struct {
			Bar    bookmark `json:"bookmark_bar"`
			Other  bookmark
			Synced bookmark
		}
	}
	if err := json.Unmarshal(in.Data, &file); err != nil {
		return nil, fmt.Errorf("its bookmarks: %w", err)
	}
	w := newWriter(in)
	for _, root := range []bookmark{file.Roots.Bar, file.Roots.Other, file.Roots.Synced} {
		for i := range root.Children {
			w.bookmark(&root.Children[i], 0)
		}
	}
	return w.document(document.Browser, document.Meta{}), nil
}

// bookmark writes one, and what is in it.
func (w *writer) bookmark(b *bookmark, depth int) {
	meta, text := document.Meta{}, b.Name
	if b.URL != "" {
		meta.Title, text = b.Name, b.Name+" ("+b.URL+")"
		if n, err := strconv.ParseInt(b.Added, 10, 64); err == nil {
			const since1970 = 11_644_473_600
			meta.Date = time.Unix(n/1_000_000-since1970, 0).UTC()
		}
	}
	w.Entry(meta)
	w.Item(depth, text)
	for i := range b.Children {
		w.bookmark(&b.Children[i], depth+1)
	}
}
