package office

import (
	"reflect"
	"strings"
	"testing"

	"dowse/indexer/document"
)

func TestContentsOfEPUB3(t *testing.T) {
	r := contentsReader{from: "oebps/nav.xhtml", marks: map[string][]bookmark{}}
	nav := `<html><body><nav epub:type="landmarks"><ol><li><a href="cover.xhtml">Cover</a></li></ol></nav><nav epub:type="toc"><h1>Contents</h1><ol>` +
		`<li><a href="text/one.xhtml">The <i>roof</i></a><ol><li><a href="text/one.xhtml#tiles">Tiles</a></li></ol></li><li><a href="http://x.org/a">away</a></li></ol></nav></body></html>`
	if err := readXML(t.Context(), document.NewInput("a.epub", nil, document.DefaultLimits), []byte(nav), &r); err != nil {
		t.Fatal(err)
	}
	want := map[string][]bookmark{"oebps/text/one.xhtml": {{"", "The roof"}, {"tiles", "Tiles"}}}
	if !reflect.DeepEqual(r.marks, want) {
		t.Errorf("%v", r.marks)
	}
}

// A part is cut where the element of an entry begins, or a heading around it, and nothing of it
// is lost, wherever the entries lead.
func TestPartsAreCutAtTheirChapters(t *testing.T) {
	const source = `<body><p>before</p><section><h2><a name='b'/>B</h2></section><p id="a">A</p><p id="a">again</p></body>`
	pieces := cut(source, []bookmark{{"a", "A"}, {"b", "B"}, {"nowhere", "C"}, {"", "All"}})
	var labels, texts []string
	for _, p := range pieces {
		labels, texts = append(labels, p.label), append(texts, p.source)
	}
	if strings.Join(texts, "") != source || !reflect.DeepEqual(labels, []string{"All", "B", "A"}) {
		t.Errorf("%q: %q", labels, texts)
	}
	if !strings.HasPrefix(texts[1], "<section><h2>") || !strings.HasPrefix(texts[2], `<p id="a">A`) {
		t.Errorf("%q", texts)
	}
	for _, odd := range []string{"", `id="a"`, `<p id="a`, `<p id='a'><p id='a'>`, strings.Repeat("<b>", 5000) + `<p id="a">`, `<p ` + strings.Repeat("x ", 5000) + `id="a">`} {
		joined := ""
		for _, p := range cut(odd, []bookmark{{"a", "A"}}) {
			joined += p.source
		}
		if joined != odd {
			t.Errorf("%.40q: lost something", odd)
		}
	}
}

// The pages of a picture book are drawings, within pages or by themselves.
func TestBooksOfDrawings(t *testing.T) {
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><title>Page one</title><style>.a {}</style><g><text><tspan y="0">Once</tspan><tspan y="0"> upon</tspan>` +
		"\n<tspan y=\"11\">a time,</tspan></text><text>a  roof\n</text><text> </text></g></svg>"
	d := text(t, "a.epub", archive(t, member{"mimetype", "application/epub+zip"}, member{"META-INF/container.xml", `<rootfile full-path="b.opf"/>`},
		member{"b.opf", `<package><manifest><item id="a" href="a.svg" media-type="image/svg+xml"/><item id="b" href="b.html" media-type="application/xhtml+xml"/>` +
			`<item id="c" href="c.html" media-type="application/xhtml+xml"/><item id="d" href="d.svg" media-type="image/svg+xml"/>` +
			`<item id="n" href="n.html" properties="nav" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/><itemref idref="d"/></spine></package>`},
		member{"n.html", `<nav epub:type="toc"><ol><li><a href="b.html">Two</a></li></ol></nav>`}, member{"a.svg", drawing},
		member{"b.html", `<html><head><title>x</title></head><body><div>` + strings.Replace(drawing, "one", "two", 1) + `</div></body></html>`},
		member{"c.html", `<html><body><p>words</p><svg><text>of a button</text></svg></body></html>`}, member{"d.svg", `<svg><text>cut`}))
	if want := "Page one\n\nOnce upon\na time,\n\na roof\n\nPage two\n\nOnce upon\na time,\n\na roof\n\nwords"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
	if got := labels(d); !reflect.DeepEqual(got, []string{"chapter 1", "chapter Two", "chapter 3"}) {
		t.Errorf("%q", got)
	}
}
