package office

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"dowse/indexer/document"

	"github.com/klauspost/compress/s2"
)

// pb returns a message of fields: each a number, and its value.
func pb(fields ...any) string {
	var out []byte
	for i := 0; i < len(fields); i += 2 {
		number := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			out = binary.AppendUvarint(binary.AppendUvarint(out, number), uint64(v))
		case string:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, number|2), uint64(len(v))), v...)
		}
	}
	return string(out)
}

// archived is an object of a file of iWork.
func archived(id, kind int, data string) string {
	head := pb(1, id, 2, pb(1, kind, 3, len(data)))
	return string(binary.AppendUvarint(nil, uint64(len(head)))) + head + data
}

// iwa returns a part of objects, in two blocks.
func iwa(objects ...string) string {
	all, out := []byte(strings.Join(objects, "")), ""
	for _, block := range [][]byte{all[:len(all)/2], all[len(all)/2:]} {
		packed := s2.EncodeSnappy(nil, block)
		out += "\x00" + string([]byte{byte(len(packed)), byte(len(packed) >> 8), byte(len(packed) >> 16)}) + string(packed)
	}
	return out
}

// iwaCell is a cell of version 5: its kind, flags, and values of four or more bytes.
func iwaCell(kind byte, flags int, values ...any) string {
	out := append([]byte{5, kind, 0, 0, 0, 0, 0, 0}, byte(flags), 0, 0, 0)
	for _, v := range values {
		switch v := v.(type) {
		case int:
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		case float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		case string:
			out = append(out, v...)
		}
	}
	return string(out)
}

// iwaRow is a row of a table.
func iwaRow(number int, cells ...string) string {
	var offsets []byte
	buffer := ""
	for _, c := range cells {
		if c == "" {
			offsets = append(offsets, 0xff, 0xff)
			continue
		}
		offsets = binary.LittleEndian.AppendUint16(offsets, uint16(len(buffer)))
		buffer += c
	}
	return pb(1, number, 2, len(cells), 6, buffer, 7, string(offsets))
}

func numbersSample(t testing.TB) []byte {
	ref := func(id int) string { return pb(1, id) }
	word := func(key int) string { return iwaCell(3, 8, key) }
	money := "\x7d\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3e\x30" // 125 with an exponent of -1
	return archive(t, member{"Index/Document.iwa", iwa(archived(1, iwaSheet, pb(1, "Costs", 2, ref(2))), archived(2, iwaInfo, pb(2, ref(3))),
		archived(3, iwaTable, pb(4, pb(3, pb(1, pb(1, 0, 2, ref(4)), 2, 256), 4, ref(5), 17, ref(6)), 8, "Roof")), archived(9, iwaText, pb(3, "Ask Ann\ufffc.\nBe quick.")))},
		member{"Index/Tables/Tile.iwa", iwa(archived(4, 6002, pb(5, iwaRow(1, word(4), iwaCell(5, 4, 631152000.0), iwaCell(10, 1, money)), 5, iwaRow(0, word(1), word(2), word(3)),
			5, iwaRow(2, iwaCell(9, 16, 1), "", iwaCell(2, 2, 40.0), iwaCell(6, 2, 1.0)))))},
		member{"Index/Tables/DataList.iwa", iwa(archived(5, iwaList, pb(1, 1, 3, pb(1, 1, 3, "Item"), 3, pb(1, 2, 3, "Day"), 4, ref(7))), archived(7, iwaSegment, pb(3, pb(1, 3, 3, "Cost"), 3, pb(1, 4, 3, "tiles"))),
			archived(6, iwaList, pb(1, 8, 3, pb(1, 1, 9, ref(8)))), archived(8, iwaPayload, pb(1, ref(10))), archived(10, iwaText, pb(3, "größere gutter")))},
		member{"Index/TemplateSlide-1.iwa", iwa(archived(11, iwaText, pb(3, "Double-click to edit")))})
}

func TestDocumentsOfIWork(t *testing.T) {
	const want = "# Costs\n\n## Roof\n\nItem; Day; Cost\nItem: tiles; Day: 2021-01-01; Cost: 12.5\nItem: größere gutter; Cost: 40; TRUE\n\nAsk Ann.\n\nBe quick."
	whole := numbersSample(t)
	for _, name := range []string{"a.numbers", "a.pages", "a.key"} {
		if d := text(t, name, whole); d.Text != want {
			t.Errorf("%s: %q", name, d.Text)
		}
	}
	if d := text(t, "a.pages", archive(t, member{"Index.zip", string(whole)})); d.Text != want {
		t.Errorf("packed twice: %q", d.Text)
	}
	old := archive(t, member{"QuickLook/Preview.pdf", "%PDF-1.4"}, member{"index.xml", "<sl:document/>"})
	in := document.NewInput("a.pages", old, document.DefaultLimits)
	in.Inner = func(_ context.Context, inner *document.Input) (*document.Document, error) {
		return &document.Document{Text: string(inner.Data)}, nil
	}
	if d, err := readIWork("pages")(t.Context(), in); err != nil || d.Text != "%PDF-1.4" {
		t.Errorf("of 2009: %+v, %v", d, err)
	}
	locked := archive(t, member{".iwpv2", "x"}, member{"Index/Document.iwa", "x"})
	if _, err := readIWork("pages")(t.Context(), document.NewInput("a.pages", locked, document.DefaultLimits)); !errors.Is(err, document.ErrEncrypted) {
		t.Errorf("a locked one: %v", err)
	}
	huge := append([]byte{0}, 8, 0, 0)
	huge = append(huge, 0xff, 0xff, 0xff, 0xff, 0x07, 0, 0, 0) // that says of itself that it unpacks to 2 GiB
	bomb := archive(t, member{"Index/Document.iwa", string(huge)})
	if _, err := readIWork("pages")(t.Context(), document.NewInput("a.pages", bomb, document.DefaultLimits)); err == nil {
		t.Error("a bomb is read")
	}
}

// TestPartsOfIWorkThatUnpackToMuch: 48 kB of Snappy are a megabyte of zeros, and what is unpacked is held.
func TestPartsOfIWorkThatUnpackToMuch(t *testing.T) {
	block := s2.EncodeSnappy(nil, make([]byte, 1<<20))
	part := strings.Repeat("\x00"+string([]byte{byte(len(block)), byte(len(block) >> 8), byte(len(block) >> 16)})+string(block), 40)
	data := archive(t, member{"Index/Document.iwa", part}, member{"Index/Tables/DataList.iwa", part})
	_, err := readIWork("pages")(t.Context(), document.NewInput("a.pages", data, document.DefaultLimits))
	if !errors.Is(err, document.ErrBounds) {
		t.Errorf("80 MiB of zeros: %v", err)
	}
}
