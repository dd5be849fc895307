package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/internal/testmutate"
)

// smallBytes is the size up to which files of filesVariable are damaged.
const smallBytes = 64 << 10

// seeds are small files of several kinds: those that tests write, and those of a folder that
// filesVariable names.
func seeds(t *testing.T) [][]byte {
	t.Helper()
	form := made{
		pages:   []string{lines(50, 700, "A form of two fields, which somebody has filled in.")},
		annots:  []string{"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ann Lee) /Rect [50 500 200 520] >>", "<< /Type /Annot /Subtype /Text /Contents (look here) /Rect [50 400 70 420] >>"},
		catalog: "/AcroForm << /Fields [] >> /Outlines 10 0 R",
		more:    []string{"<< /First 11 0 R /Last 11 0 R /Count 1 >>", "<< /Title (The first) /Parent 10 0 R /Dest [0 /Fit] >>"},
	}
	turned := made{pages: []string{lines(50, 700, "turned by a quarter", "and once more")}, page: "/Rotate 90"}
	spoken := made{pages: []string{says("fi", tj(`\001`)) + shows("700", tj("of"), says("Doctor", tj("Dr.")), tj("Lee")) + says("slates of Penrhyn", outlines)}}
	all := [][]byte{book().bytes(), form.bytes(), turned.bytes(), packed(lines(50, 700, "what is packed", "is read as well")), told().bytes(), spoken.bytes()}
	if folder := os.Getenv(filesVariable); folder != "" {
		paths, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil && len(data) <= smallBytes {
				all = append(all, data)
			}
		}
	}
	return all
}

// packed is a file of one page whose content is compressed.
func packed(content string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return made{pages: []string{""}, more: []string{stream("/Filter /FlateDecode", b.String())}, page: "/Contents 10 0 R"}.bytes()
}

// stream is an object with a stream.
func stream(dictionary, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(data), data)
}

// outcome is what became of a file, for counting.
func outcome(err error) string {
	switch {
	case err == nil:
		return "text"
	case errors.Is(err, document.ErrEncrypted):
		return "encrypted"
	case errors.Is(err, document.ErrNoText):
		return "no text"
	case errors.Is(err, errMemory):
		return "memory"
	case errors.Is(err, document.ErrBounds):
		return "too large"
	case errors.Is(err, context.DeadlineExceeded):
		return "too long"
	case strings.HasPrefix(err.Error(), "PDFium cannot open it"):
		return "damaged"
	}
	return "failed: " + strings.SplitN(err.Error(), "\n", 2)[0]
}

// TestMutations: whatever is in a file, it is read or refused, and the same each time.
func TestMutations(t *testing.T) {
	n := 100
	if testing.Short() {
		n = 20
	}
	r := newReader(t)
	outcomes, longest, i := map[string]int{}, time.Duration(0), 0
	testmutate.Each(t, n, seeds(t), func(data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		d, err := r.read(ctx, document.NewInput("a.pdf", data, document.DefaultLimits))
		longest = max(longest, time.Since(start))
		outcomes[outcome(err)]++
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("mutation %d takes for ever", i)
		}
		if err == nil && i%10 == 0 {
			if again, err := readMade(t, r, data); err != nil || again.Text != d.Text {
				t.Errorf("mutation %d gives other text the second time: %v", i, err)
			}
		}
		if err == nil && !utf8.ValidString(d.Text) {
			t.Errorf("mutation %d: text %q", i, d.Text)
		}
		i++
	})
	t.Logf("%v, the longest %v%s", outcomes, longest.Round(time.Millisecond), peak())
}

// peak says how much memory this process has held, where the system says.
func peak() string {
	data, _ := os.ReadFile("/proc/self/status")
	_, after, found := strings.Cut(string(data), "VmHWM:")
	if !found {
		return ""
	}
	line, _, _ := strings.Cut(after, "\n")
	return ", at most" + strings.Join(strings.Fields(line), " ")
}

// bombs are files that want much of who reads them.
func bombs() map[string][]byte {
	page := func(content string) []string { return []string{content} }
	hello := lines(50, 700, "hello")
	zeros := func(n int) string {
		var b bytes.Buffer
		w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
		for chunk := make([]byte, 1<<20); n > 0; n-- {
			_, _ = w.Write(chunk)
		}
		_ = w.Close()
		return b.String()
	}
	twice := zeros(1)
	outline := []string{"<< /First 11 0 R /Last 11 0 R >>"}
	for i := range 20_000 {
		outline = append(outline, fmt.Sprintf("<< /Title (entry %d) /Parent %d 0 R /First %d 0 R /Last %d 0 R >>", i, madeMore+i, madeMore+i+2, madeMore+i+2))
	}
	nested := strings.Repeat("[", 200_000)
	return map[string][]byte{
		"pages that are their own children": bytes.Replace(made{pages: page(hello)}.bytes(), []byte("/Kids [10 0 R]"), []byte("/Kids [2 0 R] "), 1),
		"a page tree that says a billion":   bytes.Replace(made{pages: page(hello)}.bytes(), []byte("/Count 1 "), []byte("/Count 1000000000 "), 1),
		"content of a gigabyte of zeros":    made{pages: page(""), more: []string{stream("/Filter /FlateDecode", zeros(1024))}, page: "/Contents 10 0 R"}.bytes(),
		"filters within filters":            made{pages: page(""), more: []string{stream("/Filter ["+strings.Repeat("/FlateDecode ", 1000)+"]", twice)}, page: "/Contents 10 0 R"}.bytes(),
		"a page a billion wide":             made{pages: page(hello), page: "/MediaBox [0 0 1000000000 1000000000]"}.bytes(),
		"a user unit of a billion":          made{pages: page(hello), page: "/UserUnit 1000000000"}.bytes(),
		"many annotations":                  made{pages: page(hello), annots: []string{strings.Repeat("<< /Type /Annot /Subtype /Text /Contents (x) /Rect [0 0 1 1] >> ", 50_000)}}.bytes(),
		"a deep outline":                    made{pages: page(hello), catalog: "/Outlines 10 0 R", more: outline}.bytes(),
		"an outline that is its own child":  made{pages: page(hello), catalog: "/Outlines 10 0 R", more: []string{"<< /First 11 0 R /Last 11 0 R >>", "<< /Title (me) /Parent 11 0 R /First 11 0 R /Next 11 0 R >>"}}.bytes(),
		"a table of a billion objects":      bytes.Replace(made{pages: page(hello)}.bytes(), []byte("xref\n0 "), []byte("xref\n0 99999999"), 1),
		"tables that lead to themselves":    made{pages: page(hello), trailer: "/Prev 9"}.bytes(),
		"arrays within arrays":              made{pages: page(hello), catalog: "/Names " + nested}.bytes(),
		"content of arrays within arrays":   made{pages: page(nested + hello)}.bytes(),
		"states that are saved":             made{pages: page(strings.Repeat("q ", 1_000_000) + hello)}.bytes(),
		"a form that draws itself":          made{pages: page("/X Do " + hello), page: "/Resources << " + madeFonts + " /XObject << /X 10 0 R >> >>", more: []string{stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 10 0 R >> >>", "/X Do /X Do")}}.bytes(),
		"a font that descends from itself":  made{pages: page("BT /F 9 Tf 50 50 Td <0041> Tj ET"), page: "/Resources << /Font << /F 10 0 R >> >>", more: []string{"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [10 0 R] /ToUnicode 10 0 R >>"}}.bytes(),
		"a letter that draws itself":        made{pages: page("BT /F 9 Tf 50 50 Td (a) Tj ET"), page: "/Resources << /Font << /F 10 0 R >> >>", more: []string{"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 11 0 R >> /Resources << /Font << /F 10 0 R >> >> >>", stream("", "9 0 0 0 9 9 d1 BT /F 9 Tf (aaaa) Tj ET")}}.bytes(),
		"a picture of JBIG2 that is none":   picture("JBIG2Decode"),
		"a picture of JPX that is none":     picture("JPXDecode"),
		"letters for ever":                  made{pages: page("BT /F 1 Tf 1 1 Td (" + strings.Repeat("word ", 1<<20) + ") Tj ET")}.bytes(),
	}
}

// picture is a page with a picture of a filter, of a billion dots that are not there.
func picture(filter string) []byte {
	return made{
		pages: []string{"/X Do " + lines(50, 700, "hello")}, page: "/Resources << " + madeFonts + " /XObject << /X 10 0 R >> >>",
		more: []string{stream("/Type /XObject /Subtype /Image /Width 32000 /Height 32000 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /"+filter, strings.Repeat("\x97JB2\x00\xff", 200))},
	}.bytes()
}

// slowBombs fill the sandbox before they are refused. They are tried in long runs.
var slowBombs = []string{"content of a gigabyte of zeros", "a form that draws itself"}

// bombTime is how long one may take: a fifth of what a file of a person's may.
const bombTime = time.Minute

// TestBombs: what wants much is read or refused in time, and the next file is read.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("one file after the other: nothing for the race detector")
	}
	r := newReader(t)
	for name, data := range bombs() {
		t.Run(name, func(t *testing.T) {
			if slices.Contains(slowBombs, name) && os.Getenv(testmutate.Variable) == "" {
				t.Skipf("it takes ten seconds; %s=1 has it read", testmutate.Variable)
			}
			ctx, cancel := context.WithTimeout(t.Context(), bombTime)
			defer cancel()
			start := time.Now()
			d, err := r.read(ctx, document.NewInput("a.pdf", data, document.DefaultLimits))
			text := 0
			if err == nil {
				text = len(d.Text)
			}
			t.Logf("%d bytes: %s, %d bytes of text, %v", len(data), outcome(err), text, time.Since(start).Round(time.Millisecond))
			if got := outcome(err); got != "text" && got != "memory" {
				t.Errorf("refused because of %v", err)
			}
		})
	}
	if d, err := readMade(t, r, book().bytes()); err != nil || d.Text != bookText {
		t.Errorf("the next file: %v", err)
	}
	t.Logf("all%s", peak())
}

// BenchmarkInstance starts and ends a PDFium.
func BenchmarkInstance(b *testing.B) {
	s, err := newReader(b).compiled()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p, err := s.instance(b.Context(), maxPages)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(p.memory.Size())/(1<<20), "MiB")
		if err := p.close(); err != nil {
			b.Fatal(err)
		}
	}
}
