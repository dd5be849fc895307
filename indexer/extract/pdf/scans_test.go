package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract/ocr"
)

// scan is the content of a page that is the picture of another one.
func scan(t *testing.T, r *reader, content string) string {
	t.Helper()
	pgm, err := r.drawn(t.Context(), made{pages: []string{content}}.bytes(), 0)
	if err != nil || pgm == nil {
		t.Fatalf("draw a page: %d bytes, %v", len(pgm), err)
	}
	var w, h int
	if _, err := fmt.Sscanf(string(pgm), "P5\n%d %d\n255\n", &w, &h); err != nil || w != 2500 || h != 3333 {
		t.Fatalf("it is %d to %d: %v", w, h, err)
	}
	_, pixels, _ := bytes.Cut(pgm, []byte("\n255\n"))
	const by = 3 // a hundred dots an inch, so that the tests are quick
	var small []byte
	for y := 0; y+by <= h; y += by {
		for x := 0; x+by <= w; x += by {
			sum := 0
			for i := range by * by {
				sum += int(pixels[(y+i/by)*w+x+i%by])
			}
			small = append(small, byte(sum/(by*by)))
		}
	}
	w, h = w/by, h/by
	return fmt.Sprintf("q 600 0 0 800 0 0 cm BI /W %d /H %d /CS /G /BPC 8 ID %s\nEI Q\n", w, h, small)
}

// readBy has pictures read by a function for a test.
func readBy(t *testing.T, opts ocr.Options) {
	t.Helper()
	ocr.Use(opts)
	t.Cleanup(func() { ocr.Use(ocr.Options{}) })
}

// mixed has a page of text, a picture, an empty page, and a picture with a stamp.
func mixed(t *testing.T, r *reader) []byte {
	t.Helper()
	picture := scan(t, r, line("F", 14, 50, 660, "The gutters are due each year in the late autumn,")+line("F", 14, 50, 640, "before the frost of November."))
	stamp := line("F", 8, 50, 20, "Scanned by a telephone")
	return made{pages: []string{lines(50, 660, "The tiles were laid in spring."), picture, "", picture + stamp}}.bytes()
}

func TestMixedPages(t *testing.T) {
	r := newReader(t)
	data := mixed(t, r)
	var pages atomic.Int32
	readBy(t, ocr.Options{AtOnce: 2, Read: func(_ context.Context, picture []byte) (string, error) {
		if !bytes.HasPrefix(picture, []byte("P5\n2500 3333\n255\n")) || len(picture) != len("P5\n2500 3333\n255\n")+2500*3333 {
			return "", fmt.Errorf("a picture of %d bytes", len(picture))
		}
		return fmt.Sprintf("words of a pic-\nture\n\n# %d", min(pages.Add(1), 1)), nil
	}})
	var told atomic.Int32
	ctx := document.WithReport(t.Context(), func(p document.Part, of int) {
		if p.Unit == document.Page && of == 4 {
			told.Add(int32(p.Number))
		}
	})
	d, err := r.read(ctx, document.NewInput("a.pdf", data, document.DefaultLimits))
	const want = "The tiles were laid in spring.\n\nwords of a picture\n\n\\# 1\n\nScanned by a telephone\n\nwords of a picture\n\n\\# 1"
	if err != nil || d.Text != want || pages.Load() != 2 || told.Load() != 2+4 {
		t.Fatalf("%v, %d pages, told %d, %v", d, pages.Load(), told.Load(), err)
	}
	for at, page := range map[int]string{0: "page 1", strings.Index(want, "words"): "page 2", len(want) - 1: "page 4"} {
		if got := document.Label(d.Place(at)); got != page {
			t.Errorf("byte %d: %s, want %s", at, got, page)
		}
	}
	// While somebody waits, and where nobody asked for it, it has its text alone.
	if d, err := r.read(document.WithoutPrograms(ctx), document.NewInput("a.pdf", data, document.DefaultLimits)); err != nil || strings.Contains(d.Text, "words") {
		t.Errorf("while somebody waits: %v, %v", d, err)
	}
	ocr.Use(ocr.Options{})
	if d, err := readMade(t, r, data); err != nil || d.Text != "The tiles were laid in spring.\n\nScanned by a telephone" {
		t.Errorf("turned off: %v, %v", d, err)
	}
}

func TestScansFail(t *testing.T) {
	r := newReader(t)
	picture := scan(t, r, lines(50, 660, "The gutters are due."))
	const small = "/CropBox [0 600 150 800]" // which is quick to draw
	scanned := made{pages: []string{picture, picture, picture, picture}, page: small}.bytes()
	withText := made{pages: []string{lines(50, 660, "The tiles were laid in spring."), picture}, page: small}.bytes()
	missing := noReader{errors.New("tesseract has no language xyz")}
	for name, c := range map[string]struct {
		fail  func(call int32) error
		want  error // nil: the text of the pages that were read
		calls int32
	}{
		"a language is missing": {func(int32) error { return missing }, document.ErrNoReader, 1},
		"it fails each time":    {func(int32) error { return errors.New("exit status 1") }, document.ErrNoReader, 3},
		"it is slow each time":  {func(int32) error { return ocr.ErrSlow }, context.DeadlineExceeded, 3},
		"it finds nothing":      {func(int32) error { return nil }, document.ErrNoText, 4},
		"one page fails": {func(call int32) error {
			if call == 2 {
				return errors.New("signal: segmentation fault")
			}
			return errFound
		}, nil, 4},
	} {
		var calls atomic.Int32
		readBy(t, ocr.Options{AtOnce: 1, Read: func(context.Context, []byte) (string, error) {
			if err := c.fail(calls.Add(1)); !errors.Is(err, errFound) {
				return "", err
			}
			return "gutters", nil
		}})
		d, err := readMade(t, r, scanned)
		switch {
		case c.want != nil && !errors.Is(err, c.want), calls.Load() != c.calls:
			t.Errorf("%s: %d calls, %v", name, calls.Load(), err)
		case c.want == nil && (err != nil || strings.Count(d.Text, "gutters") != 3):
			t.Errorf("%s: %v, %v", name, d, err)
		}
		// What has text keeps it.
		calls.Store(0)
		if d, err := readMade(t, r, withText); err != nil || !strings.HasPrefix(d.Text, "The tiles") {
			t.Errorf("%s: of a file with text: %v, %v", name, d, err)
		}
	}
	blank := made{pages: []string{"0.9 g 0 0 600 800 re f"}}.bytes()
	readBy(t, ocr.Options{Read: func(context.Context, []byte) (string, error) { return "", errors.New("asked of a page of one colour") }})
	if _, err := readMade(t, r, blank); !errors.Is(err, document.ErrNoText) {
		t.Errorf("a page of one colour: %v", err)
	}
}

// errFound says that a made OCR finds something.
var errFound = errors.New("found")

func TestScansAreCancelled(t *testing.T) {
	r := newReader(t)
	picture := scan(t, r, lines(50, 660, "The gutters are due."))
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	readBy(t, ocr.Options{AtOnce: 1, Read: func(ctx context.Context, _ []byte) (string, error) {
		if calls.Add(1) == 2 {
			cancel()
			<-ctx.Done()
		}
		return "gutters", ctx.Err()
	}})
	data := made{pages: []string{picture, picture, picture, picture}, page: "/CropBox [0 600 150 800]"}.bytes()
	if _, err := r.read(ctx, document.NewInput("a.pdf", data, document.DefaultLimits)); !errors.Is(err, context.Canceled) || calls.Load() != 2 {
		t.Errorf("%d calls, %v", calls.Load(), err)
	}
}

// TestTesseract reads a page by the real one.
func TestTesseract(t *testing.T) {
	program, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("tesseract is not installed")
	}
	r := newReader(t)
	readBy(t, ocr.Options{Read: func(ctx context.Context, picture []byte) (string, error) {
		cmd := exec.CommandContext(ctx, program, "stdin", "stdout", "-l", "eng")
		cmd.Stdin = bytes.NewReader(picture)
		out, err := cmd.Output()
		return string(out), err
	}})
	d, err := readMade(t, r, mixed(t, r))
	if err != nil || strings.Count(d.Text, "The gutters are due each year in the late autumn, before the frost of November.") != 2 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestPixels(t *testing.T) {
	for _, c := range [][4]float64{
		{595, 842, 2479, 3508},
		{842, 1191, 3508, 4962},
		{3000, 4000, 3965, 5287}, // points that are pixels
		{14400, 2, 20000, 2},
		{0, 842, 0, 0},
		{-1, 5, 0, 0},
	} {
		if w, h := pixels(c[0], c[1]); float64(w) != c[2] || float64(h) != c[3] {
			t.Errorf("%g to %g: %d to %d", c[0], c[1], w, h)
		}
	}
}
