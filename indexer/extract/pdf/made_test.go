package pdf

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dowse/indexer/document"
)

// made is a PDF file that a test writes.
type made struct {
	pages   []string // content streams
	page    string   // more of each page's dictionary: "/Rotate 90"
	annots  []string // dictionaries, of the first page
	catalog string   // more of the catalogue
	info    string   // the information dictionary
	more    []string // objects, numbered from 10
	trailer string
}

// Objects of a made file that have fixed numbers.
const (
	madeFonts = "/Font << /F 3 0 R /B 4 0 R >>"
	madeMore  = 10
)

// bytes writes the file, uncompressed.
func (m made) bytes() []byte {
	objects := map[int]string{
		3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
		5: "<< " + m.info + " >>",
	}
	for i, o := range m.more {
		objects[madeMore+i] = o
	}
	n := madeMore + len(m.more)
	var kids []string
	for i, content := range m.pages {
		more := m.page
		if i == 0 && len(m.annots) > 0 {
			more += " /Annots [" + strings.Join(m.annots, " ") + "]"
		}
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects[n] = fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << %s >> /Contents %d 0 R %s >>", madeFonts, n+1, more)
		objects[n+1] = fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content)
		n += 2
	}
	objects[1] = "<< /Type /Catalog /Pages 2 0 R " + m.catalog + " >>"
	objects[2] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(kids), strings.Join(kids, " "))
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	at := make([]int, n)
	for i := 1; i < n; i++ {
		if o, is := objects[i]; is {
			at[i] = b.Len()
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i, o)
		}
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", n)
	for _, offset := range at[1:] {
		kind := 'n'
		if offset == 0 {
			kind = 'f'
		}
		fmt.Fprintf(&b, "%010d 00000 %c \n", offset, kind)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", n, m.trailer, xref)
	return b.Bytes()
}

// line is a line of text in a content stream.
func line(font string, size, x, y float64, text string) string {
	escaped := strings.NewReplacer("(", `\(`, ")", `\)`, `\`, `\\`).Replace(text)
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, escaped)
}

// lines are lines below each other.
func lines(x, y float64, texts ...string) string {
	var b strings.Builder
	for i, text := range texts {
		b.WriteString(line("F", 10, x, y-12*float64(i), text))
	}
	return b.String()
}

// tested is the Reader that the tests of this process share.
var tested struct {
	once   sync.Once
	reader *reader
}

// compiledDir is where the compiled PDFium is kept: in the environment of the tests, or
// where who runs them again and again says.
func compiledDir() string {
	if dir := os.Getenv("DOWSE_TEST_COMPILED"); dir != "" {
		return dir
	}
	return filepath.Join(os.Getenv("HOME"), "compiled")
}

// newReader returns the Reader of these tests, whose PDFium is compiled once.
func newReader(t testing.TB) *reader {
	t.Helper()
	tested.once.Do(func() {
		tested.reader = openReader(Options{Cache: compiledDir(), AtOnce: 4})
	})
	return tested.reader
}

// readMade reads a file of a test.
func readMade(t testing.TB, r *reader, data []byte) (*document.Document, error) {
	t.Helper()
	return r.read(t.Context(), document.NewInput("a.pdf", data, document.DefaultLimits))
}
