package pdf

import (
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf16"
)

// says is marked content that says how it reads.
func says(text, content string) string {
	data := []byte{0xfe, 0xff}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit>>8), byte(unit))
	}
	return "/Span << /ActualText <" + hex.EncodeToString(data) + "> >> BDC\n" + content + "\nEMC\n"
}

// shows is a line of pieces that follow each other.
func shows(y string, pieces ...string) string {
	return "BT /F 12 Tf 50 " + y + " Td\n" + strings.Join(pieces, "") + "ET\n"
}

func tj(text string) string { return "(" + text + ") Tj\n" }

// outlines are a drawn box, as letters are drawn that are no text.
const outlines = "50 650 100 12 re f"

// told is a file whose tree of elements says how a part of its page reads.
func told() made {
	return made{
		pages:   []string{"/P << /MCID 0 >> BDC\n" + shows("700", tj("the roof is leaking")) + "EMC\n"},
		page:    "/StructParents 0",
		catalog: "/StructTreeRoot 10 0 R /MarkInfo << /Marked true >>",
		more: []string{
			"<< /Type /StructTreeRoot /K [11 0 R] /ParentTree << /Nums [0 [11 0 R]] >> >>",
			"<< /Type /StructElem /S /P /P 10 0 R /Pg 12 0 R /K 0 /ActualText (slates of Penrhyn) >>",
		},
	}
}

func TestWhatPagesSay(t *testing.T) {
	page := func(content ...string) made { return made{pages: []string{strings.Join(content, "")}} }
	form := made{
		pages: []string{says("slates of Penrhyn", "/X Do") + shows("600", tj("behind"))}, page: "/Resources << /XObject << /X 10 0 R >> /Font << /F 3 0 R >> >>",
		more: []string{stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800]", outlines)},
	}
	for name, c := range map[string]struct {
		made
		want string
	}{
		"the same":               {page(shows("700", tj("a "), says("slate roof", tj("slate roof")), tj(" there"))), "a slate roof there"},
		"letters of a ligature":  {page(shows("700", tj("of"), says("fi", tj("G")), tj("ce"))), "office"},
		"glyphs that are none":   {page(shows("700", tj("of"), says("fi", tj(`\001`)), tj("ce hours"))), "office hours"},
		"a space of a leader":    {page(shows("700", tj("roof"), says(".", tj(" ")), tj(" leak"))), "roof leak"},
		"another script":         {page(shows("700", says("वर्षा", tj("v")), tj(" and rain"))), "वर्षा and rain"},
		"letters in another way": {page(shows("700", says("shingle", tj("s h i n g l e")), tj(" roof"))), "shingle roof"},
		"other words":            {page(shows("700", tj("by "), says("Doctor", tj("Dr.")), tj(" Lee"))), "by Dr. Doctor Lee"},
		"in other letters":       {page(shows("700", tj("on "), says("15 March 2024", tj("15.3.24")), tj(" it rained"))), "on 15.3.24 15 March 2024 it rained"},
		"a bullet":               {page(shows("700", says("\u2022", tj("l")), tj(" ladder"))), "- ladder"},
		"a soft hyphen":          {page(shows("700", tj("main"), says("\u00ad", tj("-"))), shows("686", tj("tenance"))), "maintenance"},
		"nothing":                {page(shows("700", says("", tj("words")), tj(" stay"))), "words stay"},
		"over two lines":         {page(says("maintenance", shows("700", tj("main-"))+shows("686", tj("tenance"))), shows("672", tj("and more"))), "maintenance and more"},
		"what is drawn":          {page(shows("700", tj("before")), says("slates of Penrhyn", outlines), shows("600", tj("behind"))), "before\n\nslates of Penrhyn\n\nbehind"},
		"drawn alone":            {page(says("slates of Penrhyn", outlines)), "slates of Penrhyn"},
		"drawn in a form":        {form, "slates of Penrhyn\n\nbehind"},
		"the tree":               {told(), "the roof is leaking slates of Penrhyn"},
	} {
		d, err := readMade(t, newReader(t), c.bytes())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d.Text != c.want {
			t.Errorf("%s: %q, want %q", name, d.Text, c.want)
		}
	}
}

// What a mark says is counted as text is, however often a page says it.
func TestWhatPagesSayIsBounded(t *testing.T) {
	long := strings.Repeat("slates and tiles ", 1000)
	var b strings.Builder
	for range 2000 {
		b.WriteString("/Span /Long BDC 9 9 9 9 re f EMC\n")
	}
	s, err := newReader(t).compiled()
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.instance(t.Context(), maxPages)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close() //nolint:errcheck // the test is over
	file := made{pages: []string{b.String()}, page: "/Resources << /Properties << /Long << /ActualText (" + long + ") >> >> >>"}
	doc, err := load(p, file.bytes())
	if err != nil {
		t.Fatal(err)
	}
	all := readActual(p, p.call("FPDF_LoadPage", doc, 0), &budget{chars: 10 * len(long), objects: 1 << 20})
	if n := len(all.parts); n == 0 || n > 10 {
		t.Errorf("%d parts of %d characters each", n, len(long))
	}
	all = readActual(p, p.call("FPDF_LoadPage", doc, 0), &budget{chars: 1 << 20, objects: 7})
	if n := len(all.parts); n > 7 {
		t.Errorf("%d parts of 7 objects", n)
	}
}

func TestTextStrings(t *testing.T) {
	for in, want := range map[string]string{
		"\xfe\xff\x09\x15\x09\x3f": "कि", "\xff\xfe\x15\x09": "क", "\xef\xbb\xbfé": "é", "caf\xe9 \x93\x84": "café ﬁ—", "": "", "\xfe\xff\x00": "", "\xef\xbb\xbf\xff": "\ufffd", "\x1a\xa0": "ˆ€",
	} {
		if got := textString([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
