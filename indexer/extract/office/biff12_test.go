package office

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf16"
)

// rec returns a record of a binary workbook: numbers of four bytes, floats, texts and single bytes.
func rec(kind int, values ...any) string {
	var data []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		case float64:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		case byte:
			data = append(data, v)
		case string:
			units := utf16.Encode([]rune(v))
			data = binary.LittleEndian.AppendUint32(data, uint32(len(units)))
			for _, u := range units {
				data = binary.LittleEndian.AppendUint16(data, u)
			}
		}
	}
	head := []byte{byte(kind)}
	if kind > 127 {
		head = []byte{byte(kind)&0x7f | 0x80, byte(kind >> 7)}
	}
	for n := len(data); ; n >>= 7 {
		if n < 128 {
			head = append(head, byte(n))
			break
		}
		head = append(head, byte(n)&0x7f|0x80)
	}
	return string(head) + string(data)
}

func xlsbSample(t testing.TB) []byte {
	none := math.MaxUint32
	sheet := rec(brtRowHdr, 0) + rec(brtCellIsst, 0, 0, 0) + rec(brtCellSt, 1, 0, "Day") + rec(brtCellRString, 2, 0, byte(0), "Cost") + rec(brtFmlaString, 3, 0, "Paid") +
		rec(brtRowHdr, 1) + rec(brtCellIsst, 0, 0, 1) + rec(brtCellRk, 1, 1, 44197<<2|2) + rec(brtFmlaNum, 2, 0, 1234.5) + rec(brtCellBool, 3, 0, byte(1)) +
		rec(brtRowHdr, 2) + rec(brtCellRk, 1, 1, 44198<<2|2) + rec(brtShortRk, 0, 1250<<2|3) + rec(3, 3, 0, byte(0x17)) + rec(brtCellIsst, 4, 0, 99) +
		rec(brtMergeCell, 1, 2, 0, 0) + rec(brtBeginHeaderFooter, byte(0), byte(0), "&CLee Builders", "&P", none, none, none, none)
	return archive(t, member{contentTypes, types}, member{"_rels/.rels", rels + rel("r", "officeDocument", "xl/workbook.bin") + `</Relationships>`},
		member{"xl/workbook.bin", rec(brtWbProp, 0, 0, "") + rec(brtBundleSh, 0, 1, "r1", "Budget")},
		member{"xl/_rels/workbook.bin.rels", rels + rel("r1", "worksheet", "worksheets/sheet1.bin") + rel("r2", "sharedStrings", "sharedStrings.bin") + rel("r3", "styles", "styles.bin") + `</Relationships>`},
		member{"xl/sharedStrings.bin", rec(brtSSTItem, byte(0), "Item") + rec(brtSSTItem, byte(0), strings.Repeat("ziegel ", 20)+"größer")},
		member{"xl/styles.bin", rec(brtFmt, byte(200), byte(0), "yyyy-mm-dd") + rec(brtXF, 14<<16) + rec(brtBeginCellXFs) + rec(brtXF, 0) + rec(brtXF, 200<<16) + rec(brtEndCellXFs)},
		member{"xl/worksheets/sheet1.bin", sheet},
		member{"xl/worksheets/_rels/sheet1.bin.rels", rels + rel("r1", "comments", "../comments1.bin") + `</Relationships>`},
		member{"xl/comments1.bin", rec(brtBeginComment, 0, 2, 2, 27, 27) + rec(brtCommentText, byte(0), "too much")})
}

func TestBinaryWorkbooksAreReadAsOthers(t *testing.T) {
	tiles := strings.Repeat("ziegel ", 20) + "größer"
	want := "# Budget\n\nItem; Day; Cost; Paid\nItem: " + tiles + "; Day: 2021-01-01; Cost: 1234.5; Paid: TRUE\nDay: 2021-01-02; Cost: 12.5\nComment AB3: too much\n\nLee Builders"
	for _, name := range []string{"a.xlsb", "a.xlsx"} {
		if d := text(t, name, xlsbSample(t)); d.Text != want {
			t.Errorf("%s: %q, want %q", name, d.Text, want)
		}
	}
	for n, want := range map[int]string{0: "A1", 25: "Z1", 26: "AA1", 701: "ZZ1", 702: "AAA1"} {
		if got := cellName(n, 0); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	if err := biff(t.Context(), []byte(rec(brtCellSt, 1, 0, "cut off")[:9]), func(int, payload) {}); err == nil {
		t.Error("a record that is cut off is none")
	}
}
