package office

import (
	"archive/zip"
	"bytes"
	"testing"
)

// member is a part of a file that a test makes.
type member struct{ name, text string }

// archive returns a zip archive. A first part called mimetype is stored, as it has to be.
func archive(t testing.TB, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		method := zip.Deflate
		if m.name == "mimetype" {
			method = zip.Store
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: method})
		if err == nil {
			_, err = f.Write([]byte(m.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const (
	rels       = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	types      = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
	office2006 = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	core       = `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Roof plan</dc:title><dc:creator>Ann Lee</dc:creator>` +
		`<cp:keywords>roof, gutter</cp:keywords><dcterms:created>2020-01-02T03:04:05Z</dcterms:created>` +
		`<dcterms:modified>2021-05-06T07:08:09Z</dcterms:modified></cp:coreProperties>`
)

// rel is a relationship in an Office file.
func rel(id, kind, target string) string {
	return `<Relationship Id="` + id + `" Type="` + office2006 + kind + `" Target="` + target + `"/>`
}

// docx returns a document whose body is given.
func docx(t testing.TB, body string, more ...member) []byte {
	return archive(t, append([]member{
		{contentTypes, types},
		{"_rels/.rels", rels + rel("rId1", "officeDocument", "word/document.xml") + `</Relationships>`},
		{"word/document.xml", `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>` + body + `</w:body></w:document>`},
		{"docProps/core.xml", core},
	}, more...)...)
}

// wp is a paragraph of Word with properties.
func wp(properties, text string) string {
	return `<w:p><w:pPr>` + properties + `</w:pPr><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func docxSample(t testing.TB) []byte {
	tc := func(more, text string) string {
		return `<w:tc><w:tcPr>` + more + `</w:tcPr>` + wp("", text) + `</w:tc>`
	}
	body := wp(`<w:pStyle w:val="berschrift1"/>`, "Das Dach") + wp("", "We need:") +
		wp(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>`, "tiles") + wp(`<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>`, "red ones") +
		`<w:tbl><w:tr>` + tc("", "Item") + tc("", "Cost") + `</w:tr><w:tr>` + tc("", "tiles") + tc("", "300 €") + `</w:tr><w:tr>` + tc("", "gutter") + tc("", "40 €") + `</w:tr></w:tbl>` +
		`<w:p><w:r><w:lastRenderedPageBreak/><w:t>Ask </w:t></w:r><w:ins><w:r><w:t>Ann</w:t></w:r></w:ins><w:del><w:r><w:delText>Bob</w:delText></w:r></w:del>` +
		`<w:moveFrom><w:r><w:t>Carl</w:t></w:r></w:moveFrom><w:r><w:fldChar/><w:instrText>HYPERLINK "http://x"</w:instrText></w:r>` +
		`<w:r><w:t> first.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>` +
		`<w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="a photo of the roof"/><wps:txbx><w:txbxContent>` + wp("", "In a box") +
		`</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>` + wp("", "In a box") + `</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
	return docx(t, body,
		member{"word/_rels/document.xml.rels", rels + rel("r1", "styles", "styles.xml") + rel("r2", "footnotes", "footnotes.xml") +
			rel("r3", "header", "header1.xml") + rel("r4", "header", "header2.xml") + `</Relationships>`},
		member{"word/styles.xml", `<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`},
		member{"word/footnotes.xml", `<w:footnotes><w:footnote w:id="2">` + wp("", "She knows roofs.") + `</w:footnote></w:footnotes>`},
		member{"word/header1.xml", `<w:hdr>` + wp("", "Lee Builders") + `</w:hdr>`},
		member{"word/header2.xml", `<w:hdr>` + wp("", "Lee Builders") + wp("", "12") + `</w:hdr>`})
}

func odtSample(t testing.TB) []byte {
	return archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", odtContent("")},
		member{"meta.xml", `<office:document-meta><office:meta><dc:title>Roof plan</dc:title><meta:initial-creator>Ann Lee</meta:initial-creator>` +
			`<dc:creator>Bob</dc:creator><meta:keyword>roof</meta:keyword><meta:keyword>gutter</meta:keyword><dc:date>2021-05-06T07:08:09.5</dc:date></office:meta></office:document-meta>`},
		member{"META-INF/manifest.xml", `<manifest:manifest><manifest:file-entry/></manifest:manifest>`})
}

// odtContent returns the XML of a text.
func odtContent(meta string) string {
	cell := func(s string) string { return `<table:table-cell><text:p>` + s + `</text:p></table:table-cell>` }
	return `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t">` + meta + `<office:automatic-styles>` +
		`<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text>` +
		`<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p text:style-name="P1">Roof</text:p><text:h text:outline-level="2">The   tiles</text:h>` +
		`<text:p>We<text:s text:c="2"/>need:<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Soon.</text:p></text:note-body></text:note></text:p>` +
		`<text:list><text:list-item><text:p>tiles</text:p><text:list><text:list-item><text:p>red ones</text:p></text:list-item></text:list></text:list-item></text:list>` +
		`<table:table><table:table-header-rows><table:table-row>` + cell("Item") + cell("Who") + `</table:table-row></table:table-header-rows><table:table-row>` +
		cell("tiles") + cell("Ann") + `</table:table-row></table:table><text:p>Page one.</text:p><text:p><text:soft-page-break/>Page two ` +
		`<draw:frame><draw:image/><svg:title>photo</svg:title></draw:frame>&amp; end.<office:annotation><dc:creator>Bob</dc:creator><text:p>Really?</text:p></office:annotation></text:p>` +
		`</office:text></office:body></office:document-content>`
}

func odpSample(t testing.TB) []byte {
	return archive(t, member{"mimetype", "application/vnd.oasis.opendocument.presentation"}, member{"content.xml",
		`<office:document-content><office:body><office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Welcome</text:p></draw:text-box></draw:frame>` +
			`<draw:frame><draw:text-box><text:list><text:list-item><text:p>first point</text:p></text:list-item></text:list></draw:text-box></draw:frame></draw:page>` +
			`<draw:page><draw:custom-shape><text:p>Second slide</text:p></draw:custom-shape><presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>say hello</text:p>` +
			`</draw:text-box></draw:frame><draw:frame presentation:class="page-number"><draw:text-box><text:p>2</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>` +
			`</office:presentation></office:body></office:document-content>`})
}

func odsSample(t testing.TB) []byte {
	cell := func(kind, attribute, text string) string {
		return `<table:table-cell office:value-type="` + kind + `" ` + attribute + `><text:p>` + text + `</text:p></table:table-cell>`
	}
	return archive(t, member{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, member{"content.xml",
		`<office:document-content><office:body><office:spreadsheet><table:table table:name="Budget"><table:table-column table:number-columns-repeated="16384"/>` +
			`<table:table-row>` + cell("string", "", "Item") + cell("string", "", "Day") + cell("string", "", "Cost") + `</table:table-row>` +
			`<table:table-row>` + cell("string", "", "tiles") + cell("date", `office:date-value="2021-01-02"`, "02.01.21") + cell("float", `office:value="300"`, "300,00 €") +
			`<table:table-cell table:number-columns-repeated="16000"/></table:table-row>` +
			`<table:table-row table:number-rows-repeated="2">` + cell("string", "", "gutter") + `<table:table-cell/>` + cell("float", `office:value="40"`, "40,00 €") + `</table:table-row>` +
			`<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>` +
			`<table:table table:name="Two"><table:table-row>` + cell("string", "", "alone") + `</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`})
}

func pptxSample(t testing.TB) []byte {
	shape := func(ph string, paragraphs string) string {
		return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>` + ph + `</p:nvPr></p:nvSpPr><p:txBody>` + paragraphs + `</p:txBody></p:sp>`
	}
	ap := func(s string) string { return `<a:p><a:r><a:t>` + s + `</a:t></a:r></a:p>` }
	return archive(t, member{contentTypes, types},
		member{"_rels/.rels", rels + rel("rId1", "officeDocument", "ppt/presentation.xml") + rel("rId2", "metadata/core-properties", "docProps/core.xml") + `</Relationships>`},
		member{"docProps/core.xml", core},
		member{"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>`},
		member{"ppt/_rels/presentation.xml.rels", rels + rel("r1", "slide", "slides/slide1.xml") + rel("r2", "slide", "/ppt/slides/slide2.xml") + `</Relationships>`},
		member{"ppt/slides/slide1.xml", `<p:sld>` + shape(`<p:ph type="sldNum"/>`, ap("2")) + shape("", ap("last slide")) +
			`<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>` + ap("Item") + `</a:txBody></a:tc><a:tc><a:txBody>` + ap("Cost") + `</a:txBody></a:tc></a:tr>` +
			`<a:tr><a:tc><a:txBody>` + ap("tiles") + `</a:txBody></a:tc><a:tc><a:txBody>` + ap("300") + `</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame></p:sld>`},
		member{"ppt/slides/slide2.xml", `<p:sld>` + shape(`<p:ph idx="1"/>`, ap("a point")+`<a:p><a:pPr lvl="1"/><a:r><a:t>below</a:t></a:r></a:p>`) +
			shape(`<p:ph type="title"/>`, ap("Welcome")) + `<p:pic><p:nvPicPr><p:cNvPr id="2" descr="a roof in rain"/></p:nvPicPr></p:pic></p:sld>`},
		member{"ppt/slides/_rels/slide2.xml.rels", rels + rel("r1", "notesSlide", "../notesSlides/notesSlide1.xml") + `</Relationships>`},
		member{"ppt/notesSlides/notesSlide1.xml", `<p:notes>` + shape(`<p:ph type="body"/>`, ap("say hello")) + shape(`<p:ph type="sldNum"/>`, ap("1")) + `</p:notes>`})
}

func xlsxSample(t testing.TB) []byte {
	return archive(t, member{contentTypes, types},
		member{"_rels/.rels", rels + rel("rId1", "officeDocument", "xl/workbook.xml") + `</Relationships>`},
		member{"docProps/core.xml", core},
		member{"xl/workbook.xml", `<workbook><workbookPr/><sheets><sheet name="Budget" sheetId="1" r:id="r1"/><sheet name="Old" state="hidden" sheetId="2" r:id="r2"/></sheets></workbook>`},
		member{"xl/_rels/workbook.xml.rels", rels + rel("r1", "worksheet", "worksheets/sheet1.xml") + rel("r2", "worksheet", "worksheets/sheet2.xml") +
			rel("r3", "sharedStrings", "sharedStrings.xml") + rel("r4", "styles", "styles.xml") + `</Relationships>`},
		member{"xl/sharedStrings.xml", `<sst><si><t>Item</t></si><si><t>Day</t></si><si><r><t>Co</t></r><r><t>st</t></r><rPh><t>no</t></rPh></si><si><t>tiles_x000D_red</t></si><si><t>Budget of 2021</t></si></sst>`},
		member{"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\ [$€-407]"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`},
		member{"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>4</v></c></row><row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c>` +
			`<c r="D2" t="inlineStr"><is><t>Paid</t></is></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" s="1"><v>44197</v></c><c r="C3" s="2"><f>A1*2</f><v>1234.5</v></c><c r="D3" t="b"><v>1</v></c></row>` +
			`<row r="4"><c r="B4" s="1"><v>44198</v></c><c r="C4" s="3"><v>0.125</v></c><c r="D4" t="e"><v>#REF!</v></c></row></sheetData><mergeCells><mergeCell ref="A3:A4"/></mergeCells></worksheet>`},
		member{"xl/worksheets/_rels/sheet1.xml.rels", rels + rel("r1", "comments", "../comments1.xml") + `</Relationships>`},
		member{"xl/comments1.xml", `<comments><commentList><comment ref="C3"><text><r><t>too much</t></r></text></comment></commentList></comments>`},
		member{"xl/worksheets/sheet2.xml", `<x:worksheet><x:sheetData><x:row><x:c t="str"><x:v>hidden</x:v></x:c><x:c><x:v>0.30000000000000004</x:v></x:c></x:row></x:sheetData></x:worksheet>`})
}

func epubSample(t testing.TB) []byte {
	page := func(body string) string {
		return `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body>` + body + `</body></html>`
	}
	return archive(t, member{"mimetype", "application/epub+zip"},
		member{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`},
		member{"OEBPS/book.opf", `<package><metadata><dc:title>The Roof</dc:title><dc:creator>Ann Lee</dc:creator><dc:subject>Houses</dc:subject><dc:date>2019-03-04</dc:date></metadata>` +
			`<manifest><item id="c1" href="one%20a.xhtml" media-type="application/xhtml+xml"/><item id="c2" href="two.xhtml" media-type="application/xhtml+xml"/>` +
			`<item id="c3" href="lost.xhtml" media-type="application/xhtml+xml"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>` +
			`<spine toc="ncx"><itemref idref="c2"/><itemref idref="c1"/><itemref idref="c3"/></spine></package>`},
		member{"OEBPS/toc.ncx", `<ncx><navMap><navPoint><navLabel><text>Tiles</text></navLabel><content src="two.xhtml"/><navPoint><navLabel><text>Slate</text></navLabel><content src="two.xhtml#s"/></navPoint></navPoint></navMap></ncx>`},
		member{"OEBPS/one a.xhtml", page(`<h1>Gutters</h1><p>Water runs&nbsp;down.</p>`)},
		member{"OEBPS/two.xhtml", page(`<p>Made of clay.</p><h2><a id="s"/>Slate</h2><p>Made of stone.</p>`)})
}

func odgSample(t testing.TB) []byte {
	return archive(t, member{"mimetype", "application/vnd.oasis.opendocument.graphics"}, member{"content.xml", `<office:document-content><office:body><office:drawing>` +
		`<draw:page><draw:frame><draw:text-box><text:p>Pump room</text:p></draw:text-box></draw:frame><draw:custom-shape><text:p>the valve</text:p></draw:custom-shape></draw:page>` +
		`<draw:page><draw:g><draw:rect><text:p>Second page</text:p></draw:rect></draw:g></draw:page></office:drawing></office:body></office:document-content>`})
}

func xmindSample(t testing.TB) []byte {
	return archive(t, member{"content.json", `[{"title":"Plan","rootTopic":{"title":"Moving","children":{"attached":[{"title":"crates","labels":["soon"],` +
		`"notes":{"plain":{"content":"Ask Ann."}},"children":{"attached":[{"title":"felt"}]}}]}},"relationships":[{"title":"leads to"}]}]`}, member{"metadata.json", "{}"})
}

func xpsSample(t testing.TB) []byte {
	glyphs := func(x, y, s string) string {
		return `<Glyphs OriginX="` + x + `" OriginY="` + y + `" FontRenderingEmSize="10" Indices="1,50;2,50;3,50" UnicodeString="` + s + `"/>`
	}
	const types = `http://schemas.microsoft.com/xps/2005/06/`
	return archive(t, member{contentTypes, "<Types/>"}, member{"_rels/.rels", `<Relationships><Relationship Id="R0" Type="` + types + `fixedrepresentation" Target="/d.fdseq"/></Relationships>`},
		member{"d.fdseq", `<FixedDocumentSequence><DocumentReference Source="/1/d.fdoc"/></FixedDocumentSequence>`},
		member{"1/d.fdoc", `<FixedDocument><PageContent Source="b.fpage"/><PageContent Source="a.fpage"/></FixedDocument>`},
		member{"1/b.fpage", `<FixedPage>` + glyphs("10", "20", "The roof") + glyphs("53", "20", "lea") + glyphs("68", "20", "ks again") + glyphs("10", "32", "since May.") + glyphs("10", "70", " ") + `</FixedPage>`},
		member{"1/a.fpage", `<FixedPage>` + glyphs("10", "20", "{}Ask Ann.") + `</FixedPage>`}, member{"docProps/core.xml", core})
}

func vsdxSample(t testing.TB) []byte {
	return archive(t, member{contentTypes, "<Types/>"}, member{"visio/pages/pages.xml", `<Pages><Page ID="0" Name="Cellar"><Rel r:id="r1"/></Page></Pages>`},
		member{"visio/pages/_rels/pages.xml.rels", rels + rel("r1", "page", "page1.xml") + `</Relationships>`},
		member{"visio/pages/page1.xml", `<PageContents><Shapes><Shape><Cell N="Width" V="1"/><Text><cp IX="0"/>Pump &amp; valve` + "\n" + `</Text></Shape><Shape><Text>to the mill</Text></Shape></Shapes></PageContents>`},
		member{"visio/masters/masters.xml", `<Masters><Master Name="Pipe"><Rel r:id="r1"/></Master></Masters>`},
		member{"visio/masters/_rels/masters.xml.rels", rels + rel("r1", "master", "master1.xml") + `</Relationships>`},
		member{"visio/masters/master1.xml", `<MasterContents><Shapes><Shape><Text>water only</Text></Shape><Shape><Text>water only</Text></Shape></Shapes></MasterContents>`}, member{"docProps/core.xml", core})
}

const wordMLSample = `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="w"><o:DocumentProperties><o:Title>Roof plan</o:Title><o:Author>Ann Lee</o:Author>` +
	`<o:LastSaved>2021-05-06T07:08:09Z</o:LastSaved></o:DocumentProperties><w:fonts><w:font w:name="Arial"/></w:fonts><w:styles><w:style w:type="paragraph" w:styleId="b1"><w:name w:val="heading 1"/></w:style></w:styles>` +
	`<w:docSuppData><w:binData w:name="a">QUJDREVGRw==</w:binData></w:docSuppData><w:body><wx:sect><w:p><w:pPr><w:pStyle w:val="b1"/></w:pPr><w:r><w:t>Das Dach</w:t></w:r></w:p>` +
	`<w:p><w:r><w:t>Ask Ann</w:t></w:r><w:r><w:pict><w:binData>QUJDREVGRw==</w:binData></w:pict></w:r><w:r><w:footnote><w:p><w:r><w:t>Soon.</w:t></w:r></w:p></w:footnote></w:r><w:r><w:t> first.</w:t></w:r></w:p>` +
	`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Item</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Cost</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>tiles</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>300 €</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` +
	`<w:sectPr><w:hdr w:type="odd"><w:p><w:r><w:t>Lee Builders</w:t></w:r></w:p></w:hdr><w:ftr w:type="odd"><w:p><w:r><w:t>7</w:t></w:r></w:p></w:ftr></w:sectPr></wx:sect></w:body></w:wordDocument>`

const flatOPCSample = `<?xml version="1.0"?><pkg:package xmlns:pkg="p"><pkg:part pkg:name="/_rels/.rels" pkg:contentType="application/vnd.openxmlformats-package.relationships+xml"><pkg:xmlData>` +
	rels + `<Relationship Id="r1" Type="` + office2006 + `officeDocument" Target="word/document.xml"/></Relationships></pkg:xmlData></pkg:part>` +
	`<pkg:part pkg:name="/word/document.xml" pkg:contentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"><pkg:xmlData><w:document><w:body><w:p><w:r><w:t>Ask Ann &amp; Bob first.</w:t></w:r></w:p></w:body></w:document></pkg:xmlData></pkg:part>` +
	`<pkg:part pkg:name="/word/media/image1.png" pkg:contentType="image/png"><pkg:binaryData>QUJDREVGRw==</pkg:binaryData></pkg:part>` +
	`<pkg:part pkg:name="/docProps/core.xml" pkg:contentType="x"><pkg:xmlData>` + core + `</pkg:xmlData></pkg:part></pkg:package>`

const kmlSample = `<?xml version="1.0"?><kml><Document><name>Wells</name><Style><IconStyle/></Style><Folder><name>North</name><Placemark><name>Hoarstone</name>` +
	`<description><![CDATA[<p>Dry since <b>May</b>.</p>]]></description><address>Mill Lane 3</address><ExtendedData><Data name="keeper"><value>Ann</value></Data></ExtendedData>` +
	`<Point><coordinates>1,2</coordinates></Point></Placemark><Placemark><name>Old well</name></Placemark></Folder></Document></kml>`

const gnumericSample = `<?xml version="1.0"?><gnm:Workbook><office:document-meta><office:meta><dc:title>Roof plan</dc:title></office:meta></office:document-meta>` +
	`<gnm:SheetNameIndex><gnm:SheetName>Looms</gnm:SheetName></gnm:SheetNameIndex><gnm:Sheets><gnm:Sheet><gnm:Name>Looms</gnm:Name><gnm:Names><gnm:Name><gnm:name>Print_Area</gnm:name></gnm:Name></gnm:Names>` +
	`<gnm:Styles><gnm:StyleRegion startCol="1" startRow="0" endCol="1" endRow="9"><gnm:Style Format="d/m/yy"/></gnm:StyleRegion></gnm:Styles>` +
	`<gnm:Objects><gnm:CellComment ObjectBound="A2" Text="squeaks"/></gnm:Objects><gnm:Cells><gnm:Cell Row="1" Col="0" ValueType="60">Corner</gnm:Cell>` +
	`<gnm:Cell Row="1" Col="1" ValueType="40">44197</gnm:Cell><gnm:Cell Row="1" Col="2" ValueType="40">480</gnm:Cell><gnm:Cell Row="0" Col="0" ValueType="60">Loom</gnm:Cell>` +
	`<gnm:Cell Row="0" Col="1" ValueType="60">Since</gnm:Cell><gnm:Cell Row="0" Col="2" ValueType="60">Ends</gnm:Cell><gnm:Cell Row="3" Col="2">=C1+C2</gnm:Cell></gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>`

const xournalSample = `<?xml version="1.0"?><xournal><title>Xournal++ document</title><preview>aaaa</preview><page><layer><stroke>1 2 3</stroke><text>Pendulum &amp; clock</text></layer></page>` +
	`<page><layer><teximage text="x^2">iVBOR</teximage><image>iVBOR</image></layer></page></xournal>`

const comicSample = `<?xml version="1.0"?><ComicInfo><Title>The heron</Title><Series>Saltmarsh</Series><Number>7</Number><Summary>A regatta.</Summary><Year>2019</Year><Month>6</Month><Day>1</Day>` +
	`<Writer>Bea Lee</Writer><Pages><Page Image="0"/><Page Image="1" Bookmark="The sluice"/></Pages></ComicInfo>`

const rtfSample = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}}{\colortbl;\red0;}` +
	`{\stylesheet{Normal;}{\s1 heading 1;}{\*\cs2 Strong;}}{\info{\title Roof plan}{\author Ann Lee}{\keywords roof, gutter}{\creatim\yr2020\mo1\dy2}{\revtim\yr2021\mo5\dy6\hr7}}` +
	`{\header\pard Lee Builders\par}\pard\s1 Das Dach f\'fcr \uc1\u8364?uro\par\pard We need{\footnote\pard Soon.\par}:\par` +
	`{\pard{\pntext\'B7\tab}tiles\par}\pard {\f1\'cf\'f0\'e8\'e2\'e5\'f2}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt here}}{\deleted gone}{\*\unknown no}\emdash \{ok\}\par` +
	`{\pict 0102}{\bin3 }}}\trowd\pard\intbl Item\cell Cost\cell\row\intbl tiles\cell 300\cell\row\intbl gutter\cell 40\cell\row\pard The end.\par}`
