package office

import (
	"strings"
	"testing"
)

// TestShiftedText: what stands above or below a line is not joined to a number or a word before it, in any format.
func TestShiftedText(t *testing.T) {
	const want = "holds 10^5 newtons over 4 m2 of CO2, as shown^12 on the 5th"
	var pieces = []struct{ shift, text string }{
		{"", "holds 10"}, {"super", "5"}, {"", " newtons over 4 m"}, {"super", "2"}, {"", " of CO"}, {"sub", "2"}, {"", ", as shown"}, {"super", "1"}, {"super", "2"},
		{"", " on the 5"}, {"super", "th"},
	}
	var inWord, pptx, odt, rtf, shared strings.Builder
	for _, p := range pieces {
		word, base := "", ""
		switch p.shift {
		case "super":
			word, base = "superscript", "30000"
		case "sub":
			word, base = "subscript", "-25000"
		}
		align := `<w:rPr><w:vertAlign w:val="` + word + `"/></w:rPr>`
		inWord.WriteString(`<w:r>` + align + `<w:t xml:space="preserve">` + p.text + `</w:t></w:r>`)
		pptx.WriteString(`<a:r><a:rPr baseline="` + base + `"/><a:t>` + p.text + `</a:t></a:r>`)
		odt.WriteString(`<text:span text:style-name="` + p.shift + `">` + p.text + `</text:span>`)
		rtf.WriteString(`{\` + map[string]string{"": "nosupersub", "super": "super", "sub": "sub"}[p.shift] + ` ` + p.text + `}`)
		shared.WriteString(`<r>` + strings.ReplaceAll(align, "w:", "") + `<t xml:space="preserve">` + p.text + `</t></r>`)
	}
	style := func(name, position string) string {
		return `<style:style style:name="` + name + `" style:family="text"><style:text-properties style:text-position="` + position + `"/></style:style>`
	}
	content := strings.Replace(odtContent(""), "Page one.", odt.String(), 1)
	content = strings.Replace(content, "<office:body>", `<office:automatic-styles>`+style("super", "super 58%")+style("sub", "-33% 58%")+style("", "0% 100%")+`</office:automatic-styles><office:body>`, 1)
	for name, data := range map[string][]byte{
		"a.docx": docx(t, `<w:p><w:pPr><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:pPr>`+inWord.String()+`</w:p>`),
		"a.odt":  archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", content}),
		"a.rtf":  []byte(`{\rtf1\ansi ` + rtf.String() + `}`),
		"b.rtf":  []byte(`{\rtf1\ansi ` + strings.NewReplacer(`\super `, `\up6 `, `\sub `, `\dn6 `, `\nosupersub `, `\plain `).Replace(rtf.String()) + `}`),
		"a.pptx": archive(t, member{contentTypes, types},
			member{"_rels/.rels", rels + rel("rId1", "officeDocument", "ppt/presentation.xml") + `</Relationships>`},
			member{"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`},
			member{"ppt/_rels/presentation.xml.rels", rels + rel("r1", "slide", "slides/slide1.xml") + `</Relationships>`},
			member{"ppt/slides/slide1.xml", `<p:sld><p:sp><p:txBody><a:p>` + pptx.String() + `</a:p></p:txBody></p:sp></p:sld>`}),
		"a.xlsx": archive(t, member{contentTypes, types},
			member{"_rels/.rels", rels + rel("rId1", "officeDocument", "xl/workbook.xml") + `</Relationships>`},
			member{"xl/workbook.xml", `<workbook><sheets><sheet name="Loads" sheetId="1" r:id="r1"/></sheets></workbook>`},
			member{"xl/_rels/workbook.xml.rels", rels + rel("r1", "worksheet", "worksheets/sheet1.xml") + rel("r3", "sharedStrings", "sharedStrings.xml") + `</Relationships>`},
			member{"xl/sharedStrings.xml", `<sst><si>` + shared.String() + `</si></sst>`},
			member{"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`}),
	} {
		if d := text(t, name, data); !strings.Contains(d.Text, want) {
			t.Errorf("%s: %q, want %q in it", name, d.Text, want)
		}
	}
}

// TestPowersOfFormulas: a formula of Word says what is raised by its structure.
func TestPowersOfFormulas(t *testing.T) {
	math := func(s string) string { return `<m:r><m:t>` + s + `</m:t></m:r>` }
	d := text(t, "a.docx", docx(t, `<w:p><m:oMath><m:sSup><m:e>`+math("10")+`</m:e><m:sup>`+math("−")+math("3")+`</m:sup></m:sSup>`+math("V")+`</m:oMath></w:p>`))
	if want := "10^−3 V"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}
