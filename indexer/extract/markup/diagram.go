package markup

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
)

// isDiagram reports whether a file is one of draw.io's, whatever it is called.
func isDiagram(name string, head []byte) bool {
	switch document.Extension(name) {
	case "drawio", "dio", "xml":
		head = bytes.TrimSpace(head)
		return bytes.HasPrefix(head, []byte("<mxfile")) || bytes.HasPrefix(head, []byte("<mxGraphModel"))
	}
	return false
}

// readDiagram reads the labels of a drawing, page by page. A page is a graph in XML, or that deflated, and encoded twice.
func readDiagram(ctx context.Context, in *document.Input) (*document.Document, error) {
	var file struct {
		Pages []struct {
			Name  string `xml:"name,attr"`
			Graph string `xml:",innerxml"`
		} `xml:"diagram"`
	}
	w := newWriter(in)
	if bytes.HasPrefix(bytes.TrimSpace(in.Data), []byte("<mxGraphModel")) {
		err := w.labels(ctx, string(in.Data))
		return w.document("drawio", document.Meta{}), err
	}
	if err := xml.Unmarshal(in.Data, &file); err != nil {
		return nil, fmt.Errorf("its pages: %w", err)
	}
	for i, page := range file.Pages {
		w.Place(document.Part{Unit: document.Page, Number: i + 1, Name: page.Name})
		w.Heading(1, page.Name)
		graph := strings.TrimSpace(page.Graph)
		if graph != "" && graph[0] != '<' {
			var err error
			if graph, err = inflated(in, graph); err != nil {
				w.Lack("a page that is damaged")
				continue
			}
		}
		if err := w.labels(ctx, graph); err != nil {
			return nil, err
		}
	}
	return w.document("drawio", document.Meta{}), nil
}

// inflated returns a page that is packed.
func inflated(in *document.Input, page string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(page)
	if err != nil {
		return "", err
	}
	if data, err = in.Unpack(flate.NewReader(bytes.NewReader(data)), 0); err != nil {
		return "", err
	}
	return url.PathUnescape(string(data))
}

// labels writes what stands at the shapes and lines of a graph, and what a person wrote beside them.
func (w *writer) labels(ctx context.Context, graph string) error {
	return w.readElements(ctx, graph, (*labels)(w), func(int) {})
}

// labels writes attributes.
type labels writer

func (l *labels) start(_ string, attribute func(name string) string) {
	for _, name := range []string{"value", "label", "tooltip"} {
		label, _ := htmltext.Read(attribute(name))
		l.Paragraph(label)
	}
}

func (*labels) text(string) {}

func (*labels) end(string) {}

// shape is one of a drawing by Excalidraw, or of a canvas of Obsidian's (jsoncanvas.org).
type shape struct {
	Text     string
	Original string `json:"originalText"` // as it was typed, before it was broken into lines
	Name     string // of a frame
	Label    string // of a group, or of an edge
	File     string // that a canvas shows
	Link     string
	URL      string
	Deleted  bool `json:"isDeleted"`
	X, Y     float64
}

// readBoard reads the texts of a drawing or a canvas as they stand below each other, and its frames and links.
func readBoard(_ context.Context, in *document.Input) (*document.Document, error) {
	var board struct{ Elements, Nodes, Edges []shape }
	if err := json.Unmarshal(in.Data, &board); err != nil {
		return nil, fmt.Errorf("its drawing: %w", err)
	}
	w := newWriter(in)
	for _, shapes := range [][]shape{board.Elements, board.Nodes, board.Edges} {
		slices.SortStableFunc(shapes, func(a, b shape) int {
			return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
		})
		for _, s := range shapes {
			if !s.Deleted {
				if text := cmp.Or(s.Original, s.Text, s.Name, s.Label); text != "" {
					w.Append(&document.Document{Text: text, Kind: document.Markdown})
				}
				if s.File != "" {
					w.Paragraph(strings.TrimSuffix(path.Base(s.File), ".md"))
				}
				w.Paragraph(s.Link + s.URL)
			}
		}
	}
	return w.document(document.Extension(in.Name), document.Meta{}), nil
}
