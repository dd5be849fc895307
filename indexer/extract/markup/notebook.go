package markup

import (
	"context"
	"encoding/json"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// notebook is what is read of a file of Jupyter's.
type notebook struct {
	Cells      []cell
	Worksheets []struct{ Cells []cell } // format 3
	Metadata   struct {
		Title        string
		Authors      []struct{ Name string }
		LanguageInfo struct{ Name string } `json:"language_info"`
		Kernelspec   struct{ Language string }
	}
}

type cell struct {
	Type    string `json:"cell_type"`
	Source  lines
	Input   lines // format 3
	Level   int   // of a heading in format 3
	Outputs []struct {
		Text   lines
		Data   map[string]json.RawMessage
		Name   string `json:"ename"`
		Reason string `json:"evalue"`
	}
}

// lines is a text that is written as one string or as one a line.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = lines(one)
		return nil
	}
	var many []string
	if json.Unmarshal(data, &many) == nil {
		*l = lines(strings.Join(many, ""))
	}
	return nil // anything else is no text
}

// maxOutput is how much of an output is kept, in bytes: results, and not the progress of a night.
const maxOutput = 2 << 10

// picture matches one that is written into a text.
var picture = pattern.New(`data:image/[a-z+.-]+;base64,[A-Za-z0-9+/=\s]*`)

// readNotebook reads the cells of a notebook: its text as it is, its code, what that printed.
func readNotebook(ctx context.Context, in *document.Input) (*document.Document, error) {
	var n notebook
	if err := json.Unmarshal(in.Data, &n); err != nil {
		return nil, document.ErrOther
	}
	for _, w := range n.Worksheets {
		n.Cells = append(n.Cells, w.Cells...)
	}
	if len(n.Cells) == 0 {
		return nil, document.ErrOther
	}
	language := n.Metadata.LanguageInfo.Name
	if language == "" {
		language = n.Metadata.Kernelspec.Language
	}
	meta := document.Meta{Title: n.Metadata.Title}
	for _, a := range n.Metadata.Authors {
		meta.Authors = append(meta.Authors, a.Name)
	}
	b := in.Builder()
	for i := range n.Cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		writeCell(b, &n.Cells[i], document.Part{Unit: document.Cell, Number: i + 1}, language)
	}
	return b.Document("ipynb", meta), nil
}

func writeCell(b *document.Builder, c *cell, place document.Part, language string) {
	source := picture.ReplaceAllString(string(c.Source+c.Input), "")
	if strings.TrimSpace(source) == "" {
		return
	}
	switch c.Type {
	case "heading":
		b.Place(place)
		b.Heading(c.Level, source)
	case "markdown":
		b.Append(&document.Document{Text: strings.ToValidUTF8(source, "\ufffd"), Kind: document.Markdown}, place)
	case "code":
		b.Place(place)
		b.Code(language, source)
	default:
		b.Place(place)
		b.Paragraph(source)
	}
	for _, o := range c.Outputs {
		text := string(o.Text)
		if raw, ok := o.Data["text/plain"]; ok {
			var plain lines
			_ = plain.UnmarshalJSON(raw) // takes anything
			text += string(plain)
		}
		if o.Name != "" {
			text += o.Name + ": " + o.Reason
		}
		text = picture.ReplaceAllString(text, "")
		b.Code("", strings.ToValidUTF8(text[:min(len(text), maxOutput)], ""))
	}
}
