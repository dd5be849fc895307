package office

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"dowse/internal/testcfb"
)

// le appends numbers as Office writes them; the type says how wide they are.
func le(out []byte, numbers ...any) []byte {
	for _, n := range numbers {
		switch v := n.(type) {
		case byte:
			out = append(out, v)
		case uint16:
			out = binary.LittleEndian.AppendUint16(out, v)
		case uint32:
			out = binary.LittleEndian.AppendUint32(out, v)
		case float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		case string:
			out = append(out, v...)
		}
	}
	return out
}

// wide returns a text as UTF-16.
func wide(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// oldSummary is what the samples say of themselves, as plan does.
func oldSummary() string {
	ticks := uint64(time.Date(2021, 5, 6, 7, 8, 9, 0, time.UTC).Unix()+oleTimeTo) * oleTimeUnit
	values := []struct {
		id   uint32
		data []byte
	}{
		{sumCodePage, le(nil, uint32(oleShort), uint32(1252))},
		{sumTitle, le(nil, uint32(oleString), uint32(10), "Roof plan\x00\x00\x00")},
		{sumAuthor, le(nil, uint32(oleUnicode), uint32(8), wide("Ann Lee\x00"))},
		{sumKeywords, le(nil, uint32(oleString), uint32(13), "roof, gutter\x00\x00\x00\x00")},
		{sumSaved, le(nil, uint32(oleTime), uint32(ticks), uint32(ticks>>32))},
	}
	head := le(make([]byte, 28), strings.Repeat("f", 16), uint32(48))
	section := le(nil, uint32(0), uint32(len(values)))
	at := 8 + 8*len(values)
	for _, v := range values {
		section = le(section, v.id, uint32(at))
		at += len(v.data)
	}
	for _, v := range values {
		section = append(section, v.data...)
	}
	return string(append(head, section...))
}

// oldParagraph is a paragraph of Word, with its mark, and how it is formatted: a style, then changes.
type oldParagraph struct {
	text   string
	format string // "\x01\x00" is heading 1
}

// oldDoc returns a document of Word 97 whose paragraphs are kept with one and two bytes a letter by turns. The first stories characters
// are in its text, the others in its footnotes, headers, ...
func oldDoc(paragraphs []oldParagraph, stories ...int) testcfb.Files {
	main := make([]byte, 1024)
	binary.LittleEndian.PutUint16(main, wordMagic)
	binary.LittleEndian.PutUint16(main[2:], 0xc1)
	binary.LittleEndian.PutUint16(main[10:], wordTable1)
	cps, pcds, fcs := []byte{}, []byte{}, []byte{}
	at := 0
	for i, p := range paragraphs {
		fcs = le(fcs, uint32(len(main)))
		cps = le(cps, uint32(at))
		at += len(utf16.Encode([]rune(p.text)))
		if i%2 == 0 {
			pcds = le(pcds, uint16(0), uint32(len(main)*2|wordNarrow), uint16(0))
			for _, c := range p.text {
				main = append(main, byte(c))
			}
			if len(main)%2 == 1 {
				main = append(main, 0)
			}
		} else {
			pcds = le(pcds, uint16(0), uint32(len(main)), uint16(0))
			main = append(main, wide(p.text)...)
		}
	}
	if len(stories) == 0 {
		stories = []int{at}
	}
	for i, n := range stories {
		binary.LittleEndian.PutUint32(main[0x4c+4*i:], uint32(n))
	}
	plc := le(nil, string(cps), uint32(at), string(pcds))
	table := le([]byte{1, 2, 0, 9, 9, 2}, uint32(len(plc)), string(plc))
	binary.LittleEndian.PutUint32(main[0x1a2:], 0)
	binary.LittleEndian.PutUint32(main[0x1a6:], uint32(len(table)))
	fcs = le(fcs, uint32(len(main)))
	page := make([]byte, wordPlcPage)
	copy(page, fcs)
	end := wordPlcPage - 2
	for i, p := range paragraphs {
		if p.format == "" {
			continue
		}
		format := p.format
		if len(format)%2 == 0 {
			format += "\x00"
		}
		end = (end - 1 - len(format)) &^ 1
		page[end] = byte((len(format) + 1) / 2)
		copy(page[end+1:], format)
		page[len(fcs)+13*i] = byte(end / 2)
	}
	page[wordPlcPage-1] = byte(len(paragraphs))
	for len(main)%wordPlcPage != 0 {
		main = append(main, 0)
	}
	binary.LittleEndian.PutUint32(main[0x102:], uint32(len(table)))
	binary.LittleEndian.PutUint32(main[0x106:], 12)
	table = le(table, uint32(1024), uint32(len(main)), uint32(len(main)/wordPlcPage))
	return testcfb.Files{"WordDocument": string(main) + string(page), "1Table": string(table), summaryName: oldSummary()}
}

const (
	inCell = "\x00\x00\x16\x24\x01"
	rowEnd = inCell + "\x17\x24\x01"
)

func docSample(testing.TB) []byte {
	text := []oldParagraph{
		{"Das Dach\r", "\x01\x00"}, {"We need\x02:\r", ""}, {"tiles\r", "\x00\x00\x0b\x46\x01\x00"}, {"red ones\r", "\x00\x00\x0b\x46\x01\x00\x0a\x26\x01"},
		{"Item\a", inCell}, {"Cost\a", inCell}, {"\a", rowEnd + "\x04\x34\x01"}, {"tiles\a", inCell}, {"300 \u0080\a", inCell}, {"\a", rowEnd},
		{"Ask \x13 HYPERLINK \"http://x\" \x14Ann\x15 first.\r", ""}, {"Soon – really.\r", ""}, {"Lee Builders\r", ""}, {"Lee Builders\r", ""},
	}
	sizes := [3]int{} // of the text, its footnotes, its headers
	for i, p := range text {
		n := len(utf16.Encode([]rune(p.text)))
		switch {
		case i < 11:
			sizes[0] += n
		case i < 12:
			sizes[1] += n
		default:
			sizes[2] += n
		}
	}
	return testcfb.Make(oldDoc(text, sizes[:]...))
}

// oldRecord returns a record of Excel.
func oldRecord(kind int, parts ...any) string {
	body := le(nil, parts...)
	return string(le(nil, uint16(kind), uint16(len(body)), string(body)))
}

// oldXLS returns a workbook of Excel 97 of one sheet.
func oldXLS(globals, sheet string) testcfb.Files {
	bof := oldRecord(biffBOF, uint16(biffVersion8), uint16(5), make8())
	name := func(at int) string { return oldRecord(biffSheet, uint32(at), uint16(0), byte(6), byte(0), "Budget") }
	at := len(bof) + len(globals) + len(name(0)) + len(oldRecord(biffEOF))
	return testcfb.Files{"Workbook": bof + globals + name(at) + oldRecord(biffEOF) + oldRecord(biffBOF, uint16(biffVersion8), uint16(16), make8()) + sheet + oldRecord(biffEOF), summaryName: oldSummary()}
}

func make8() string { return strings.Repeat("\x00", 12) }

func xlsSample(testing.TB) []byte {
	strs := le(nil, uint32(4), uint32(4), uint16(4), byte(0), "Item", uint16(3), byte(stringRich), uint16(1), "Day", "\x00\x00\x00\x00", uint16(4), byte(stringWide), wide("Cost"), uint16(5), byte(0), "tiles")
	globals := oldRecord(biffFormat, uint16(164), uint16(13), byte(1), wide("#,##0.00\\ \"€\"")) + oldRecord(biffXF, uint16(0), uint16(0)) + oldRecord(biffXF, uint16(0), uint16(14)) + oldRecord(biffXF, uint16(0), uint16(164)) + oldRecord(biffStrings, string(strs))
	cell := func(kind, row, column, style int, value ...any) string {
		return oldRecord(kind, append([]any{uint16(row), uint16(column), uint16(style)}, value...)...)
	}
	sheet := cell(biffShared, 0, 0, 0, uint32(0)) + cell(biffShared, 0, 1, 0, uint32(1)) + cell(biffShared, 0, 2, 0, uint32(2)) + cell(biffLabel, 0, 3, 0, uint16(4), byte(0), "Paid") +
		cell(biffShared, 1, 0, 0, uint32(3)) + cell(biffRK, 1, 1, 1, uint32(44197<<2|2)) + cell(biffNumber, 1, 2, 2, 1234.5) + cell(biffTruth, 1, 3, 0, byte(1), byte(0)) +
		oldRecord(biffManyRK, uint16(2), uint16(1), uint16(1), uint32(44198<<2|2), uint16(0), uint32(1250<<2|3), uint16(2)) + cell(biffFormula, 2, 3, 0, "\x00\x00\x00\x00\x00\x00\xff\xff") + oldRecord(biffResult, uint16(2), byte(0), "no") +
		oldRecord(biffMerged, uint16(1), uint16(1), uint16(2), uint16(0), uint16(0)) + oldRecord(biffText, strings.Repeat("\x00", 18)) + oldRecord(biffContinue, byte(0), "too much")
	return testcfb.Make(oldXLS(globals, sheet))
}

// atom and container return records of PowerPoint.
func atom(kind, instance int, parts ...any) string {
	body := le(nil, parts...)
	return string(le(nil, uint16(instance<<4), uint16(kind), uint32(len(body)), string(body)))
}

func container(kind, instance int, parts ...any) string {
	record := []byte(atom(kind, instance, parts...))
	record[0] |= 15
	return string(record)
}

func pptSample(testing.TB) []byte {
	entry := func(object, id int) string {
		return atom(pptPersist, 0, uint32(object), uint32(0), uint32(0), uint32(id), uint32(0))
	}
	kind := func(n int) string { return atom(pptTextKind, 0, uint32(n)) }
	box := func(parts ...any) string { return container(0xf00d, 0, parts...) }
	outline := entry(2, 256) + kind(textTitle) + atom(pptTextBytes, 0, "Welcome") + kind(textBody) + atom(pptTextChars, 0, wide("a point\rand a second one – at last")) + entry(3, 257)
	main := container(pptDocument, 0, container(pptList, 1, entry(5, 400), kind(textTitle), atom(pptTextBytes, 0, "Click to edit")), container(pptList, 0, outline), container(pptList, 2, entry(4, 300)))
	slide := func(notes int, shapes string) string {
		return container(pptSlide, 0, atom(pptSlideAtom, 0, strings.Repeat("\x00", 16), uint32(notes), uint32(0)), container(1036, 0, shapes))
	}
	first := slide(300, box(atom(pptTextRef, 0, uint32(1)))+box(atom(pptTextRef, 0, uint32(0))))
	second := slide(0, box(kind(4), atom(pptTextBytes, 0, "last\vslide"))+container(5000, 0, atom(pptTagData, 0, container(pptComment, 0, atom(pptString, 0, wide("Ann")), atom(pptString, 1, wide("why?")), atom(pptString, 2, wide("A"))))))
	notes := container(pptNotes, 0, box(kind(textNotes), atom(pptTextChars, 0, wide("say hello")))+box(kind(4), atom(pptTextBytes, 0, "*")))
	shape := func(place int, text string) string {
		return container(pptShape, 0, container(0xf011, 0, atom(pptPlaceholder, 0, uint32(0), uint32(place))), box(atom(pptTextBytes, 0, text)))
	}
	master := container(pptMaster, 0, shape(1, "Click to edit"), shape(placeFooter, "Lee Builders"), container(pptShape, 0, box(atom(pptTextBytes, 0, "Since 1901"))), atom(pptString, 3, wide("Default Design")))
	stream, offsets := "", []any{uint32(5<<20 | 1)}
	for _, object := range []string{main, first, second, notes, master} {
		offsets = append(offsets, uint32(len(stream)))
		stream += object
	}
	directory := len(stream)
	stream += atom(pptDirectory, 0, offsets...)
	edit := len(stream)
	stream += atom(pptEdit, 0, uint32(256), uint32(0), uint32(0), uint32(directory), uint32(1), uint32(6), uint32(0))
	user := string(le(nil, uint32(0), uint32(0), uint32(20), uint32(0xe391c05f), uint32(edit)))
	return testcfb.Make(testcfb.Files{"PowerPoint Document": stream, "Current User": user, summaryName: oldSummary()})
}

// lostFiles returns old documents that real programs have written: LibreOffice, Apache POI, xlwt.
func lostFiles(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../../testdata/lost/oldoffice/*.[dpx][olp][cst]")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
