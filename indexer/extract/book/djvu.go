package book

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"

	"github.com/dustin/go-humanize"
)

// maxPage is how much text one page of a scan has, and how much is said beside it.
const maxPage = 4 << 20

func isDjVu(_ string, head []byte) bool {
	return bytes.HasPrefix(head, []byte("AT&TFORM")) && len(head) >= 16 && bytes.HasPrefix(head[12:], []byte("DJV"))
}

// readDjVu reads the text layer of a scan, page by page. What stands in other files, in a document of many, is theirs.
func readDjVu(ctx context.Context, in *document.Input) (*document.Document, error) {
	d := djvuReader{in: in, b: in.Builder()}
	if err := d.chunks(ctx, in.Data[4:], 0); err != nil && d.b.Len() == 0 {
		return nil, err
	}
	if d.b.Len() == 0 {
		return nil, document.ErrNoText
	}
	return d.b.Document("djvu", d.meta.Said()), nil
}

// djvuReader reads the chunks of a file.
type djvuReader struct {
	in   *document.Input
	b    *document.Builder
	meta document.Meta
	page int
	// damaged are chunks that could not be unpacked: each may have taken as long as a whole one.
	damaged int
}

// maxDamaged is how many of those are tried.
const maxDamaged = 100

// chunks reads those that stand one behind the other: of a form, of the document (level 0) or of a page within it.
func (d *djvuReader) chunks(ctx context.Context, data []byte, level int) error {
	for len(data) >= 8 && !d.b.Full() {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, size := string(data[:4]), u32(data, 4)
		data = data[8:]
		held := data[:min(size, len(data))]
		data = data[min(size+size&1, len(data)):]
		var err error
		if kind == "FORM" {
			err = d.form(ctx, held, level)
		} else {
			err = d.chunk(kind, held)
		}
		if err != nil && !errors.Is(err, errDamaged) { // what else there is stays
			return err
		}
	}
	return nil
}

// form reads a page, what pages share, or the document.
func (d *djvuReader) form(ctx context.Context, data []byte, level int) error {
	if len(data) < 4 || level > 1 {
		return nil
	}
	if string(data[:4]) == "DJVU" {
		d.page++
		d.b.Place(document.Part{Unit: document.Page, Number: d.page})
	}
	return d.chunks(ctx, data[4:], level+1)
}

func (d *djvuReader) chunk(kind string, data []byte) error {
	switch kind {
	case "TXTz", "ANTz", "NAVM":
		unpacked, damage := bzz(data, maxPage)
		if damage != nil {
			if d.damaged++; d.damaged > maxDamaged {
				return document.Bounds(humanize.Comma(maxDamaged) + " damaged parts")
			}
		}
		if len(unpacked) == 0 {
			return damage
		}
		var err error
		if data, err = d.in.Unpack(bytes.NewReader(unpacked), uint64(len(unpacked))); err != nil {
			return err
		}
	case "TXTa", "ANTa":
	default:
		return nil
	}
	switch kind[:3] {
	case "TXT":
		d.text(data)
	case "ANT":
		d.annotations(string(data))
	default:
		d.outline(data)
	}
	return nil
}

// text writes the text of a page. Columns, regions and paragraphs end with a character of their own.
func (d *djvuReader) text(data []byte) {
	if len(data) < 3 {
		return
	}
	size := int(data[0])<<16 | u16(data, 1)
	text := string(data[3:min(3+size, len(data))])
	for block := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\v' || r == '\x1d' || r == '\x1f' || r == '\f' }) {
		d.b.Paragraph(block)
	}
}

var (
	djvuSaid    = pattern.New(`\((\w+)\s+"((?:[^"\\]|\\.)*)"\)`)
	djvuComment = pattern.New(`\(maparea\s+(?:"(?:[^"\\]|\\.)*"|\([^)]*\))\s+"((?:[^"\\]|\\.)*)"`)
	djvuEscapes = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, " ", `\t`, " ")
)

// annotations takes what the file says of itself, and writes what was noted at places of a page.
func (d *djvuReader) annotations(text string) {
	if _, said, found := strings.Cut(text, "(metadata"); found {
		for _, m := range djvuSaid.FindAllStringSubmatch(said, 50) {
			value := strings.Join(strings.Fields(djvuEscapes.Replace(m[2])), " ")
			if value == "" || len(value) > maxSaid {
				continue
			}
			switch strings.ToLower(m[1]) {
			case "title":
				d.meta.Title = value
			case "author":
				d.meta.Authors = []string{value}
			}
		}
	}
	for _, m := range djvuComment.FindAllStringSubmatch(text, 1000) {
		d.b.Paragraph(djvuEscapes.Replace(m[1]))
	}
}

// outline writes the titles of the outline.
func (d *djvuReader) outline(data []byte) {
	const fixed = 1 + 3 // bytes before a title: how many are below it, and its length
	count := u16(data, 0)
	data = data[min(2, len(data)):]
	for range count {
		if len(data) < fixed {
			return
		}
		size := int(data[1])<<16 | u16(data, 2)
		data = data[fixed:]
		d.b.Item(0, string(data[:min(size, len(data))]))
		data = data[min(size, len(data)):]
		if len(data) < 3 {
			return
		}
		size = int(data[0])<<16 | u16(data, 1) // where it leads
		data = data[min(3+size, len(data)):]
	}
}
