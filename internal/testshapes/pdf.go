package testshapes

import (
	"bytes"
	"fmt"
	"strings"
)

// pdf writes objects, of which the first is the catalog.
func pdf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, 0, len(objects))
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.Bytes()
}

func stream(dict, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
}

const (
	catalog = "<< /Type /Catalog /Pages 2 0 R >>"
	font    = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
	line    = "BT /F1 12 Tf 72 700 Td (" + sentence + ") Tj ET\n"
)

// page makes one with the content of object 4.
func page(more string) string {
	return "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> " + more + " >>"
}

func pdfs() []Shape {
	pages := "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
	return []Shape{
		{"pages.pdf", 10, 100_000, func(n int) []byte { // one page again and again
			return pdf(catalog, fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Repeat("3 0 R ", n), n), page(""), stream("", line), font)
		}},
		{"lines.pdf", 10, 200_000, func(n int) []byte { return pdf(catalog, pages, page(""), stream("", strings.Repeat(line, n)), font) }},
		{"laid.pdf", 10, 30_000, func(n int) []byte {
			var b strings.Builder
			b.WriteString("BT /F1 6 Tf 72 700 Td\n")
			for i := range n {
				fmt.Fprintf(&b, "%d %d Td (valve) Tj\n", i%7-3, i%5-2)
			}
			return pdf(catalog, pages, page(""), stream("", b.String()+"ET"), font)
		}},
		{"forms.pdf", 3, 24, func(n int) []byte { // each draws the next one ten times
			objects := []string{catalog, pages,
				"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
				stream("", line+"/X Do"), font}
			for i := range n {
				next := min(6+i+1, 6+n-1)
				objects = append(objects, stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> /XObject << /X %d 0 R >> >>", next),
					line+strings.Repeat("/X Do ", 10)))
			}
			return pdf(objects...)
		}},
		{"itself.pdf", 3, 1000, func(n int) []byte {
			return pdf(catalog, pages,
				"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
				stream("", line+"/X Do"), font,
				stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>", line+strings.Repeat("/X Do ", n)))
		}},
		{"annotations.pdf", 10, 1_000_000, func(n int) []byte {
			return pdf(catalog, pages, page("/Annots ["+strings.Repeat("6 0 R ", n)+"]"), stream("", line), font,
				"<< /Type /Annot /Subtype /Text /Rect [0 0 10 10] /Contents (valve) >>")
		}},
		{"contents.pdf", 10, 300_000, func(n int) []byte {
			p := "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [" + strings.Repeat("4 0 R ", n) + "] /Resources << /Font << /F1 5 0 R >> >> >>"
			return pdf(catalog, pages, p, stream("", line), font)
		}},
		{"tree.pdf", 10, 100_000, func(n int) []byte { // pages below pages
			objects := []string{catalog, "<< /Type /Pages /Kids [6 0 R] /Count 1 >>", page(""), stream("", line), font}
			for i := range n {
				next := 6 + i + 1
				if i == n-1 {
					next = 3
				}
				objects = append(objects, fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] /Count 1 >>", next))
			}
			return pdf(objects...)
		}},
		{"outline.pdf", 10, 100_000, func(n int) []byte {
			return pdf("<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>", pages, page(""), stream("", line), font, "<< /First 7 0 R /Last 7 0 R /Count 1 >>",
				"<< /Title (valve) /Parent 6 0 R /First 7 0 R /Next 7 0 R /Dest [3 0 R /Fit] >>")
		}},
	}
}
