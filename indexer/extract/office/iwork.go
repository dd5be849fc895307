package office

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"strings"

	"dowse/indexer/document"

	"github.com/klauspost/compress/s2"

	"github.com/dustin/go-humanize"
)

// readIWork reads a document of Pages, Numbers or Keynote: its texts and tables from the objects that it is kept in, or, of
// before 2013, the PDF that shows what it looks like.
func readIWork(format string) func(context.Context, *document.Input) (*document.Document, error) {
	return func(ctx context.Context, in *document.Input) (*document.Document, error) {
		p, err := openParts(in)
		if err != nil {
			return nil, err
		}
		if p.has("index.zip") { // the parts of a folder that was packed
			data, err := p.read("index.zip")
			if err != nil {
				return nil, err
			}
			inner, err := in.Within("index.zip", data)
			if err != nil {
				return nil, err
			}
			if p, err = openParts(inner); err != nil {
				return nil, err
			}
		}
		switch preview := "quicklook/preview.pdf"; {
		case p.has(".iwpv2"), p.has(".iwph"):
			return nil, document.ErrEncrypted
		case !p.has("index/document.iwa") && !p.has("document.iwa") && p.has(preview):
			data, err := p.read(preview)
			if err != nil {
				return nil, err
			}
			return in.Open(ctx, "preview.pdf", data)
		}
		w := iwork{b: in.Builder(), objects: map[uint64]object{}, written: map[uint64]bool{}}
		if err := w.read(ctx, p); err != nil {
			return nil, err
		}
		w.write()
		return w.b.Document(format, document.Meta{}), nil
	}
}

// Kinds of objects, as the programs number them.
const (
	iwaSheet   = 2    // of Numbers
	iwaText    = 2001 // a text, of a page, a box, a cell or a note
	iwaInfo    = 6000 // a table and where it stands
	iwaTable   = 6001
	iwaList    = 6005 // what the cells of a table share: texts
	iwaSegment = 6011 // a part of such a list
	iwaPayload = 6218 // a text of a cell
	maxObjects = 1 << 20
	maxIWA     = 64 << 20 // bytes of all parts, which are held until the text is written
)

// object is a message of the file.
type object struct {
	kind int
	data message
}

// iwork holds what was read of a document.
type iwork struct {
	b       *document.Builder
	order   []uint64
	objects map[uint64]object
	written map[uint64]bool // texts and tables
}

// read reads the objects of all parts but those of templates, whose texts are prompts.
func (w *iwork) read(ctx context.Context, p *parts) error {
	var names []string
	for name := range p.files {
		base := name[strings.LastIndexByte(name, '/')+1:]
		if strings.HasSuffix(name, ".iwa") && !strings.HasPrefix(base, "masterslide") && !strings.HasPrefix(base, "templateslide") && !strings.HasPrefix(base, "documentstylesheet") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return errNoPart
	}
	slices.SortFunc(names, func(a, b string) int { // the document first, then parts by their number
		if first := "document.iwa"; strings.HasSuffix(a, first) != strings.HasSuffix(b, first) {
			return map[bool]int{true: -1, false: 1}[strings.HasSuffix(a, first)]
		}
		return strings.Compare(a, b)
	})
	room := maxIWA
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		packed, err := p.read(name)
		if err != nil {
			return err
		}
		data, err := unpackIWA(p.in, packed, room)
		if err != nil {
			return err
		}
		room -= len(data)
		w.add(data)
	}
	return nil
}

var errIWA = errors.New("a block of it is damaged")

// unpackIWA unpacks a part of at most room bytes: blocks of Snappy, each behind a zero and its size in three bytes.
func unpackIWA(in *document.Input, packed []byte, room int) ([]byte, error) {
	total := 0
	for size := range blocksIWA(packed) {
		if size < 0 || size > 1<<20 {
			return nil, errIWA
		}
		if total += size; total > room {
			return nil, document.Bounds(humanize.IBytes(maxIWA) + " of its parts")
		}
	}
	out := make([]byte, 0, total)
	for _, packed := range blocksIWA(packed) {
		block, err := s2.Decode(nil, packed)
		if err != nil {
			return nil, errIWA
		}
		if block, err = in.Unpack(bytes.NewReader(block), uint64(len(block))); err != nil {
			return nil, err
		}
		out = append(out, block...)
	}
	return out, nil
}

// blocksIWA gives the blocks of a part, packed, each with its size when it is unpacked, -1 for one that is damaged.
func blocksIWA(part []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for len(part) >= 4 {
			end := 4 + (int(part[1]) | int(part[2])<<8 | int(part[3])<<16)
			if end > len(part) {
				yield(-1, nil)
				return
			}
			size, err := s2.DecodedLen(part[4:end])
			if err != nil {
				size = -1
			}
			if !yield(size, part[4:end]) {
				return
			}
			part = part[end:]
		}
	}
}

// add takes the objects of a part: each is a length, what it says of its messages, and those.
func (w *iwork) add(data []byte) {
	for len(data) > 0 && len(w.objects) < maxObjects {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return
		}
		head := message(data[n : n+int(size)])
		data = data[n+int(size):]
		id := head.number(1)
		for info := range head.each(2) {
			length := min(info.number(3), uint64(len(data)))
			if _, twice := w.objects[id]; !twice {
				w.objects[id] = object{int(info.number(1)), message(data[:length])}
				w.order = append(w.order, id)
			}
			data = data[length:]
		}
	}
}

// write writes sheets with their tables, then what other texts and tables there are.
func (w *iwork) write() {
	for _, id := range w.order {
		sheet := w.objects[id]
		if sheet.kind != iwaSheet {
			continue
		}
		var tables []uint64
		for drawn := range sheet.data.each(2) {
			if info := w.objects[drawn.number(1)]; info.kind == iwaInfo {
				tables = append(tables, info.data.bytes(2).number(1))
			}
		}
		if len(tables) > 0 {
			name := string(sheet.data.bytes(1))
			w.b.Place(document.Part{Unit: document.Sheet, Name: name})
			w.b.Heading(1, name)
			for _, table := range tables {
				w.table(table, name)
			}
		}
	}
	for _, id := range w.order {
		if w.objects[id].kind == iwaTable {
			w.table(id, "")
		}
	}
	w.b.Place()
	for _, id := range w.order {
		if w.objects[id].kind == iwaText && !w.written[id] {
			for paragraph := range strings.SplitSeq(w.text(id), "\n\n") {
				w.b.Paragraph(paragraph)
			}
		}
	}
}

// text returns that of an object, and remembers that it was said. What stands for pictures and notes in it is left out.
func (w *iwork) text(id uint64) string {
	o := w.objects[id]
	if o.kind != iwaText {
		return ""
	}
	w.written[id] = true
	var out strings.Builder
	for part := range o.data.each(3) {
		out.Write(part)
	}
	lines := strings.NewReplacer("\ufffc", "", "\u2028", "\n", "\u2029", "\n\n", "\n", "\n\n", "\x04", "\n\n", "\x05", "\n\n", "\x0c", "\n\n")
	return lines.Replace(strings.ToValidUTF8(out.String(), "\ufffd"))
}
