package office

import (
	"strings"
	"testing"
)

// TestSymbolsAreLetters: what a font of symbols shows is read, and not the letter that the file keeps for it: 5 μm are
// neither 5 m nor 5 mm. Word, LibreOffice and RTF write them in these ways.
func TestSymbolsAreLetters(t *testing.T) {
	run := func(properties, s string) string {
		return `<w:r><w:rPr>` + properties + `</w:rPr>` + s + `</w:r>`
	}
	word := func(s string) string { return `<w:t xml:space="preserve">` + s + `</w:t>` }
	symbol := `<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>`
	odt := strings.Replace(odtContent(""), "Page one.", `5 <text:span text:style-name="T1">`+"\uf06d"+`</text:span>m, a<text:span text:style-name="T1">`+"\uf0a3"+`</text:span>b`, 1)
	odt = strings.Replace(odt, "</office:automatic-styles>", `<style:style style:name="T1" style:family="text"><style:text-properties style:font-name="Symbol"/></style:style></office:automatic-styles>`, 1)
	fonts := `{\rtf1\ansi{\fonttbl{\f0 Times;}{\f1\fcharset2 Symbol;}}`
	for name, data := range map[string][]byte{
		"a.docx": docx(t, `<w:p>`+run("", word("5 ")+`<w:sym w:font="Symbol" w:char="F06D"/>`)+run("", word("m, a"))+run(symbol, word("\uf0a3"))+run("", word("b"))+`</w:p>`),
		"a.odt":  archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", odt}),
		"a.rtf":  []byte(fonts + `\f0 5 {\f1 m}m, a{\f1\'a3}b}`),
		"b.rtf":  []byte(fonts + `\f0 5 {\f1\u-3987\'6d}m, a{\field{\*\fldinst SYMBOL 163 \\f "Symbol"}{\fldrslt\f1\'a3}}b}`),
		"a.pptx": archive(t, member{contentTypes, types},
			member{"_rels/.rels", rels + rel("rId1", "officeDocument", "ppt/presentation.xml") + `</Relationships>`},
			member{"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`},
			member{"ppt/_rels/presentation.xml.rels", rels + rel("r1", "slide", "slides/slide1.xml") + `</Relationships>`},
			member{"ppt/slides/slide1.xml", `<p:sld><p:sp><p:txBody><a:p><a:r><a:t>5 </a:t></a:r><a:r><a:rPr><a:sym typeface="Symbol"/></a:rPr><a:t>` + "\uf06d" + `</a:t></a:r><a:r><a:t>m, a</a:t></a:r>` +
				`<a:r><a:rPr><a:latin typeface="Symbol"/></a:rPr><a:t>` + "\uf0a3" + `</a:t></a:r><a:r><a:t>b</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`}),
	} {
		if d := text(t, name, data); !strings.Contains(d.Text, "5 μm, a≤b") {
			t.Errorf("%s: %q", name, d.Text)
		}
	}
	done := docx(t, `<w:p>`+run("", `<w:sym w:font="Wingdings" w:char="F0FE"/>`+word(" done "))+run("", `<w:sym w:font="Wingdings" w:char="F04F"/>`+word("now"))+`</w:p>`)
	if d := text(t, "a.docx", done); d.Text != "☑ done now" {
		t.Errorf("%q", d.Text)
	}
}
