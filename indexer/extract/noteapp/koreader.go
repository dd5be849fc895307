package noteapp

import (
	"bytes"
	"context"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// isKOReader reports whether a file is what KOReader keeps beside a book.
func isKOReader(name string, head []byte) bool {
	return strings.HasPrefix(name, "metadata.") && document.Extension(name) == "lua" && bytes.Contains(head, []byte("return {"))
}

var (
	luaTable = pattern.New(`^\s*\[(?:"([^"]*)"|\d+)\] = \{$`)
	luaField = pattern.New(`(?s)^\s*\["([^"]*)"\] = (?:"((?:[^"\\]|\\.)*)"|(\d+)),?$`)
	luaText  = strings.NewReplacer("\\\n", "\n", `\n`, "\n", `\"`, `"`, `\\`, `\`)
)

// luaMark is a passage that was marked.
type luaMark struct {
	fields map[string]string
	line   int
}

// readKOReader reads what was marked in a book and what was written beside it, in the order of the file. An older KOReader keeps
// each twice, as a highlight and as a bookmark.
func readKOReader(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	var tables []string
	var marks []luaMark
	book := map[string]string{}
	fields, number := map[string]string{}, 0
	for _, line := range luaLines(text) {
		number = line.number
		m := luaTable.FindStringSubmatch(line.text)
		switch {
		case m != nil:
			tables, fields = append(tables, m[1]), map[string]string{}
		case strings.HasPrefix(strings.TrimSpace(line.text), "}"):
			if len(tables) == 0 {
				continue
			}
			if of := tables[0]; tables[len(tables)-1] == "" && fields["text"] != "" && (of == "annotations" || of == "highlight") {
				marks = append(marks, luaMark{fields, number})
			} else if of == "bookmarks" && fields["notes"] != "" && fields["text"] != "" && !strings.HasPrefix(fields["text"], "Page ") {
				marks = append(marks, luaMark{map[string]string{"text": fields["notes"], "note": fields["text"], "datetime": fields["datetime"], "chapter": fields["chapter"]}, number})
			}
			tables, fields = tables[:len(tables)-1], map[string]string{}
		default:
			f := luaField.FindStringSubmatch(line.text)
			if f == nil {
				continue
			}
			fields[f[1]] = luaText.Replace(f[2]) + f[3]
			if len(tables) == 1 && tables[0] == "doc_props" {
				book[f[1]] = fields[f[1]]
			}
		}
	}
	if len(marks) == 0 {
		return nil, document.ErrOther
	}
	return writeMarks(in, book, marks), ctx.Err()
}

// writeMarks writes passages below the title of their book.
func writeMarks(in *document.Input, book map[string]string, marks []luaMark) *document.Document {
	w := &writer{Builder: in.Builder(), marks: []document.LineMark{}}
	meta := document.Meta{Title: book["title"]}
	for by := range strings.SplitSeq(book["authors"], "\n") {
		if by != "" {
			meta.Authors = append(meta.Authors, by)
		}
	}
	w.Heading(1, meta.Title)
	for i, m := range marks {
		own := meta
		own.Date = dates.Parse(m.fields["datetime"])
		w.Place(document.Part{Unit: document.Note, Number: i + 1, Name: meta.Title})
		w.Entry(own)
		w.marks = append(w.marks, document.LineMark{Offset: int32(w.Len()), Line: int32(m.line)})
		w.Paragraph(m.fields["text"] + "\n" + m.fields["note"] + "\n" + strings.TrimSpace(m.fields["chapter"]))
	}
	w.notes = len(marks)
	d := w.Document("koreader", meta)
	d.MarkLines(w.marks)
	return d
}

// luaLine is a line of Lua, with those that a backslash at its end continues it by.
type luaLine struct {
	text   string
	number int // of the first
}

func luaLines(text string) (lines []luaLine) {
	number, goesOn := 0, false
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if goesOn {
			lines[len(lines)-1].text += "\n" + line
		} else {
			lines = append(lines, luaLine{line, number})
		}
		slashes := len(line) - len(strings.TrimRight(line, `\`))
		goesOn = slashes%2 == 1
	}
	return lines
}
