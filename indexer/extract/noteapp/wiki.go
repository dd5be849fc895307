package noteapp

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// isWiki reports whether a page is a TiddlyWiki, which holds all of its tiddlers.
func isWiki(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "html" || ext == "htm") && has(head, `name="application-name" content="TiddlyWiki"`)
}

// wikiStore begins the tiddlers of a wiki of version 5.2 or later.
var wikiStore = pattern.New(`<script[^>]*class="tiddlywiki-tiddler-store"[^>]*>`)

// ofSystem begins the titles of tiddlers that are the program's.
const ofSystem = "$:/"

// readWiki reads the tiddlers that people wrote, in the order of the file. The error is document.ErrOther for a
// wiki that keeps them otherwise, or elsewhere.
func readWiki(ctx context.Context, in *document.Input) (*document.Document, error) {
	text := in.Data // Text would cut pictures out of the strings
	w := &writer{Builder: in.Builder()}
	var last document.Meta
	for _, at := range wikiStore.FindAllIndex(text, -1) {
		d := json.NewDecoder(bytes.NewReader(text[at[1]:]))
		if _, err := d.Token(); err != nil {
			continue
		}
		for d.More() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			var t map[string]string
			if err := d.Decode(&t); err != nil {
				w.Lack("what follows a damaged tiddler")
				break
			}
			if !strings.HasPrefix(t["title"], ofSystem) && !w.Full() {
				last = w.tiddler(t)
			}
		}
	}
	if w.notes == 0 {
		return nil, document.ErrOther
	}
	return w.finish("tiddlywiki", last), nil
}

// readTiddler reads one in a file of its own: fields, a blank line, the text.
func readTiddler(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	head, body, found := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	if !found || !strings.Contains(head, "title:") {
		return nil, document.ErrOther
	}
	t := map[string]string{"text": body}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(line, ":")
		t[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	w := &writer{Builder: in.Builder()}
	return w.finish("tiddlywiki", w.tiddler(t)), nil
}

// tiddler writes one by its fields.
func (w *writer) tiddler(t map[string]string) document.Meta {
	meta := document.Meta{Title: t["title"], Tags: wikiList(t["tags"]), Date: digits(t["created"])}
	if t["creator"] != "" {
		meta.Authors = []string{t["creator"]}
	}
	w.note(meta)
	w.Paragraph(t["description"])
	switch t["type"] {
	case "", "text/vnd.tiddlywiki":
		w.wikitext(t["text"])
	case "text/x-markdown", "text/markdown":
		w.Append(&document.Document{Text: t["text"], Kind: document.Markdown})
	case "text/html":
		w.page(t["text"])
	case "text/plain", "text/csv", "text/x-tiddlywiki":
		w.Paragraph(t["text"])
	}
	return meta
}

// wikiNames are the parts of a list of titles: one with blanks stands in brackets.
var wikiNames = pattern.New(`\[\[(.*?)\]\]|(\S+)`)

func wikiList(text string) (names []string) {
	for _, m := range wikiNames.FindAllStringSubmatch(text, -1) {
		if name := m[1] + m[2]; !strings.HasPrefix(name, ofSystem) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

var (
	wikiCode  = pattern.New("(?s)```(\\w*)\n(.*?)\n```")
	wikiLink  = pattern.New(`\[\[([^\]|]*)\|[^\]]*\]\]|\[\[([^\]]*)\]\]`)
	wikiCall  = pattern.New(`<<[^>]*>>|\{\{[^}]*\}\}\}?|\[img[^\]]*\]\]?|</?\$?[\w-]+[^>]*>`)
	wikiEmph  = pattern.New(`''|__|~~|\^\^|,,|([^:]|^)//`)
	wikiStart = pattern.New(`^([!*#;:>]+)[.\w-]*\s*(.*)$`)
)

// wikitext writes the markup of TiddlyWiki in the structure of Markdown.
func (w *writer) wikitext(text string) {
	for {
		at := wikiCode.FindStringSubmatchIndex(text)
		if at == nil {
			w.wikiLines(text)
			return
		}
		w.wikiLines(text[:at[0]])
		w.Code(text[at[2]:at[3]], text[at[4]:at[5]])
		text = text[at[1]:]
	}
}

// wikiLines writes lines that are no code.
func (w *writer) wikiLines(text string) {
	var paragraph []string
	end := func() {
		w.Paragraph(strings.Join(paragraph, "\n"))
		paragraph = paragraph[:0]
	}
	var columns []string
	inTable := false
	for line := range strings.SplitSeq(text, "\n") {
		line = wikiPlain(strings.TrimRight(line, "\r "))
		cells, isRow := wikiRow(line)
		if isRow != inTable {
			w.EndRows()
			inTable, columns = isRow, nil
		}
		if isRow {
			end()
			if strings.HasPrefix(line, "|!") {
				columns = cells
			} else {
				w.Row(columns, cells)
			}
			continue
		}
		switch m := wikiStart.FindStringSubmatch(line); {
		case m != nil && m[1][0] == '!':
			end()
			w.Heading(1+len(m[1]), m[2])
		case m != nil:
			end()
			w.Item(len(m[1])-1, m[2])
		case line == "":
			end()
		default:
			paragraph = append(paragraph, line)
		}
	}
	end()
}

// wikiPlain returns a line without links' targets, calls, widgets and emphasis.
func wikiPlain(line string) string {
	line = wikiLink.ReplaceAllString(line, "$1$2")
	return wikiEmph.ReplaceAllString(wikiCall.ReplaceAllString(line, ""), "$1")
}

// wikiRow returns the cells of a row of a table.
func wikiRow(line string) (cells []string, is bool) {
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil, false
	}
	for cell := range strings.SplitSeq(line[1:len(line)-1], "|") {
		cells = append(cells, strings.TrimSpace(strings.TrimPrefix(cell, "!")))
	}
	return cells, true
}
