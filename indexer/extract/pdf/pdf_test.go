package pdf

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
)

// book has a title, two paragraphs, a list, a table and running lines on each page.
func book() made {
	m := made{
		info:    "/Title (The roof) /Author (Ann Lee; Ben) /Keywords (tiles, lead) /CreationDate (D:20240301120000+01'00')",
		catalog: "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >>",
	}
	first := line("B", 20, 50, 700, "The roof") +
		lines(50, 660, "The tiles of the north side were laid in spring, and the main-", "tenance of the gutters is due each year in the late au-", "tumn, before the frost.") +
		lines(50, 600, "Take with you:", "\x95 a ladder", "\x95 two ropes")
	second := line("B", 14, 50, 700, "Costs")
	for i, cells := range [][3]string{{"Item", "Unit", "Cost"}, {"Tiles", "piece", "1200"}, {"Lead", "metre", "340"}, {"Labour", "hour", "2500"}} {
		for c, text := range cells {
			second += line("F", 10, 50+150*float64(c), 660-14*float64(i), text)
		}
	}
	third := lines(50, 660, "The end of it is near, as the maintenance was done.")
	for i, content := range []string{first, second, third} {
		m.pages = append(m.pages, line("F", 8, 50, 780, "House book of Ann")+content+line("F", 8, 300, 20, strconv.Itoa(i+1)))
	}
	return m
}

const bookText = `House book of Ann

# The roof

The tiles of the north side were laid in spring, and the maintenance of the gutters is due each year in the late autumn, before the frost.

Take with you:

- a ladder
- two ropes

## Costs

Item: Tiles; Unit: piece; Cost: 1200
Item: Lead; Unit: metre; Cost: 340
Item: Labour; Unit: hour; Cost: 2500

The end of it is near, as the maintenance was done.`

func TestBook(t *testing.T) {
	r := newReader(t)
	d, err := readMade(t, r, book().bytes())
	if err != nil {
		t.Fatal(err)
	}
	if d.Text != bookText {
		t.Errorf("text:\n%s", d.Text)
	}
	meta := document.Meta{Title: "The roof", Authors: []string{"Ann Lee", "Ben"}, Tags: []string{"tiles", "lead"}, Date: time.Date(2024, 3, 1, 11, 0, 0, 0, time.UTC)}
	if !reflect.DeepEqual(d.Meta, meta) {
		t.Errorf("meta: %+v", d.Meta)
	}
	for words, want := range map[string]string{"tiles of": "page i", "Lead": "page 1", "near": "page 2"} {
		if got := document.Label(d.Place(strings.Index(d.Text, words))); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
	if d.Places[1].Parts[0].Number != 2 {
		t.Errorf("places: %+v", d.Places)
	}
}

// What ReportLab 5 fills in is nothing that a person said.
func TestFilledInProperties(t *testing.T) {
	m := made{pages: []string{lines(50, 700, "words")}, info: `/Author (anonymous) /Creator (anonymous) /Keywords () /Subject (unspecified) /Title (untitled) /Trapped /False`}
	d, err := readMade(t, newReader(t), m.bytes())
	if err != nil || !reflect.DeepEqual(d.Meta, document.Meta{}) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestTextInOrder(t *testing.T) {
	left, right := []string{}, []string{}
	for i := range 6 {
		left = append(left, "left column of prose with words "+string(rune('a'+i)))
		right = append(right, "right column of prose with words "+string(rune('a'+i)))
	}
	left[5] += ", which ends."
	var across string // side by side in the file
	for i := range left {
		across += lines(50, 700-12*float64(i), left[i]) + lines(320, 700-12*float64(i), right[i])
	}
	read := strings.Join(left, " ") + "\n\n" + strings.Join(right, " ")
	for name, c := range map[string]struct {
		made
		want string
	}{
		"columns":              {made{pages: []string{lines(50, 700, left...) + lines(320, 700, right...)}}, read},
		"columns side by side": {made{pages: []string{across}}, read},
		"turned page":          {made{pages: []string{lines(50, 700, left...)}, page: "/Rotate 90"}, strings.Join(left, " ")},
		"turned text":          {made{pages: []string{"q 0 1 -1 0 400 100 cm\n" + lines(0, 0, "some words", "in two lines") + "Q"}}, "some words in two lines"},
		"damaged page":         {made{pages: []string{lines(50, 700, "before"), "BT /F 10 Tf (( Tj q q", lines(50, 700, "after")}}, "before\n\nafter"},
		"form": {made{pages: []string{lines(50, 700, "Form")}, annots: []string{
			"<< /Type /Annot /Subtype /Widget /FT /Tx /T (a1) /TU (Name) /V (Ann Lee) /Rect [0 0 9 9] >>",
			"<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /V /Off /Rect [0 0 9 9] >>",
			"<< /Type /Annot /Subtype /Text /Contents (ask Ben) /Rect [0 0 9 9] >>",
			"<< /Type /Annot /Subtype /Popup /Contents (ask Ben) /Rect [0 0 9 9] >>",
		}}, "Form\n\nName: Ann Lee\n\nask Ben"},
		"outline": {made{
			pages:   []string{line("B", 10, 50, 700, "2.1 Gutters") + lines(50, 680, "Words of the text that is below, and long enough to be the body of it.")},
			catalog: "/Outlines 10 0 R",
			more:    []string{"<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>", "<< /Title (House) /Parent 10 0 R /First 12 0 R /Last 12 0 R /Next 11 0 R >>", "<< /Title (Gutters) /Parent 11 0 R /Next 11 0 R >>"},
		}, "## 2.1 Gutters\n\nWords of the text that is below, and long enough to be the body of it."},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := readMade(t, newReader(t), c.bytes())
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != c.want {
				t.Errorf("text:\n%s\nwant:\n%s", d.Text, c.want)
			}
		})
	}
}

func TestWithoutText(t *testing.T) {
	r := newReader(t)
	picture := made{pages: []string{"q 100 0 0 100 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"}}
	if _, err := readMade(t, r, picture.bytes()); !errors.Is(err, document.ErrNoText) {
		t.Errorf("a picture: %v", err)
	}
	secret := made{pages: []string{lines(50, 700, "secret")}, trailer: "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + strings.Repeat("11", 32) + "> /U <" + strings.Repeat("22", 32) + "> >> /ID [<00> <00>]"}
	if _, err := readMade(t, r, secret.bytes()); !errors.Is(err, document.ErrEncrypted) {
		t.Errorf("a file with a password: %v", err)
	}
	if _, err := readMade(t, r, []byte("%PDF-1.7\nnothing")); err == nil {
		t.Error("what is no PDF was read")
	}
}

// TestPDFiumIsTheTestedOne: the linker has found it, and another one is a reason to read the results of these tests again.
func TestPDFiumIsTheTestedOne(t *testing.T) {
	const want = "73417fa7cdcb34fba2a23aa1f7a480cc873a7301c8d74f08a1dea800f782a454"
	if got := fmt.Sprintf("%x", sha256.Sum256(pdfium)); got != want {
		t.Errorf("%d bytes with sha256 %s, want %s", len(pdfium), got, want)
	}
}

func TestIs(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       bool
	}{{"a", "%PDF-1.4\n", true}, {"a.pdf", "\r\n%PDF-1.4\n", true}, {"a.txt", "It begins with %PDF-1.4\n", false}, {"a.pdf", "text", false}} {
		if got := isPDF(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s %q: %v", c.name, c.head, got)
		}
	}
}

func TestSeveralAtOnce(t *testing.T) {
	r := newReader(t)
	data := book().bytes()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if d, err := readMade(t, r, data); err != nil || d.Text != bookText {
				t.Errorf("%v, %v", d, err)
			}
		})
	}
	group.Wait()
}

func TestTimeIsOver(t *testing.T) {
	r := newReader(t)
	if _, err := r.compiled(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.read(ctx, document.NewInput("a.pdf", book().bytes(), document.DefaultLimits))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a file without time: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	p := runLoop(ctx, t, r.sandbox)
	time.AfterFunc(time.Millisecond, cancel)
	if p.call("f"); p.err == nil {
		t.Error("an endless loop ended by itself")
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
	if d, err := readMade(t, r, book().bytes()); err != nil || d.Text != bookText {
		t.Errorf("the next one: %v", err)
	}
}

// runLoop is an instance whose function f is a loop without an end.
func runLoop(ctx context.Context, t *testing.T, s *sandbox) *instance {
	t.Helper()
	code, err := interruptible(loopModule)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := s.runtime.CompileModule(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.start(ctx, compiled, maxPages)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGlyphsShareTheLookOfTheirObject compares with glyphs whose look is read for each of them.
func TestGlyphsShareTheLookOfTheirObject(t *testing.T) {
	s, err := newReader(t).compiled()
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.instance(t.Context(), maxPages)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close() //nolint:errcheck // the test is over
	doc, err := load(p, book().bytes())
	if err != nil {
		t.Fatal(err)
	}
	text := p.call("FPDFText_LoadPage", p.call("FPDF_LoadPage", doc, 0))
	n := p.count("FPDFText_CountChars", text)
	shared := glyphs{p: p, text: text, bold: map[uint64]bool{}}
	for i := range uint64(n) {
		alone := glyphs{p: p, text: text, bold: map[uint64]bool{}}
		if got, want := shared.glyph(i, 'a'), alone.glyph(i, 'a'); got != want {
			t.Errorf("character %d: %+v, want %+v", i, got, want)
		}
	}
	if p.err != nil || n < 200 {
		t.Errorf("%d characters: %v", n, p.err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(book().bytes())
	r := newReader(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		d, err := r.read(ctx, document.NewInput("a.pdf", data, document.DefaultLimits))
		if errors.Is(err, context.DeadlineExceeded) {
			t.Error("it takes for ever")
		}
		if err == nil && !utf8.ValidString(d.Text) {
			t.Errorf("text: %q", d.Text)
		}
	})
}
