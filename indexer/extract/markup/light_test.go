package markup_test

import (
	"strings"
	"testing"

	"dowse/internal/testextract"
)

// Each was written by pandoc 3.9 from the same Markdown, and is shortened.
var lightSamples = []struct{ name, format, data string }{
	{"a.rst", "rst", "==========\nThe sluice\n==========\n\n:Date: 2024-03-02\n\nRepairs\n=======\n\nThe *old* gate **rusted**, see `the plan <https://example.org/plan>`__\nand ``gate.c``.\n\nParts\n-----\n\n- a brass pin\n- two hinges\n\nCosts\n=====\n\nAsk `Ben <ben.md>`__ about “wood”.\n"},
	{"a.mediawiki", "mediawiki", "<span id=\"repairs\"></span>\n= Repairs =\n\nThe ''old'' gate '''rusted''', see [https://example.org/plan the plan]\nand <code>gate.c</code>.\n\n<span id=\"parts\"></span>\n== Parts ==\n\n* a brass pin\n* two hinges\n\n= Costs =\n\nAsk [[ben.md|Ben]] about “wood”.\n"},
	{"a.textile", "textile", "h1(#repairs). Repairs\n\nThe _old_ gate *rusted*, see \"the plan\":https://example.org/plan\nand @gate.c@.\n\nh2(#parts). Parts\n\n* a brass pin\n* two hinges\n\nh1(#costs). Costs\n\nAsk \"Ben\":ben.md about “wood”.\n"},
	{"a.typ", "typst", "#set text(lang: \"en\")\n\n= Repairs\n<repairs>\nThe #emph[old] gate #strong[rusted], see #link(\"https://example.org/plan\")[the plan]\nand gate.c.\n\n== Parts\n<parts>\n- a brass pin\n- two hinges\n\n= Costs\n<costs>\nAsk #link(\"ben.md\")[Ben] about “wood”.\n"},
	{"a.txt", "zim", "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.4\nCreation-Date: 2024-03-02T09:15:00+01:00\n\n====== Repairs ======\n\nThe //old// gate **rusted**, see [[https://example.org/plan|the plan]]\nand ''gate.c''.\n\n===== Parts =====\n\n* a brass pin\n* two hinges\n\n====== Costs ======\n\nAsk [[ben.md|Ben]] about “wood”.\n"},
}

func TestLightMarkup(t *testing.T) {
	const want = "# Repairs\n\nThe old gate rusted, see the plan\nand gate.c.\n\n## Parts\n\n- a brass pin\n- two hinges\n\n# Costs\n\nAsk Ben about “wood”."
	for _, c := range lightSamples {
		d := testextract.Read(t, c.name, c.data)
		got, title := d.Text, "Repairs"
		if c.format == "rst" { // with a title above
			title = "The sluice"
			got = strings.ReplaceAll(strings.TrimPrefix(got, "# The sluice\n\n:Date: 2024-03-02\n\n"), "\n##", "\n#")[1:]
		}
		if got != want || d.Format != c.format || d.Meta.Title != title {
			t.Errorf("%s: %s %q\n%q, want\n%q", c.name, d.Format, d.Meta.Title, d.Text, want)
		}
		if dated := strings.Contains(c.data, "2024"); dated != (d.Meta.Date.Year() == 2024) {
			t.Errorf("%s: dated %v", c.name, d.Meta.Date)
		}
		above, _, _ := strings.Cut(c.data, "hinges")
		if at := strings.Index(d.Text, "hinges"); d.Line(at) != 1+strings.Count(above, "\n") {
			t.Errorf("%s: the hinges are in line %d", c.name, d.Line(at))
		}
	}
}

// What looks like an underline is none where no title stands above.
func TestRulesAreNoHeadings(t *testing.T) {
	d := testextract.Read(t, "a.rst", "Gates\n=====\n\nThe gate of the sluice.\n\n----\n\nIt opens at noon::\n\n    open --slowly\n\n==  ==\na   b\n==  ==\n")
	if want := "# Gates\n\nThe gate of the sluice.\n\nIt opens at noon::\n\nopen --slowly\n\na b"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// TestShiftedText: a number above or below a line is not joined to the one before, whatever the markup.
func TestShiftedText(t *testing.T) {
	const want = "The bridge holds 10^5 newtons over 4 m2 of CO2, as shown^3 by the long test."
	for name, source := range map[string]string{
		"a.rst":       "Loads\n=====\n\nThe bridge holds 10\\ :sup:`5` newtons over 4 m\\ :sup:`2` of CO\\ :sub:`2`, as shown\\ :sup:`3` by the long test.\n",
		"a.mediawiki": "= Loads =\n\nThe bridge holds 10<sup>5</sup> newtons over 4 m<sup>2</sup> of CO<sub>2</sub>, as shown<sup>3</sup> by the long test.\n",
		"a.typ":       "= Loads\n\nThe bridge holds 10#super[5] newtons over 4 m#super[2] of CO#sub[2], as shown#super[3] by the long test.\n",
		"a.tei": `<TEI><text><body><p>The bridge holds 10<hi rend="superscript">5</hi> newtons over 4 m<hi rendition="simple:superscript">2</hi> of CO<hi rend="sub">2</hi>, ` +
			`as shown<hi rend="sup">3</hi> by the long test.</p></body></text></TEI>`,
		"a.xml": `<article><section><title>Loads</title><para>The bridge holds 10<superscript>5</superscript> newtons over 4 m<superscript>2</superscript> of CO<subscript>2</subscript>, ` +
			`as shown<superscript>3</superscript> by the long test.</para><para>Ask Ann about the pump, it is at the end of the pond.</para></section></article>`,
		"a.fb2": `<FictionBook><body><p>The bridge holds 10<sup>5</sup> newtons over 4 m<sup>2</sup> of CO<sub>2</sub>, as shown<sup>3</sup> by the long test.</p></body></FictionBook>`,
	} {
		if d := testextract.Read(t, name, source); !strings.Contains(d.Text, want) {
			t.Errorf("%s: %q, want %q in it", name, d.Text, want)
		}
	}
}

// The words of a note stay, and so does the word that it belongs to.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a.rst", "The pump [1]_ leaks [Lee20]_.\n\n.. [1] A gasket.\n.. [Lee20] Lee, On pumps.\n\n.. a remark\n", "The pump [1]_ leaks [Lee20]_.\n\nA gasket.\nLee, On pumps."},
		{"a.mediawiki", "= Pond =\n\nThe pump<ref>A gasket.</ref> leaks<ref name=\"b\" />.\n\n[[File:a.png|thumb|left|A pump [[Valve|valve]]]] [[File:b.png]]\nIt<ref>Of\nbrass.</ref>\n",
			"# Pond\n\nThe pump A gasket. leaks.\n\nA pump valve\nIt Of\nbrass."},
		{"a.adoc", "= Pond\n\nThe pumpfootnote:[A gasket.] leaksfootnote:b[Badly.], list[0] too.\n", "# Pond\n\nThe pump A gasket. leaks Badly., list[0] too."},
		{"a.tei", `<TEI><text><body><p>The pump<lb/>leaks.</p>Badly.</body></text></TEI>`, "The pump leaks.\n\nBadly."},
		{"a.xml", `<TEI><text><body><p>The pump<note place="foot">A gasket of brass.</note> leaks when it rains in the hills.</p></body></text></TEI>`, "The pump A gasket of brass. leaks when it rains in the hills."},
	} {
		if d := testextract.Read(t, c.name, c.source); d.Text != c.want {
			t.Errorf("%s: %q, want %q", c.name, d.Text, c.want)
		}
	}
}
