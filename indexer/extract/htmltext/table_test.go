package htmltext_test

import (
	"runtime"
	"strings"
	"testing"

	"dowse/indexer/extract/htmltext"
)

// An item keeps its mark and its place in the list, whatever it is made of.
func TestItemsKeepTheirMarks(t *testing.T) {
	for source, want := range map[string]string{
		`<p>We need:</p><ul><li><p>tiles</p></li><li><p>nails</p><p>more</p></li></ul>`:           "We need:\n\n- tiles\n- nails\n\nmore\n",
		`<ul><li><p>a</p><ul><li><p>b</ul><li>c</ul>`:                                             "- a\n  - b\n- c\n",
		`<ul><li>a<ul><li><p>b</p></li></ul></li><li><div><p>c</p></div></li><li>d</li></ul><p>e`: "- a\n  - b\n- c\n- d\n\ne\n",
		`<ol><li><p>one</p><li><p>two</p></ol>`:                                                   "1. one\n2. two\n",
		`<ul><li></li></ul><p>a`:                                                                  "a\n",
		`<ul><li></ul><p>a`:                                                                       "a\n",
		`<ul><li></li><li><h3>a</h3></ul><p>b`:                                                    "### a\n\nb\n",
		`<ul><li><pre>a</pre><li>b</ul>`:                                                          "```\na\n```\n- b\n",
		`<p>a</p><li><p>b</p></li><li><p>c</p></li>`:                                              "a\n\n- b\n\n- c\n",
	} {
		if got, _ := htmltext.Read("<body>" + source); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// A row says what its columns are called, where the table does, for it may be read alone.
func TestRowsNameTheirColumns(t *testing.T) {
	const heads = `<tr><th>Item</th><th>Cost:</th><th></th></tr>`
	for source, want := range map[string]string{
		`<table><caption>Costs</caption>` + heads + `<tr><td> tiles </td><td><p>30</p><p>40</p></td><td>x</td></tr></table>a`: "Costs\n\nItem; Cost:\nItem: tiles; Cost: 30 40; x\n\na\n",
		`<table>` + heads + `<tr><td rowspan="2">nails<ul><li>a<li>b</ul><td>4<tr><td>5<tr><td><td>6</table><p>a`:             "Item; Cost:\nItem: nails a b; Cost: 4\nCost: 5\nCost: 6\n\na\n",
		`<table><tr><th colspan="2">2021<th>2022<tr><td>1<td>2<td>3<tr><th>4<td>5<td>6</table>`:                               "2021; 2022\n2021: 1; 2021: 2; 2022: 3\n2021: 4; 2021: 5; 2022: 6\n",
		`<table><tr><th>A &amp; B<th>b<tr><td>1<td><pre>2</pre></table>`:                                                      "A & B; b\nA & B: 1; b: 2\n",
		// Names of rows, and tables that arrange a page, name no columns.
		`<table><tr><th>Size<td>3<tr><th>Age<td>4</table>`:                                "Size | 3\nAge | 4\n",
		`<table><tr><th>Menu<tr><td>1<td>2</table>`:                                       "Menu\n1 | 2\n",
		`<table><tr><th>a<th>b<table><tr><td>x</table><tr><td>1<td>2</table>c`:            "a; b\n\nx\n\n1 | 2\n\nc\n",
		`<table><tr><td><table>` + heads + `<tr><td>1<td>2</table><td>c</table>`:          "Item; Cost:\nItem: 1; Cost: 2\n\n| c\n",
		`<table><tr><th>a<th>b<tr><td colspan="99999999" rowspan="x">1<td>2</table>`:      "a; b\na: 1; 2\n",
		`<tr><td>1<td>2</tr></table></tr><p>a`:                                            "1 | 2\n\na\n",
		`<table><tr><th>a</th><th>b</th></tr><tr><td></td><td></td></tr></table><p>c</p>`: "a; b\n\nc\n",
	} {
		if got, _ := htmltext.Read("<body>" + source); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// Tables that nobody closes cost no more than what they say.
func TestTablesAreBounded(t *testing.T) {
	const deep = 20_000
	source := strings.Repeat(`<table><tr><th colspan="1000" rowspan="1000">`, deep) + "a" + strings.Repeat("</table>", deep) +
		"<table><tr><th>Item<th>Cost<tr><td>1<td>2</table>"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _ := htmltext.Read(source)
	runtime.ReadMemStats(&after)
	if got != "a\n\nItem; Cost\nItem: 1; Cost: 2\n" {
		t.Errorf("%.60q", got)
	}
	if held := after.TotalAlloc - before.TotalAlloc; held > 2000*deep {
		t.Errorf("%d bytes", held)
	}
}
