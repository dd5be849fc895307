package office

import "testing"

// What stands between the letters of a text belongs where it stands, though letters are held
// until the charset of all of them is known.
func TestRTFKeepsTheOrderOfItsText(t *testing.T) {
	for source, want := range map[string]string{
		`non\~breaking\~space`:           "non breaking space",
		`semi\_detached hy\-phen`:        "semi-detached hyphen",
		"one\\\ntwo\\\r\nthree":          "one\n\ntwo\n\nthree",
		`\uc1\u228\~x \uc1\u228\'e4rger`: "äx ärger",
		`{\'c5\\\{a\}}`:                  `Å\{a}`,
		`a\'`:                            "a",
	} {
		if d := text(t, "a.rtf", []byte(`{\rtf1\ansi `+source+`}`)); d.Text != want {
			t.Errorf("%s: %q, want %q", source, d.Text, want)
		}
	}
}

// A star passes over a group only where it begins one: StarWriter wrote it elsewhere.
func TestRTFStarsHideWhatTheyBegin(t *testing.T) {
	for source, want := range map[string]string{
		`{\f2\*\cs7\cf0 shown}`:                  "shown",
		`{\*\generator Riched20}shown`:           "shown",
		"{ \r\n{\\*\\generator Riched20}}shown":  "shown",
		`{ \*\generator Riched20}shown`:          "shown",
		`{\*\s1 not shown}\pard shown`:           "shown",
		`a{\*\cs10 b}c{}\*\cs10 d`:               "acd",
		`{{\*\unknown {x} y} z}{\*\unknown}more`: "zmore",
	} {
		if d := text(t, "a.rtf", []byte(`{\rtf1\ansi `+source+`}`)); d.Text != want {
			t.Errorf("%s: %q, want %q", source, d.Text, want)
		}
	}
}

// The number of an item has a format of its own, which is not that of the item.
func TestRTFItemsAreKnownByTheirNumbers(t *testing.T) {
	const source = `{\rtf1\ansi\pard We need:\par\pard\ls1\ilvl0 {\listtext\pard\plain 1.\tab}tiles\par{\listtext\pard\plain 2.\tab}nails\par` +
		`\pard\ls1\ilvl1 {\listtext\pard\plain a.\tab}long ones\par\pard\trowd\intbl{\listtext\pard *}glue\cell 3\cell\row\trowd\intbl paint\cell 4\cell\row}`
	if d, want := text(t, "a.rtf", []byte(source)), "We need:\n\n- tiles\n- nails\n  - long ones\n\nglue; 3\npaint; 4"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

func TestRTFRowsMayNameTheirColumns(t *testing.T) {
	row := func(first, second string) string { return `\intbl ` + first + `\cell ` + second + `\cell\row` }
	source := `{\rtf1\ansi\trowd\trhdr` + row("Ann", "Bob") + `\trowd` + row("Bob", "Eve") + `\pard The end.}`
	if d, want := text(t, "a.rtf", []byte(source)), "Ann; Bob\nAnn: Bob; Bob: Eve\n\nThe end."; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// Bytes are letters of the charset that the font says, else the document.
func TestRTFCharsets(t *testing.T) {
	for source, want := range map[string]string{
		`\ansi\'e4`:                "ä",
		`\pc\'84`:                  "ä",
		`\pca\'84\'d0`:             "äð",
		`\mac\'8a`:                 "ä",
		`\ansi\ansicpg852\'a9`:     "ę",
		`\ansi\ansicpg1251\'e4`:    "д",
		`\ansi\ansicpg936\'b2\'e2`: "测",
		`\ansi\ansicpg9\'e4`:       "ä",
		`\ansi{\fonttbl{\f1\fcharset238 Arial CE;}{\f2\fcharset0 Arial;}}\f1\'b3\f2\'b3`: "ł³",
	} {
		if d := text(t, "a.rtf", []byte(`{\rtf1`+source+`}`)); d.Text != want {
			t.Errorf("%s: %q, want %q", source, d.Text, want)
		}
	}
}

func TestRTFPropertiesThatNobodyWrote(t *testing.T) {
	d := text(t, "a.rtf", []byte(`{\rtf1\ansi{\info{\title Microsoft Word - roof.doc}{\author Unknown}}words}`))
	if d.Meta.Title != "" || d.Meta.Authors != nil {
		t.Errorf("%+v", d.Meta)
	}
}
