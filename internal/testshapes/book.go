package testshapes

import (
	"encoding/binary"
	"strings"
)

// epub makes a book whose spine names its one chapter n times.
func epub(chapter func(n int) string, named func(n int) int) func(n int) []byte {
	return func(n int) []byte {
		return zipped(
			member{"mimetype", []byte("application/epub+zip")},
			member{"META-INF/container.xml", []byte(`<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`)},
			member{"book.opf", []byte(`<package><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>` +
				strings.Repeat(`<itemref idref="a"/>`, named(n)) + `</spine></package>`)},
			member{"a.xhtml", []byte(`<html><body>` + chapter(n) + `</body></html>`)})
	}
}

func itself(n int) int { return n }
func once(int) int     { return 1 }

func books() []Shape {
	paragraph := "<p>" + sentence + "</p>"
	return []Shape{
		{"spine.epub", 100, 100_000, epub(func(int) string { return strings.Repeat(paragraph, 5) }, itself)},
		{"empty.epub", 100, 100_000, epub(func(int) string { return strings.Repeat("<p> </p>", 5) }, itself)},
		{"large.epub", 10, 100_000, epub(func(int) string { return strings.Repeat(paragraph, 10_000) }, itself)},
		{"bare.epub", 10, 100_000, epub(func(int) string { return strings.Repeat("<p> </p>", 100_000) }, itself)},
		{"chapter.epub", 100, 300_000, epub(times(paragraph), once)},
		{"sections.fb2", 100, 200_000, repeated(`<?xml version="1.0"?><FictionBook><body>`, "<section><title><p>Valve</p></title>"+paragraph+"</section>", "</body></FictionBook>")},
		{"deep.fb2", 100, 300_000, nested(`<?xml version="1.0"?><FictionBook><body>`, "<section>", paragraph, "</section>", "</body></FictionBook>")},
		{"pages.djvu", 10, 100_000, djvu},
	}
}

// djvu makes a document of n pages without any text.
func djvu(n int) []byte {
	page := "FORM\x00\x00\x00\x16DJVUINFO\x00\x00\x00\x0a\x00\x10\x00\x10\x18\x00\x64\x00\x16\x01"
	body := "DJVM" + strings.Repeat(page, n)
	size := len(body)
	return append(binary.BigEndian.AppendUint32([]byte("AT&TFORM"), uint32(size)), body...)
}
