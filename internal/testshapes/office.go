package testshapes

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// member is a file of a zip.
type member struct {
	name string
	data []byte
}

// zipped packs members.
func zipped(members ...member) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.Create(m.name)
		if err == nil {
			_, err = w.Write(m.data)
		}
		if err != nil {
			panic(err) // memory alone is written
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

const (
	odfHead = `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body>`
	odfEnd  = `</office:body></office:document-content>`
	word2   = `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>`
	word3   = `</w:body></w:document>`
	// sentence is a passage of a normal length.
	sentence = "The boiler in the cellar was serviced in March, and the valve that dripped was changed by the plumber."
)

func odf(kind string, content func(n int) string) func(n int) []byte {
	return func(n int) []byte {
		return zipped(member{"mimetype", []byte("application/vnd.oasis.opendocument." + kind)},
			member{"content.xml", []byte(odfHead + content(n) + odfEnd)})
	}
}

func sheet(rows func(n int) string) func(n int) []byte {
	return odf("spreadsheet", func(n int) string {
		return `<office:spreadsheet><table:table table:name="Costs">` + rows(n) + `</table:table></office:spreadsheet>`
	})
}

func odt(text func(n int) string) func(n int) []byte {
	return odf("text", func(n int) string { return "<office:text>" + text(n) + "</office:text>" })
}

func docx(body func(n int) string, more ...func(n int) member) func(n int) []byte {
	return func(n int) []byte {
		members := []member{
			{"[Content_Types].xml", []byte(`<Types/>`)},
			{"_rels/.rels", []byte(`<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`)},
			{"word/document.xml", []byte(word2 + body(n) + word3)},
		}
		for _, m := range more {
			members = append(members, m(n))
		}
		return zipped(members...)
	}
}

func xlsx(rows, tail func(n int) string, shared func(n int) string) func(n int) []byte {
	return func(n int) []byte {
		return zipped(
			member{"[Content_Types].xml", []byte(`<Types/>`)},
			member{"_rels/.rels", []byte(`<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`)},
			member{"xl/workbook.xml", []byte(`<workbook xmlns:r="r"><sheets><sheet name="Costs" sheetId="1" r:id="r1"/></sheets></workbook>`)},
			member{"xl/_rels/workbook.xml.rels", []byte(`<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>` +
				`<Relationship Id="r2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`)},
			member{"xl/sharedStrings.xml", []byte(`<sst>` + shared(n) + `</sst>`)},
			member{"xl/worksheets/sheet1.xml", []byte(`<worksheet><sheetData>` + rows(n) + `</sheetData>` + tail(n) + `</worksheet>`)})
	}
}

func none(int) string { return "" }

// times returns a text n times.
func times(s string) func(n int) string {
	return func(n int) string { return strings.Repeat(s, n) }
}

// within returns the text with the number put in for every %d.
func within(s string) func(n int) string {
	return func(n int) string { return strings.ReplaceAll(s, "%d", strconv.Itoa(n)) }
}

func offices() []Shape {
	cell := `<table:table-cell office:value-type="string"><text:p>boiler</text:p></table:table-cell>`
	return []Shape{
		{"rows.ods", 1000, 1_000_000_000, sheet(within(`<table:table-row table:number-rows-repeated="%d">` + cell + cell + `</table:table-row>`))},
		{"columns.ods", 1000, 16_000, sheet(within(strings.Repeat(`<table:table-row table:number-rows-repeated="%d"><table:table-cell table:number-columns-repeated="%d"`+
			` office:value-type="string"><text:p>valve</text:p></table:table-cell></table:table-row>`, 50)))},
		{"both.ods", 1000, 1_000_000_000, sheet(within(`<table:table-row table:number-rows-repeated="%d"><table:table-cell table:number-columns-repeated="%d"` +
			` office:value-type="float" office:value="1"/></table:table-row>`))},
		{"long.ods", 100, 1_000_000, sheet(within(`<table:table-row table:number-rows-repeated="%d"><table:table-cell office:value-type="string"><text:p>` +
			strings.Repeat(sentence, 3) + `</text:p></table:table-cell></table:table-row>`))},
		{"cells.ods", 200, 2_000_000, sheet(times(`<table:table-row>` + cell + `</table:table-row>`))},
		{"empty.ods", 200, 5_000_000, sheet(times(`<table:table-row><table:table-cell/></table:table-row>`))},
		{"spaces.odt", 1000, 1_000_000_000, odt(within(strings.Repeat(`<text:p>a<text:s text:c="%d"/>b</text:p>`, 100)))},
		{"spaced.odt", 1000, 2_000_000, odt(times(`<text:p>a<text:s text:c="100000"/>b</text:p>`))},
		{"paragraphs.odt", 300, 500_000, odt(times("<text:p>" + sentence + "</text:p>"))},
		{"tables.odt", 100, 100_000, odt(func(n int) string {
			return strings.Repeat("<table:table><table:table-row><table:table-cell><text:p>a</text:p>", n) + strings.Repeat("</table:table-cell></table:table-row></table:table>", n)
		})},
		{"spans.odt", 100, 300_000, odt(func(n int) string {
			return "<table:table>" + strings.Repeat(`<table:table-row><table:table-cell table:number-columns-repeated="1000000000"><text:p>a b</text:p></table:table-cell><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row>`, n) + "</table:table>"
		})},
		{"paragraphs.docx", 300, 500_000, docx(times("<w:p><w:r><w:t>" + sentence + "</w:t></w:r></w:p>"))},
		{"headings.docx", 300, 500_000, docx(times(`<w:p><w:pPr><w:outlineLvl w:val="3"/></w:pPr><w:r><w:t>Heating</w:t></w:r></w:p><w:p><w:r><w:t>a</w:t></w:r></w:p>`))},
		{"tables.docx", 100, 200_000, docx(func(n int) string {
			return strings.Repeat("<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p>", n) + strings.Repeat("</w:tc></w:tr></w:tbl>", n)
		})},
		{"wide.docx", 100, 1_000_000, docx(func(n int) string {
			return "<w:tbl><w:tr>" + strings.Repeat(`<w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>`, n) + "</w:tr></w:tbl>"
		})},
		{"runs.docx", 300, 3_000_000, docx(func(n int) string { return "<w:p>" + strings.Repeat("<w:r><w:t>a </w:t></w:r>", n) + "</w:p>" })},
		{"footnotes.docx", 100, 100_000, docx(times(`<w:p><w:r><w:t>a</w:t><w:footnoteReference w:id="2"/></w:r></w:p>`),
			func(int) member {
				return member{"word/_rels/document.xml.rels", []byte(`<Relationships><Relationship Id="r1" Type="x/footnotes" Target="footnotes.xml"/></Relationships>`)}
			},
			func(int) member {
				return member{"word/footnotes.xml", []byte(`<w:footnotes xmlns:w="w"><w:footnote w:id="2"><w:p><w:r><w:t>` + strings.Repeat(sentence, 100) + `</w:t></w:r></w:p></w:footnote></w:footnotes>`)}
			})},
		{"cells.xlsx", 200, 1_500_000, xlsx(times(`<row><c t="s"><v>0</v></c><c><v>3.25</v></c></row>`), none, func(int) string { return "<si><t>" + sentence + "</t></si>" })},
		{"shared.xlsx", 200, 200_000, xlsx(times(`<row><c t="s"><v>0</v></c></row>`), none, func(int) string { return "<si><t>" + strings.Repeat(sentence, 300) + "</t></si>" })},
		{"strings.xlsx", 200, 5_000_000, xlsx(none, none, times(`<si><t>valve</t></si>`))},
		{"merged.xlsx", 200, 200_000, xlsx(func(n int) string {
			return strings.Repeat("<row>"+strings.Repeat(`<c t="inlineStr"><is><t>valve</t></is></c>`, 100)+"</row>", n/100)
		}, func(n int) string {
			return "<mergeCells>" + strings.Repeat(`<mergeCell ref="A1:C1000000"/>`, n) + "</mergeCells>"
		}, none)},
		{"slides.pptx", 100, 20_000, pptx(1, true)},
		{"paragraphs.pptx", 100, 500_000, pptx(0, false)},
		{"groups.rtf", 300, 1_000_000, nested(`{\rtf1\ansi `, "{", "valve", "}", "}")},
		{"bin.rtf", 300, 1_000_000, repeated(`{\rtf1\ansi valve`, `{\*\bin4 aaaa}`, "}")},
		{"binary.rtf", 300, 2_000_000_000, func(n int) []byte { return fmt.Appendf(nil, `{\rtf1\ansi valve \bin%d aaaa}`, n) }},
		{"paragraphs.rtf", 300, 300_000, repeated(`{\rtf1\ansi `, sentence+`\par `, "}")},
		{"cells.rtf", 300, 2_000_000, repeated(`{\rtf1\ansi \trowd `, `a\cell `, `\row}`)},
		{"points.kml", 300, 200_000, repeated(`<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>`, "<Placemark><name>Valve</name><description>"+sentence+"</description></Placemark>", "</Document></kml>")},
		{"topics.xmind", 100, 500_000, func(n int) []byte {
			return zipped(member{"metadata.json", []byte("{}")}, member{"content.json", nested(`[{"title":"a","rootTopic":`, `{"title":"b","children":{"attached":[`, `{"title":"c"}`, "]}}", "}]")(n)})
		}},
	}
}

// pptx makes a presentation of n slides that are one part, or of one with n paragraphs.
func pptx(paragraphs int, many bool) func(n int) []byte {
	return func(n int) []byte {
		slides, count := n, paragraphs
		if !many {
			slides, count = 1, n
		}
		ids := strings.Repeat(`<p:sldId r:id="r1"/>`, slides)
		return zipped(
			member{"[Content_Types].xml", []byte(`<Types/>`)},
			member{"_rels/.rels", []byte(`<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="ppt/presentation.xml"/></Relationships>`)},
			member{"ppt/presentation.xml", []byte(`<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>` + ids + `</p:sldIdLst></p:presentation>`)},
			member{"ppt/_rels/presentation.xml.rels", []byte(`<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/></Relationships>`)},
			member{"ppt/slides/slide1.xml", []byte(`<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody>` +
				strings.Repeat(`<a:p><a:r><a:t>`+sentence+`</a:t></a:r></a:p>`, count) + `</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`)})
	}
}
