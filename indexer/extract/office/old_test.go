package office

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
	"dowse/internal/testcfb"
	"dowse/internal/testmutate"
)

// What LibreOffice, Apache POI and xlwt have written is read.
func TestOldDocumentsOfRealProgramsAreRead(t *testing.T) {
	files := lostFiles(t)
	for name, want := range map[string]string{
		"pump.doc":       "# The weir\n\nColonel Pettigrew mended the sluice gate with oaken paddles.\n\nGate; Height\nGate: upper; Height: 2 m\n\n- grease the pinion\n\nOak, from Hambleden sawyers.",
		"letter.doc":     "Dear Mrs Quillfeather, your tallow candles are ready.\n\nThistlewood and Daughters, Chandlers",
		"polish.doc":     "Żuraw błotny przyleciał nad Biebrzę dopiero w połowie kwietnia; gęgawy już siedziały na gniazdach.",
		"costs.xls":      "# costs\n\nBoat; Varnish; Launched\nBoat: Merganser; Varnish: 4.5; Launched: 2019-04-02\nBoat: Dabchick; Varnish: 2.25; Launched: 2021-06-11",
		"hedges.xls":     "# Hedges\n\nHedge; Laid; Length\nHedge: Blackthorn by Foxcote lane; Laid: 2018-11-03; Length: 120.50 m\nHedge: Hornbeam; Laid: 2020-01-18; Length: 64.00 m",
		"smokehouse.xls": "# Smokehouse\n\nFish; Wood; Hours\nFish: Eel; Wood: juniper; Hours: 9\nFish: Sprat; Wood: alder; Hours: 3; cured alder\n\nAsk Thessaly about the brine",
		"bells.ppt":      "# Bellringing for beginners\n\n# Stedman Triples\n\nBell\n\nRinger\n\ntenor\n\nGodfrey Ashplant",
		"lichens.ppt":    "# Lichens of the churchyard\n\nXanthoria likes the vicar’s limestone",
	} {
		if d := text(t, name, files[name]); d.Text != want {
			t.Errorf("%s: %q, want %q", name, d.Text, want)
		}
	}
	if d := text(t, "a.docx", files["pump.doc"]); d.Format != "doc" || d.Meta.Title != "The weir at Marlow mill" || len(d.Meta.Authors) != 1 {
		t.Errorf("under a new name it is %s, %+v", d.Format, d.Meta)
	}
}

func TestWhatIsLockedOrTooOldIsNamed(t *testing.T) {
	locked := oldDoc([]oldParagraph{{"secret\r", ""}})
	locked["WordDocument"] = locked["WordDocument"][:11] + "\x03" + locked["WordDocument"][12:]
	user := string(le(make([]byte, 12), uint32(pptEncrypted), uint32(0)))
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"a.doc":  {testcfb.Make(locked), document.ErrEncrypted},
		"b.docx": {testcfb.Make(testcfb.Files{"EncryptedPackage": "x"}), document.ErrEncrypted},
		"c.xls":  {testcfb.Make(oldXLS(oldRecord(biffPassword, "x"), "")), document.ErrEncrypted},
		"d.ppt":  {testcfb.Make(testcfb.Files{"PowerPoint Document": "x", "Current User": user}), document.ErrEncrypted},
		"e.ppt":  {testcfb.Make(testcfb.Files{"PP40": "x"}), document.ErrOld},
		"f.doc":  {[]byte("\xdb\xa5-\x00 of Word 2"), document.ErrOld},
		"g.xls":  {[]byte("\x09\x04\x06\x00 of Excel 4"), document.ErrOld},
		"h.doc":  {[]byte(cfb.Magic), document.ErrOld},
	} {
		f := formatOf(name, c.data)
		if f == nil {
			t.Errorf("%s is of no format", name)
			continue
		}
		if d, err := f.Read(context.Background(), document.NewInput(name, c.data, document.DefaultLimits)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

// Strings read the same wherever the table goes on in another record.
func TestStringsOfExcelGoOnAnywhere(t *testing.T) {
	want := []string{"tiles", "Żółw – 5 €", "", "rich text", "last"}
	var table []byte
	var letters []bool // of each byte: it is within letters, where a record that goes on begins with how wide they are
	var flags []byte
	put := func(text bool, flag byte, s string) {
		for range len(s) {
			letters, flags = append(letters, text), append(flags, flag)
		}
		table = append(table, s...)
	}
	for i, s := range want {
		flag, body := byte(0), s
		if i == 1 {
			flag, body = stringWide, wide(s)
		}
		head := le(nil, uint16(len([]rune(s))))
		if i == 3 {
			flag |= stringRich
			put(false, 0, string(le(head, flag, uint16(1))))
		} else {
			put(false, 0, string(le(head, flag)))
		}
		put(true, flag&stringWide, body)
		if i == 3 {
			put(false, 0, "abcd")
		}
	}
	for at := range table {
		rest := table[at:]
		if letters[at] {
			if flags[at] == stringWide && !isPair(letters, at) {
				continue // no program cuts a letter
			}
			rest = append([]byte{flags[at]}, rest...)
		}
		if got := sharedOld([][]byte{slices.Clone(table[:at]), rest}); !slices.Equal(got, want) {
			t.Errorf("cut at %d: %q", at, got)
		}
	}
}

// isPair reports whether a letter of two bytes begins at an offset of some letters.
func isPair(letters []bool, at int) bool {
	first := at
	for first > 0 && letters[first-1] {
		first--
	}
	return (at-first)%2 == 0
}

// A document of Word 6 is in the code page of its language, or that of a font.
func TestWord6IsReadInItsLetters(t *testing.T) {
	cyrillic := "\xcf\xf0\xee\xf1\xfc\xe1\xe0 \xef\xf0\xe8\xe1\xfb\xf2\xfc\r"
	for name, c := range map[string]struct {
		language uint16
		mac      uint16
		fonts    string
		text     string
		want     string
	}{
		"of its language":    {0x419, 0, "", cyrillic, "Просьба прибыть"},
		"of a font":          {0x409, 0, "\x12\x00\x05\x00\x00\x00\x00\x00\x07\x00\x00\x00\xcc\x00\x00\x00", cyrillic, "Просьба прибыть"},
		"of Western Europe":  {0x409, 0, "\x12\x00\x05\x00\x00\x00\x00\x00\x07\x00\x00\x00\xcc\x00\x00\x00", "a caf\xe9\r", "a café"},
		"of the Macintosh":   {0x409, wordMac, "", "a caf\x8e\r", "a café"},
		"with a simple text": {0, 0, "", "two\rlines\r", "two\n\nlines"},
	} {
		main := make([]byte, 1024)
		binary.LittleEndian.PutUint16(main, wordMagic95)
		binary.LittleEndian.PutUint16(main[2:], 0x68)
		binary.LittleEndian.PutUint16(main[6:], c.language)
		binary.LittleEndian.PutUint16(main[0x14:], c.mac)
		binary.LittleEndian.PutUint32(main[0x18:], 768)
		binary.LittleEndian.PutUint32(main[0x1c:], uint32(768+len(c.text)))
		binary.LittleEndian.PutUint32(main[0x34:], uint32(len(c.text)))
		binary.LittleEndian.PutUint32(main[0xd0:], 600)
		binary.LittleEndian.PutUint32(main[0xd4:], uint32(len(c.fonts)))
		copy(main[600:], c.fonts)
		copy(main[768:], c.text)
		if d := text(t, "a.doc", testcfb.Make(testcfb.Files{"WordDocument": string(main)})); d.Text != c.want {
			t.Errorf("%s: %q, want %q", name, d.Text, c.want)
		}
	}
}

// Sheets that begin within each other, and pieces that say again what others said, cost no more than the file.
func TestOldDocumentsThatRepeatThemselvesEnd(t *testing.T) {
	var sheets, cells strings.Builder
	for range 3000 {
		cells.WriteString(oldRecord(biffBOF, uint16(biffVersion8), uint16(16)) + oldRecord(biffShared, uint16(0), uint16(0), uint16(0), uint32(0)))
	}
	for i := range 3000 {
		sheets.WriteString(oldRecord(biffSheet, uint32(60_000+4*i), uint16(0), byte(1), byte(0), "s"))
	}
	files := oldXLS(sheets.String(), cells.String())
	if d, err := readOldFile("a.xls", testcfb.Make(files)); err != nil || len(d.Text) > 100_000 {
		t.Errorf("%v", err)
	}
	files = oldDoc(slices.Repeat([]oldParagraph{{"again\r", ""}}, 20))
	table := []byte(files["1Table"])
	for i := range 20 {
		binary.LittleEndian.PutUint32(table[10+4*i:], uint32(i%2)*0x7fffffff)
	}
	files["1Table"] = string(table)
	if d, err := readOldFile("a.doc", testcfb.Make(files)); err == nil && len(d.Text) > 10_000 {
		t.Errorf("%d bytes", len(d.Text))
	}
}

func readOldFile(name string, data []byte) (*document.Document, error) {
	return formatOf(name, data).Read(context.Background(), document.NewInput(name, data, document.DefaultLimits))
}

// Streams are damaged, so that what is within them is reached, and whole files, of real programs too.
func TestDamagedOldDocumentsGiveWhatTheyCan(t *testing.T) {
	for _, name := range []string{"doc", "xls", "ppt"} {
		f := *formatOf("a."+name, []byte(cfb.Magic))
		sample := samples[sampleOf(t, name)].make(t)
		streams := streamsOf(t, sample)
		for stream, data := range streams {
			testmutate.Each(t, 300, [][]byte{[]byte(data)}, func(data []byte) {
				files := maps.Clone(streams)
				files[stream] = string(data)
				check(t, f, testcfb.Make(files))
			})
		}
		seeds := [][]byte{sample}
		for _, file := range slices.Sorted(maps.Keys(lostFiles(t))) {
			if strings.HasSuffix(file, name) {
				seeds = append(seeds, lostFiles(t)[file])
			}
		}
		testmutate.Each(t, 400, seeds, func(data []byte) { check(t, f, data) })
	}
}

// streamsOf returns the streams of a file without storages.
func streamsOf(t *testing.T, data []byte) testcfb.Files {
	t.Helper()
	file, err := cfb.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	files := testcfb.Files{}
	for _, name := range file.Root().Names() {
		files[name] = string(file.Root().Stream(name))
	}
	return files
}
