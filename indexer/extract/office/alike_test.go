package office

import "testing"

// A passage may be an item or a row alone. Whatever the format, its list comes behind what leads
// to it, without a gap between its items, and each row says what its columns are called.
func TestListsAndTablesAreReadAlike(t *testing.T) {
	const want = "For the roof we need:\n\n- tiles\n  - red ones\n- nails\n\nItem; Shop\nItem: tiles; Shop: Lee\nItem: nails; Shop: Miller\n\nThe end."
	numbered := func(level, s string) string {
		return wp(`<w:numPr><w:ilvl w:val="`+level+`"/><w:numId w:val="1"/></w:numPr>`, s)
	}
	wordRow := func(properties, a, b string) string {
		return `<w:tr>` + properties + `<w:tc>` + wp("", a) + `</w:tc><w:tc>` + wp("", b) + `</w:tc></w:tr>`
	}
	odtItem := func(s string) string { return `<text:list-item><text:p>` + s + `</text:p>` }
	odtRow := func(a, b string) string {
		return `<table:table-row><table:table-cell><text:p>` + a + `</text:p></table:table-cell><table:table-cell><text:p>` + b + `</text:p></table:table-cell></table:table-row>`
	}
	rtfRow := func(a, b string) string { return `\pard\intbl ` + a + `\cell ` + b + `\cell\row` }
	for name, data := range map[string][]byte{
		"a.docx": docx(t, wp("", "For the roof we need:")+numbered("0", "tiles")+numbered("1", "red ones")+numbered("0", "nails")+
			`<w:tbl>`+wordRow(`<w:trPr><w:tblHeader/></w:trPr>`, "Item", "Shop")+wordRow("", "tiles", "Lee")+wordRow("", "nails", "Miller")+`</w:tbl>`+wp("", "The end.")),
		"a.odt": archive(t, member{"mimetype", "application/vnd.oasis.opendocument.text"}, member{"content.xml", `<o><office:text><text:p>For the roof we need:</text:p>` +
			`<text:list>` + odtItem("tiles") + `<text:list>` + odtItem("red ones") + `</text:list-item></text:list></text:list-item>` + odtItem("nails") + `</text:list-item></text:list>` +
			`<table:table><table:table-header-rows>` + odtRow("Item", "Shop") + `</table:table-header-rows>` + odtRow("tiles", "Lee") + odtRow("nails", "Miller") + `</table:table>` +
			`<text:p>The end.</text:p></office:text></o>`}),
		"a.rtf": []byte(`{\rtf1\ansi\pard For the roof we need:\par\pard\ls1{\listtext\pard\plain 1.\tab}tiles\par\pard\ls1\ilvl1{\listtext\pard\plain a.\tab}red ones\par` +
			`\pard\ls1\ilvl0{\listtext\pard\plain 2.\tab}nails\par\trowd\trhdr` + rtfRow("Item", "Shop") + `\trowd` + rtfRow("tiles", "Lee") + `\trowd` + rtfRow("nails", "Miller") + `\pard The end.\par}`),
		"a.epub": archive(t, member{"mimetype", "application/epub+zip"}, member{"META-INF/container.xml", `<rootfile full-path="b.opf"/>`},
			member{"b.opf", `<package><manifest><item id="a" href="a.html" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`},
			member{"a.html", `<html><body><p>For the roof we need:</p><ul><li><p>tiles</p><ul><li><p>red ones</p></li></ul></li><li><p>nails</p></li></ul><table>` +
				`<thead><tr><th><p>Item</p></th><th><p>Shop</p></th></tr></thead><tbody><tr><td><p>tiles</p></td><td>Lee</td></tr><tr><td>nails</td><td>Miller</td></tr></tbody></table><p>The end.</p></body></html>`}),
	} {
		if d := text(t, name, data); d.Text != want {
			t.Errorf("%s: %q, want %q", name, d.Text, want)
		}
	}
}
