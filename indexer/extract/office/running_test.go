package office

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// What stands on every page, slide or sheet is said once, behind all else; what programs put there is not said.
func TestHeadersFootersAndMastersAreSaidOnce(t *testing.T) {
	frame := func(class, s string) string {
		return `<draw:frame ` + class + `><draw:text-box><text:p>` + s + `</text:p></draw:text-box></draw:frame>`
	}
	master := `<office:document-styles><office:styles><style:style style:name="x"/></office:styles><office:master-styles><style:master-page style:name="M">` +
		`<style:header><text:p>Lee Builders</text:p><text:p>Page <text:page-number>1</text:page-number> of <text:page-count>9</text:page-count></text:p></style:header>` +
		`<style:footer><text:p>Ask Ann, <text:date>1/1/21</text:date></text:p><table:table><table:table-row><table:table-cell><text:p>Box 7</text:p></table:table-cell><table:table-cell><text:p>Mill Lane</text:p></table:table-cell></table:table-row></table:table></style:footer>` +
		`<style:header-left><text:p>Lee Builders</text:p></style:header-left>` +
		frame(`presentation:class="title" presentation:placeholder="true"`, "Click to edit the title") + frame(`presentation:class="footer"`, "Members only") + frame(`presentation:class="date-time"`, "no") +
		`<presentation:notes>` + frame("", "no") + `</presentation:notes></style:master-page></office:master-styles></office:document-styles>`
	const above = "Lee Builders\n\nAsk Ann,\n\nBox 7; Mill Lane\n\nMembers only"
	odf := func(kind, content string) []byte {
		return archive(t, member{"mimetype", "application/vnd.oasis.opendocument." + kind}, member{"content.xml", content}, member{"styles.xml", master})
	}
	shape := func(ph, s string) string {
		return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" descr="a logo"/><p:nvPr>` + ph + `</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + s + `</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	slide := func(s string) string {
		return `<p:sld>` + strings.ReplaceAll(shape("", s)+shape(`<p:ph type="ftr"/>`, "Lee Builders")+shape(`<p:ph type="sldNum"/>`, "7"), ` descr="a logo"`, "") + `</p:sld>`
	}
	toLayout := rels + rel("r1", "slideLayout", "../slideLayouts/slideLayout1.xml") + `</Relationships>`
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a.odt": {odf("text", `<o><office:text><text:p>It leaks.</text:p></office:text></o>`), "It leaks.\n\n" + above},
		"a.ods": {odf("spreadsheet", `<o><office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>It leaks.</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></o>`),
			"# S\n\nIt leaks.\n\n" + above},
		"a.odp": {odf("presentation", `<o><office:presentation><presentation:footer-decl presentation:name="f1">The institute</presentation:footer-decl>`+
			`<presentation:footer-decl presentation:name="f2">unused</presentation:footer-decl><draw:page presentation:use-footer-name="f1">`+frame("", "It leaks.")+
			`</draw:page><draw:page presentation:use-footer-name="f1">`+frame("", "It hails.")+`</draw:page></office:presentation></o>`), "It leaks.\n\nIt hails.\n\nThe institute\n\n" + above},
		"a.pptx": {archive(t, member{contentTypes, types},
			member{"_rels/.rels", rels + rel("rId1", "officeDocument", "ppt/presentation.xml") + `</Relationships>`},
			member{"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId id="1" r:id="r1"/><p:sldId id="2" r:id="r2"/></p:sldIdLst></p:presentation>`},
			member{"ppt/_rels/presentation.xml.rels", rels + rel("r1", "slide", "slides/slide1.xml") + rel("r2", "slide", "slides/slide2.xml") + `</Relationships>`},
			member{"ppt/slides/slide1.xml", slide("It leaks.")}, member{"ppt/slides/slide2.xml", slide("It hails.")},
			member{"ppt/slides/_rels/slide1.xml.rels", toLayout}, member{"ppt/slides/_rels/slide2.xml.rels", toLayout},
			member{"ppt/slideLayouts/slideLayout1.xml", `<p:sldLayout>` + shape(`<p:ph type="title"/>`, "Click to edit") + shape("", "Since 1901") + `</p:sldLayout>`},
			member{"ppt/slideLayouts/_rels/slideLayout1.xml.rels", rels + rel("r1", "slideMaster", "../slideMasters/slideMaster1.xml") + `</Relationships>`},
			member{"ppt/slideMasters/slideMaster1.xml", `<p:sldMaster>` + shape(`<p:ph type="body"/>`, "Click to edit") + shape("", "Members only") + `</p:sldMaster>`}),
			"It leaks.\n\nIt hails.\n\nLee Builders\n\nSince 1901\n\nMembers only"},
		"a.xlsx": {archive(t, member{contentTypes, types}, member{"_rels/.rels", rels + rel("r", "officeDocument", "xl/workbook.xml") + `</Relationships>`},
			member{"xl/workbook.xml", `<workbook><sheets><sheet name="A" r:id="r1"/><sheet name="B" r:id="r2"/></sheets></workbook>`},
			member{"xl/_rels/workbook.xml.rels", rels + rel("r1", "worksheet", "s1.xml") + rel("r2", "worksheet", "s2.xml") + `</Relationships>`},
			member{"xl/s1.xml", `<worksheet><sheetData><row><c t="str"><v>It leaks.</v></c></row></sheetData><headerFooter><oddHeader>&amp;C&amp;"Arial,Bold"&amp;14&amp;K00FF00Lee &amp;&amp; Sons&amp;R&amp;P</oddHeader><oddFooter>&amp;P</oddFooter></headerFooter></worksheet>`},
			member{"xl/s2.xml", `<worksheet><sheetData/><headerFooter><oddHeader>&amp;CLee &amp;&amp; Sons</oddHeader></headerFooter></worksheet>`},
			member{"xl/_rels/s2.xml.rels", rels + rel("r1", "comments", "c.xml") + rel("r2", "threadedComment", "t.xml") + `</Relationships>`},
			member{"xl/c.xml", `<comments><comment ref="B2"><text><t>[Threaded comment] it hails</t></text></comment><comment ref="C3"><text><t>old</t></text></comment></comments>`},
			member{"xl/t.xml", `<ThreadedComments><threadedComment ref="B2"><text>It hails.</text></threadedComment></ThreadedComments>`}),
			"# A\n\nIt leaks.\n\n# B\n\nComment B2: It hails.\nComment C3: old\n\nLee & Sons"},
	} {
		if d := text(t, name, c.data); d.Text != c.want {
			t.Errorf("%s: %q, want %q", name, d.Text, c.want)
		}
	}
}

// OpenOffice before 2005 called things otherwise: the kind of the file, lists, notes.
func TestFilesOfOpenOffice1(t *testing.T) {
	content := func(class, body string) []byte {
		return archive(t, member{"content.xml", `<office:document-content office:class="` + class + `"><office:body>` + body + `</office:body></office:document-content>`}, member{"styles.xml", "<x/>"})
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a.sxw": {content("text", `<text:h text:level="1">Roof</text:h><text:p>It leaks<text:footnote><text:footnote-citation>1</text:footnote-citation><text:footnote-body><text:p>Soon.</text:p></text:footnote-body></text:footnote>.</text:p>`+
			`<text:unordered-list><text:list-item><text:p>tiles</text:p></text:list-item></text:unordered-list><text:p>Ask Ann.</text:p>`), "# Roof\n\nIt leaks.\n\nSoon.\n\n- tiles\n\nAsk Ann."},
		"a.sxc": {content("spreadsheet", `<table:table table:name="S"><table:table-row><table:table-cell><text:p>Item</text:p></table:table-cell><table:table-cell table:value-type="float" table:value="7"><text:p>7</text:p></table:table-cell></table:table-row></table:table>`), "# S\n\nItem; 7"},
		"a.sxi": {content("presentation", `<draw:page><draw:text-box><text:p>Welcome</text:p></draw:text-box></draw:page>`), "Welcome"},
	} {
		if d := text(t, name, c.data); d.Text != c.want {
			t.Errorf("%s: %q, want %q", name, d.Text, c.want)
		}
	}
}

// What a document of Word keeps in other parts belongs to it.
func TestDiagramsChartsAndChunksOfDOCX(t *testing.T) {
	d := text(t, "a.docx", docx(t, wp("", "It leaks."), member{"word/_rels/document.xml.rels", rels + rel("r1", "chart", "charts/chart1.xml") +
		rel("r2", "diagramData", "diagrams/data1.xml") + rel("r3", "aFChunk", "more.htm") + rel("r4", "chart", "lost.xml") + `</Relationships>`},
		member{"word/charts/chart1.xml", `<c:chart><c:title><a:p><a:r><a:t>Rain by month</a:t></a:r></a:p></c:title><c:cat><c:strRef><c:pt><c:v>May</c:v></c:pt></c:strRef></c:cat><c:val><c:numRef><c:v>7</c:v></c:numRef></c:val></c:chart>`},
		member{"word/diagrams/data1.xml", `<dgm:pt><dgm:t><a:p><a:r><a:t>Plan, then build</a:t></a:r></a:p></dgm:t></dgm:pt>`},
		member{"word/more.htm", `<html><body><h1>More</h1><p>of it</p></body></html>`}))
	if want := "It leaks.\n\nRain by month\n\nMay\n\nPlan, then build\n\n# More\n\nof it"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// pandoc bases the styles of authors and dates on that of titles; they are no headings.
func TestBylinesAreNoHeadings(t *testing.T) {
	style := func(id, name, base string) string {
		return `<w:style w:type="paragraph" w:styleId="` + id + `"><w:name w:val="` + name + `"/><w:basedOn w:val="` + base + `"/></w:style>`
	}
	styled := func(id, s string) string { return wp(`<w:pStyle w:val="`+id+`"/>`, s) }
	d := text(t, "a.docx", archive(t, member{contentTypes, types}, member{"_rels/.rels", rels + rel("r", "officeDocument", "word/document.xml") + `</Relationships>`},
		member{"word/_rels/document.xml.rels", rels + rel("r1", "styles", "styles.xml") + `</Relationships>`},
		member{"word/styles.xml", `<w:styles>` + style("Title", "Title", "Normal") + style("Subtitle", "Subtitle", "Title") + style("Author", "Author", "Title") + style("Date", "Date", "Subtitle") + style("My", "Report title", "Title") + `</w:styles>`},
		member{"word/document.xml", `<w:document>` + styled("Title", "Roof") + styled("Subtitle", "A plan") + styled("Author", "Ann Lee") + styled("Author", "Bob Ray") + styled("Date", "3 May 2021") + styled("My", "Part") + wp("", "It leaks.") + `</w:document>`}))
	if want := "# Roof\n\nA plan\n\nAnn Lee\n\nBob Ray\n\n3 May 2021\n\n# Part\n\nIt leaks."; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
	if want := []string{"Ann Lee", "Bob Ray"}; !reflect.DeepEqual(d.Meta.Authors, want) || !d.Meta.Date.Equal(time.Date(2021, 5, 3, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", d.Meta)
	}
	core := strings.Replace(core, "Ann Lee", "Ann Lee; Bob Ray", 1)
	d = text(t, "a.docx", archive(t, member{contentTypes, types}, member{"_rels/.rels", rels + rel("r", "officeDocument", "word/document.xml") + `</Relationships>`},
		member{"word/document.xml", `<w:document>` + wp("", "It leaks.") + `</w:document>`}, member{"docProps/core.xml", core}))
	if want := []string{"Ann Lee", "Bob Ray"}; !reflect.DeepEqual(d.Meta.Authors, want) {
		t.Errorf("%+v", d.Meta)
	}
}
