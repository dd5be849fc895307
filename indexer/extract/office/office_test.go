package office

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/internal/testcfb"
)

// samples are one file of each format and what is to be read of it.
var samples = []struct {
	name   string
	make   func(t testing.TB) []byte
	text   string
	places []string
	meta   document.Meta
}{
	{"a.docx", docxSample, "# Das Dach\n\nWe need:\n\n- tiles\n  - red ones\n\nItem; Cost\nItem: tiles; Cost: 300 €\nItem: gutter; Cost: 40 €\n\n" +
		"Ask Ann first. a photo of the roof\n\nShe knows roofs.\n\nIn a box\n\nLee Builders", []string{"page 1", "page 2"}, plan},
	{"a.odt", odtSample, "# Roof\n\n## The tiles\n\nWe need:\n\nSoon.\n\n- tiles\n  - red ones\n\nItem; Who\nItem: tiles; Who: Ann\n\nPage one.\n\nPage two photo & end.\n\nReally?",
		[]string{"page 1", "page 2"}, plan},
	{"a.pptx", pptxSample, "# Welcome\n\n- a point\n  - below\n\na roof in rain\n\nsay hello\n\nlast slide\n\nItem; Cost\nItem: tiles; Cost: 300",
		[]string{"slide 1", "slide 2"}, plan},
	{"a.odp", odpSample, "# Welcome\n\n- first point\n\nSecond slide\n\nsay hello", []string{"slide 1", "slide 2"}, document.Meta{}},
	{"a.xlsx", xlsxSample, "# Budget\n\nBudget of 2021\n\nItem; Day; Cost; Paid\nItem: tiles red; Day: 2021-01-01; Cost: 1,234.50 €; Paid: TRUE\n" +
		"Item: tiles red; Day: 2021-01-02; Cost: 12.50%\nComment C3: too much\n\n# Old\n\nhidden; 0.3",
		[]string{"sheet Budget", "sheet Budget, row 1", "sheet Budget, row 2", "sheet Budget, row 3", "sheet Budget, row 4", "sheet Old", "sheet Old, row 1"}, plan},
	{"a.ods", odsSample, "# Budget\n\nItem; Day; Cost\nItem: tiles; Day: 2021-01-02; Cost: 300,00 €\nItem: gutter; Cost: 40,00 €\nItem: gutter; Cost: 40,00 €\n\n# Two\n\nalone",
		[]string{"sheet Budget", "sheet Budget, row 1", "sheet Budget, row 2", "sheet Budget, row 3", "sheet Budget, row 4", "sheet Two", "sheet Two, row 1"}, document.Meta{}},
	{"a.epub", epubSample, "# Tiles\n\nMade of clay.\n\n## Slate\n\nMade of stone.\n\n# Gutters\n\nWater runs\u00a0down.",
		[]string{"chapter Tiles", "chapter Slate", "chapter 2"},
		document.Meta{Title: "The Roof", Authors: []string{"Ann Lee"}, Tags: []string{"Houses"}, Date: time.Date(2019, 3, 4, 0, 0, 0, 0, time.UTC)}},
	{"a.odg", odgSample, "Pump room\n\nthe valve\n\nSecond page", []string{"page 1", "page 2"}, document.Meta{}},
	{"a.xmind", xmindSample, "# Moving\n\n- crates (soon)\n\nAsk Ann.\n\n  - felt\n- leads to", []string{"sheet Plan"}, document.Meta{}},
	{"a.numbers", numbersSample, "# Costs\n\n## Roof\n\nItem; Day; Cost\nItem: tiles; Day: 2021-01-01; Cost: 12.5\nItem: größere gutter; Cost: 40; TRUE\n\nAsk Ann.\n\nBe quick.",
		[]string{"sheet Costs", "sheet Costs", "sheet Costs, row 1", "sheet Costs, row 2", "sheet Costs, row 3", ""}, document.Meta{}},
	{"a.xps", xpsSample, "The roof leaks again\nsince May.\n\nAsk Ann.", []string{"page 1", "page 2"}, plan},
	{"a.vsdx", vsdxSample, "Pump & valve\n\nto the mill\n\nwater only", []string{"page Cellar"}, plan},
	{"a.wordml", func(testing.TB) []byte { return []byte(wordMLSample) }, "# Das Dach\n\nAsk Ann first.\n\nSoon.\n\nItem; Cost\nItem: tiles; Cost: 300 €\n\nLee Builders", nil,
		document.Meta{Title: "Roof plan", Authors: []string{"Ann Lee"}, Date: time.Date(2021, 5, 6, 7, 8, 9, 0, time.UTC)}},
	{"a.flatopc", func(testing.TB) []byte { return []byte(flatOPCSample) }, "Ask Ann & Bob first.", nil, plan},
	{"a.kml", func(testing.TB) []byte { return []byte(kmlSample) }, "# Wells\n\n## North\n\nHoarstone; Address: Mill Lane 3; keeper: Ann; Dry since May.\nOld well", nil, document.Meta{Title: "Wells"}},
	{"a.gnumeric", func(testing.TB) []byte { return []byte(gnumericSample) }, "# Looms\n\nLoom; Since; Ends\nLoom: Corner; Since: 2021-01-01; Ends: 480\nComment A2: squeaks",
		[]string{"sheet Looms", "sheet Looms, row 1", "sheet Looms, row 2"}, document.Meta{Title: "Roof plan"}},
	{"a.xopp", func(testing.TB) []byte { return []byte(xournalSample) }, "Pendulum & clock\n\nx^2", []string{"page 1", "page 2"}, document.Meta{}},
	{"a.comic", func(testing.TB) []byte { return []byte(comicSample) }, "# The heron\n\nSaltmarsh 7\n\nWriter: Bea Lee\n\nA regatta.\n\n- The sluice", nil,
		document.Meta{Title: "The heron", Authors: []string{"Bea Lee"}, Date: time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC)}},
	{"a.rtf", func(testing.TB) []byte { return []byte(rtfSample) }, "# Das Dach für €uro\n\nWe need:\n\nSoon.\n\n- tiles\n\nПриветhere—{ok}\n\n" +
		"Item; Cost\nItem: tiles; Cost: 300\nItem: gutter; Cost: 40\n\nThe end.\n\nLee Builders", nil,
		document.Meta{Title: "Roof plan", Authors: []string{"Ann Lee"}, Tags: []string{"roof", "gutter"}, Date: time.Date(2021, 5, 6, 0, 0, 0, 0, time.UTC)}},
	{"a.doc", docSample, "# Das Dach\n\nWe need:\n\n- tiles\n  - red ones\n\nItem; Cost\nItem: tiles; Cost: 300 €\n\nAsk Ann first.\n\nSoon – really.\n\nLee Builders", nil, plan},
	{"a.xls", xlsSample, "# Budget\n\nItem; Day; Cost; Paid\nItem: tiles; Day: 2021-01-01; Cost: 1,234.50 €; Paid: TRUE\nItem: tiles; Day: 2021-01-02; Cost: 12.5; Paid: no\n\ntoo much",
		[]string{"sheet Budget", "sheet Budget, row 1", "sheet Budget, row 2", "sheet Budget, row 3"}, plan},
	{"a.ppt", pptSample, "# Welcome\n\n- a point\n- and a second one – at last\n\nsay hello\n\nlast\nslide\n\nwhy?\n\nLee Builders\n\nSince 1901", []string{"slide 1", "slide 2", ""}, plan},
}

// plan is what most of the samples say of themselves; the second is cut off.
var plan = document.Meta{Title: "Roof plan", Authors: []string{"Ann Lee"}, Tags: []string{"roof", "gutter"}, Date: time.Date(2021, 5, 6, 7, 8, 9, 0, time.UTC)}

func TestFormatsReadTheirFiles(t *testing.T) {
	for _, s := range samples {
		d := text(t, s.name, s.make(t))
		if d.Text != s.text {
			t.Errorf("%s:\n%q\nwant\n%q", s.name, d.Text, s.text)
		}
		if got := labels(d); !reflect.DeepEqual(got, s.places) {
			t.Errorf("%s: places %q", s.name, got)
		}
		d.Meta.Date = d.Meta.Date.Truncate(time.Second)
		if !reflect.DeepEqual(d.Meta, s.meta) {
			t.Errorf("%s: says of itself %+v", s.name, d.Meta)
		}
		if again := text(t, s.name, s.make(t)); again.Text != d.Text || d.Format != strings.TrimPrefix(s.name, "a.") {
			t.Errorf("%s: read as %s, another text the second time: %v", s.name, d.Format, again.Text != d.Text)
		}
	}
}

// What has no name, or that of a relative, is read as what it is; what is something else
// under such a name is left to others.
func TestFormatsAreKnownByTheirHead(t *testing.T) {
	for _, s := range samples {
		data := s.make(t)
		want := strings.TrimPrefix(s.name, "a.")
		names := []string{s.name, "A." + strings.ToUpper(want)}
		if want != "numbers" && want != "xmind" { // package archive knows them by their parts
			names = append(names, "letter", "a.bak")
		}
		for _, name := range names {
			if f := formatOf(name, data); f == nil || f.Name != want {
				t.Errorf("%s under the name %s: %v", want, name, f)
			}
		}
		for _, other := range []string{"Dear Ann,\n", "<html>", "%PDF-1.4", "PK", ""} {
			if f := formatOf(s.name, []byte(other)); f != nil {
				t.Errorf("%q under the name %s is taken as %s", other, s.name, f.Name)
			}
		}
	}
	plain := archive(t, member{"a.txt", "text"})
	for name, want := range map[string]string{"a.zip": "", "a": "", "a.docm": "docx", "a.odt": "odt", "a.epub": "epub", "a.xltx": "xlsx"} {
		f := formatOf(name, plain)
		if got := f != nil; got != (want != "") || got && f.Name != want {
			t.Errorf("an archive under the name %s: %v", name, f)
		}
	}
	stored := "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x08\x00\x00\x00meta.xml<office:document-meta/>" // a zip that packs nothing
	if f := formatOf("a.ods", []byte(stored)); f == nil || f.Name != "ods" {
		t.Errorf("a stored sheet: %v", f)
	}
	mime := `<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet">`
	for name, want := range map[string]string{"a.xml": "ods", "a": "ods", "a.fods": "ods"} {
		if f := formatOf(name, []byte(mime)); f == nil || f.Name != want {
			t.Errorf("flat under the name %s: %v", name, f)
		}
	}
	if f := formatOf("a.go", []byte("package a // "+mime)); f != nil {
		t.Errorf("a program about it is taken as %s", f.Name)
	}
	flat := strings.Replace(odtContent(`<office:meta><dc:title>Roof plan</dc:title></office:meta>`), "office:document-content", "office:document", 2)
	d := text(t, "a.fodt", []byte(flat))
	if !strings.HasPrefix(d.Text, "# Roof\n\n## The tiles") || d.Meta.Title != "Roof plan" {
		t.Errorf("flat: %q, %+v", d.Text, d.Meta)
	}
}

func TestEncryptedAndDamagedFilesAreNamed(t *testing.T) {
	read := func(name string, data []byte) error {
		f := formatOf(name, data)
		if f == nil {
			t.Fatalf("%s is of no format", name)
		}
		_, err := f.Read(t.Context(), document.NewInput(name, data, document.DefaultLimits))
		return err
	}
	container := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)
	locked := testcfb.Make(testcfb.Files{"EncryptedPackage": "?"})
	odf := archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", "\x01\x02"},
		member{"META-INF/manifest.xml", `<m><file-entry><manifest:encryption-data/></file-entry></m>`})
	epub := archive(t, member{"mimetype", "application/epub+zip"}, member{"META-INF/container.xml", `<rootfile full-path="b.opf"/>`},
		member{"b.opf", `<package><manifest><item id="a" href="a.html" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`},
		member{"a.html", "x"}, member{"META-INF/encryption.xml", `<CipherReference URI="a.html"/>`})
	for name, data := range map[string][]byte{"a.docx": locked, "a.xlsx": locked, "a.odt": odf, "a.epub": epub} {
		if err := read(name, data); !errors.Is(err, document.ErrEncrypted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole := docxSample(t)
	for name, data := range map[string][]byte{
		"old": []byte(container), "cut": whole[:len(whole)/2], "other": archive(t, member{"a.txt", "text"}),
		"broken": archive(t, member{contentTypes, types}, member{"word/document.xml", "<w:document><w:p><w:t>a</w:t"}),
	} {
		if err := read("a.docx", data); err == nil || errors.Is(err, document.ErrEncrypted) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What stands apart for its looks alone belongs to the text.
func TestWordsOfDOCXStayTogether(t *testing.T) {
	d := text(t, "a.docx", docx(t, wp(`<w:framePr w:dropCap="drop"/>`, "O")+wp("", "nce upon")+wp(`<w:outlineLvl w:val="1"/>`, "Part<w:t> two</w:t>")+
		wp(`<w:pStyle w:val="Heading3"/>`, "No styles")+wp(`<w:tabs><w:tab w:val="left"/></w:tabs>`, "x")+
		`<w:tbl><w:tblPr><w:tblCaption w:val="Costs"/></w:tblPr><w:tr><w:tc>`+wp("", "a")+`</w:tc><w:tc>`+wp("", "b")+`</w:tc></w:tr></w:tbl>`))
	if want := "Once upon\n\n## Part two\n\n### No styles\n\nx\n\nCosts\n\na; b"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// How words are read stands above them: the words stay one text, and the readings follow. Parts of a formula stand apart.
func TestReadingsAndFormulas(t *testing.T) {
	run := func(s string) string { return `<w:r><w:t>` + s + `</w:t></w:r>` }
	ruby := func(base, read string) string {
		return `<w:r><w:ruby><w:rt>` + run(read) + `</w:rt><w:rubyBase>` + run(base) + `</w:rubyBase></w:ruby></w:r>`
	}
	math := func(s string) string { return `<m:r><m:t>` + s + `</m:t></m:r>` }
	d := text(t, "a.docx", docx(t, `<w:p>`+ruby("漢", "kan")+ruby("字", "ji")+run("です")+`</w:p><w:p>`+run("So ")+
		`<m:oMath>`+math("x=")+`<m:f><m:num>`+math("kinetic")+`</m:num><m:den>`+math("mass")+`</m:den></m:f></m:oMath></w:p>`))
	if want := "漢字です (kan ji)\n\nSo x= kinetic mass"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
	odt := strings.Replace(odtContent(""), "Page one.", `<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>です`, 1)
	d = text(t, "a.odt", archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", odt}))
	if !strings.Contains(d.Text, "漢です (kan)") {
		t.Errorf("%q", d.Text)
	}
}

// A merged cell says what it says of each of its rows, and moves no other cell to another
// column, though the three formats write it in three ways.
func TestMergedCells(t *testing.T) {
	const want = "Who; Item; Cost\nWho: Ann; Item: tiles; Cost: 30\nWho: Ann; Item: gutter; Cost: 40\nWho: both; Cost: 70"
	tc := func(more, s string) string { return `<w:tc><w:tcPr>` + more + `</w:tcPr>` + wp("", s) + `</w:tc>` }
	word := docx(t, `<w:tbl><w:tr>`+tc("", "Who")+tc("", "Item")+tc("", "Cost")+`</w:tr><w:tr>`+tc(`<w:vMerge w:val="restart"/>`, "Ann")+tc("", "tiles")+tc("", "30")+
		`</w:tr><w:tr>`+tc(`<w:vMerge/>`, "")+tc("", "gutter")+tc("", "40")+`</w:tr><w:tr>`+tc(`<w:gridSpan w:val="2"/>`, "both")+tc("", "70")+`</w:tr></w:tbl>`)
	if d := text(t, "a.docx", word); d.Text != want {
		t.Errorf("docx: %q", d.Text)
	}
	oc := func(more, s string) string {
		return `<table:table-cell ` + more + `><text:p>` + s + `</text:p></table:table-cell>`
	}
	odt := archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", `<o><office:text><table:table><table:table-row>` +
		oc("", "Who") + oc("", "Item") + oc("", "Cost") + `</table:table-row><table:table-row>` + oc(`table:number-rows-spanned="2"`, "Ann") + oc("", "tiles") + oc("", "30") +
		`</table:table-row><table:table-row><table:covered-table-cell/>` + oc("", "gutter") + oc("", "40") + `</table:table-row><table:table-row>` +
		oc(`table:number-columns-spanned="2"`, "both") + `<table:covered-table-cell/>` + oc("", "70") + `</table:table-row></table:table></office:text></o>`})
	if d := text(t, "a.odt", odt); d.Text != want {
		t.Errorf("odt: %q", d.Text)
	}
	ac := func(more, s string) string {
		return `<a:tc ` + more + `><a:txBody><a:p><a:r><a:t>` + s + `</a:t></a:r></a:p></a:txBody></a:tc>`
	}
	var s slideReader
	slide := `<a:tbl><a:tr>` + ac("", "Who") + ac("", "Item") + ac("", "Cost") + `</a:tr><a:tr>` + ac(`rowSpan="2"`, "Ann") + ac("", "tiles") + ac("", "30") +
		`</a:tr><a:tr>` + ac(`vMerge="1"`, "") + ac("", "gutter") + ac("", "40") + `</a:tr><a:tr>` + ac(`gridSpan="2"`, "both") + ac(`hMerge="1"`, "") + ac("", "70") + `</a:tr></a:tbl>`
	if err := readXML(t.Context(), document.NewInput("a.pptx", nil, document.DefaultLimits), []byte(slide), &s); err != nil {
		t.Fatal(err)
	}
	b := document.NewInput("a", nil, document.DefaultLimits).Builder()
	(&writer{b: b}).blocks(s.flow.finish())
	if d := b.Document("pptx", document.Meta{}); d.Text != want {
		t.Errorf("pptx: %q", d.Text)
	}
}

// What unpacks to more than the limits is refused, and the depth of elements is of no effect.
func TestBombsAreRefused(t *testing.T) {
	bomb := docx(t, wp("", strings.Repeat("a", 3<<20)))
	limits := document.DefaultLimits
	limits.Unpacked = 1 << 20
	if _, err := readDOCX(t.Context(), document.NewInput("a.docx", bomb, limits)); !errors.Is(err, document.ErrBounds) {
		t.Errorf("a bomb: %v", err)
	}
	stretch := docx(t, wp("", strings.Repeat("a", 17<<20)))
	if _, err := readDOCX(t.Context(), document.NewInput("a.docx", stretch, document.DefaultLimits)); !errors.Is(err, document.ErrBounds) {
		t.Errorf("a stretch without markup: %v", err)
	}
	entities := strings.Replace(odtContent(""), "<?xml version=\"1.0\"?>", `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`, 1)
	entities = strings.Replace(entities, "Page one.", "&b;&c;", 1)
	d := text(t, "a.odt", archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", entities}))
	if !strings.Contains(d.Text, "&b;&c;") || strings.Contains(d.Text, "aaaa") {
		t.Errorf("entities: %q", d.Text)
	}
	const deep = 100_000
	for name, data := range map[string][]byte{
		"paragraphs": docx(t, strings.Repeat("<w:p><w:r><w:t>x</w:t>", deep)),
		"tables":     docx(t, strings.Repeat("<w:tbl><w:tr><w:tc>", deep)+wp("", "x")+strings.Repeat("</w:tc></w:tr></w:tbl>", deep)),
		"both":       docx(t, strings.Repeat("<w:tbl><w:tr><w:tc><w:p>", deep)+"<w:t>x</w:t>"),
	} {
		if d := text(t, "a.docx", data); strings.Count(d.Text, "x") < 1 || len(d.Text) > 4*deep {
			t.Errorf("%s: %d bytes", name, len(d.Text))
		}
	}
	groups := "{\\rtf1 a" + strings.Repeat("{\\footnote b", deep) + "}c"
	if d := text(t, "a.rtf", []byte(groups)); strings.Count(d.Text, "b") != deep {
		t.Errorf("groups: %d", strings.Count(d.Text, "b"))
	}
}

// What a flow holds is bounded by more than its text: cells and rows may be empty.
func TestFlowIsBounded(t *testing.T) {
	var f flow
	f.begin(true)
	for range maxFlow/rowSize + 10 {
		f.beginCell(1, false)
	}
	f.end(true)
	f.beginParagraph(paragraph, 0)
	f.write("no room")
	if blocks := f.finish(); len(blocks) != 1 || blocks[0].kind != limited || f.size > maxFlow {
		t.Errorf("%d blocks, %d bytes", len(blocks), f.size)
	}
}

// TestAPartThatIsTooLargeIsNotUnpacked: what it would take is left to other parts.
func TestAPartThatIsTooLargeIsNotUnpacked(t *testing.T) {
	limits := document.DefaultLimits
	limits.Unpacked = 1 << 20
	p, err := openParts(document.NewInput("a.docx", archive(t, member{"large.xml", strings.Repeat(" ", 2<<20)}, member{"small.xml", "<a/>"}), limits))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.read("large.xml"); !errors.Is(err, document.ErrBounds) {
		t.Errorf("a large part: %v", err)
	}
	if data, err := p.read("small.xml"); err != nil || string(data) != "<a/>" {
		t.Errorf("the part behind it: %q, %v", data, err)
	}
}
