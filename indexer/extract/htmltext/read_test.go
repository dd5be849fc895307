package htmltext_test

import (
	"testing"

	"dowse/indexer/extract/htmltext"
)

func TestReadKeepsTheStructureAndTheLines(t *testing.T) {
	text, marks := htmltext.Read("<title>Roof</title><nav>Home</nav>\n<p>Ask <b>Ann</b>\n&amp; Bob.<ul><li>tiles<script>x</script></ul>\n<pre>a\n  b</pre>")
	if want := "# Roof\n\nAsk Ann & Bob.\n\n- tiles\n\n```\na\n  b\n```\n"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	for i, m := range marks {
		if i > 0 && (m.Offset < marks[i-1].Offset || m.Line <= marks[i-1].Line) {
			t.Errorf("mark %d: %+v after %+v", i, m, marks[i-1])
		}
	}
	if last := marks[len(marks)-1]; last.Line != 5 {
		t.Errorf("the last line is %d", last.Line)
	}
}

func TestWordsAreUndivided(t *testing.T) {
	text, _ := htmltext.Read("<p>Was&shy;ser<wbr>pum\u200bpe &#8203; &#xfeff;\n&zwnj;می&zwnj;خواهم</p>")
	if want := "Wasserpumpe \u200cمی\u200cخواهم\n"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

func TestHasTagSeesBothCases(t *testing.T) {
	for source, want := range map[string]bool{"<p><H1>": true, "<h1 id=a>": true, "<h": false, "h1": false, "<<h1": true, "": false} {
		if htmltext.HasTag(source, "<h1") != want {
			t.Errorf("%q: %v", source, !want)
		}
	}
}

func TestReadingsFollowTheirParagraph(t *testing.T) {
	for source, want := range map[string]string{
		"<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>です</p><p>次": "漢字です (kan ji)\n\n次\n",
		"<ruby>東<rb>京<rp>(<rt>とう<rt>きょう<rp>)</ruby>へ":         "東京へ (とう きょう)\n",
		"<p><ruby>漢<rt>kan<p>next":                            "漢 (kan)\n\nnext\n",
	} {
		if text, _ := htmltext.Read(source); text != want {
			t.Errorf("%s: %q, want %q", source, text, want)
		}
	}
}

func TestPartsOfAFormulaStandApart(t *testing.T) {
	text, _ := htmltext.Read("<p>So <math><mi>x</mi><mo>=</mo><mfrac><mi>kinetic</mi><mi>mass</mi></mfrac><mtext>where</mtext><annotation>\\frac{a}{b}</annotation></math> holds, CO<sub>2</sub> too.")
	if want := "So x = kinetic mass where \\frac{a}{b} holds, CO2 too.\n"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// A word stays findable where the mark of a note follows it, and a power stays with its unit.
func TestMarksOfNotesStandApart(t *testing.T) {
	for source, want := range map[string]string{
		`<p>pump<sup><a href="#n1">1</a></sup> runs`:                                   "pump 1 runs\n",
		`<p>pump<a href="#n1" class="footnote-ref"><sup>1</sup></a>, later`:            "pump 1, later\n",
		`<p>pump<a href="n.xhtml#n1" epub:type="noteref">1</a> runs`:                   "pump 1 runs\n",
		`<p>pump<a href="#fn1" class="footnote-ref" id="fnref1">1</a> runs`:            "pump 1 runs\n",
		`<p>pump<a role="doc-noteref" href="#n1">1</a> runs`:                           "pump 1 runs\n",
		`<p><a id="top"/>5 m<sup>2</sup>, <a href="/x">sub</a>way, the 5<sup>th</sup>`: "5 m2, subway, the 5th\n",
		`<p><a name="top">Top<p>5 m<sup>2</sup>`:                                       "Top\n\n5 m2\n",
	} {
		if text, _ := htmltext.Read(source); text != want {
			t.Errorf("%s: %q, want %q", source, text, want)
		}
	}
}

// A number beside its line is not joined to the one before.
func TestPowersStayApart(t *testing.T) {
	for source, want := range map[string]string{
		`<p>holds 10<sup>5</sup> newtons, 10<sup><b>−3</b></sup> m<sup>3</sup>, CO<sub>2</sub>, 101<sub>2</sub>, the 5<sup>th</sup>`: "holds 10^5 newtons, 10^−3 m3, CO2, 101_2, the 5th\n",
		`<p>as shown<sup>1</sup>, in 1974<sup>12</sup>. <sup>14</sup>C, 10 <sup>5</sup>`:                                             "as shown^1, in 1974^12. 14C, 10 5\n",
		`<p>holds 10<sup>5 newtons<p>over 10 m`: "holds 10^5 newtons\n\nover 10 m\n",
	} {
		if text, _ := htmltext.Read(source); text != want {
			t.Errorf("%s: %q, want %q", source, text, want)
		}
	}
}
