package extract_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/internal/testmutate"
	"dowse/internal/testshapes"
)

// boundsVariable has the shapes made in the size that takes a computer's time without bounds.
const boundsVariable = "DOWSE_TEST_SHAPES"

// A file that holds far more than its size tells gives what its limits allow, and says so.
func TestShapesKeepTheirLimits(t *testing.T) {
	full := os.Getenv(boundsVariable) != ""
	for _, s := range testshapes.All() {
		n := s.Small
		if full {
			n = s.Full
		}
		data := s.Make(n)
		d, err := extract.Bytes(context.Background(), s.Name, data, extract.Options{})
		var left *skip.Error
		switch {
		case err != nil && !errors.As(err, &left):
			t.Errorf("%s: %v", s.Name, err)
		case err == nil && len(d.Text) > document.LimitsOf(int64(len(data))).Text+len(data):
			t.Errorf("%s: %d bytes of text from %d", s.Name, len(d.Text), len(data))
		case err == nil && len(d.Places) > len(d.Text):
			t.Errorf("%s: %d places in %d bytes", s.Name, len(d.Places), len(d.Text))
		}
	}
}

// The limit that a file met is named, and what was read before it stays.
func TestTheLimitThatWasMetIsNamed(t *testing.T) {
	byName := map[string]testshapes.Shape{}
	for _, s := range testshapes.All() {
		byName[s.Name] = s
	}
	for _, test := range []struct {
		name    string
		n       int
		lacking string // of a file that is kept
		detail  string // of one that is left out
	}{
		{"rows.ods", 1_000_000_000, "what comes behind the first 1.0 MiB of its text", ""},
		{"both.ods", 1_000_000_000, "what comes behind the first 1.0 MiB of its text", ""},
		{"long.ods", 1_000_000, "what comes behind the first 1.0 MiB of its text", ""},
		{"shared.xlsx", 20_000, "what comes behind the first 1.", ""},
		{"nested.eml", 100, "what comes behind the first 12 parts within each other", ""},
		{"unclosed.eml", 20_100, "20,000 parts of a message", ""},
		{"strings.xlsx", 4_000_000, "", "xlsx, more than 5"},
		{"paragraphs.docx", 500_000, "", "docx, more than 5"},
		{"quine.zip", 5, "", "zip, more than 48 MiB of what is unpacked"},
		{"line.mbox", 70_000_000, "", "mbox, more than 64 MiB of a message"},
	} {
		d, err := extract.Bytes(context.Background(), test.name, byName[test.name].Make(test.n), extract.Options{})
		var left *skip.Error
		switch {
		case test.detail != "":
			if !errors.As(err, &left) || left.Reason != skip.TooLarge || !strings.HasPrefix(left.Detail, test.detail) {
				t.Errorf("%s: %v, want %q", test.name, err, test.detail)
			}
		case err != nil:
			t.Errorf("%s: %v", test.name, err)
		case !strings.Contains(d.Lacking, test.lacking):
			t.Errorf("%s lacks %q, want %q", test.name, d.Lacking, test.lacking)
		}
	}
}

// A long text that says one thing again and again is not read, whatever it was taken out of; a table of as many rows that differ is.
func TestWhatRepeatsItselfIsNotRead(t *testing.T) {
	same := "Content-Type: text/plain\nSubject: a\nFrom: a@b.de\n\n" + strings.Repeat("The boiler was serviced in March.\n\n", 80_000)
	_, err := extract.Bytes(context.Background(), "a.eml", []byte(same), extract.Options{})
	var left *skip.Error
	if !errors.As(err, &left) || left.Reason != skip.NotText || left.Detail != "eml, repeats itself" {
		t.Errorf("one sentence again and again: %v", err)
	}
	for _, s := range testshapes.All() {
		if s.Name == "distinctlines.txt" {
			if _, err := extract.Bytes(context.Background(), "b.eml", append([]byte("Subject: a\nFrom: a@b.de\n\n"), s.Make(300_000)...), extract.Options{}); err != nil {
				t.Errorf("lines that differ: %v", err)
			}
		}
	}
}

// A book that names one chapter again and again has it once.
func TestAChapterIsReadOnce(t *testing.T) {
	for _, s := range testshapes.All() {
		if s.Name != "spine.epub" {
			continue
		}
		once, err := extract.Bytes(context.Background(), s.Name, s.Make(1), extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		often, err := extract.Bytes(context.Background(), s.Name, s.Make(10_000), extract.Options{})
		if err != nil || often.Text != once.Text {
			t.Errorf("%v, %d bytes of text, want %d", err, len(often.Text), len(once.Text))
		}
	}
}

// A large text that is packed is read as far as a text is.
func TestAPackedTextIsCutWhereATextEnds(t *testing.T) {
	for _, s := range testshapes.All() {
		if s.Name != "distinctlines.txt" {
			continue
		}
		data := testshapes.Gzipped(s.Make(2_200_000))
		d, err := extract.Bytes(context.Background(), "notes.txt.gz", data, extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(strings.TrimSpace(d.Text), "\n") && strings.Contains(d.Text, "\ufffd") {
			t.Error("a letter was cut")
		}
		if limit := document.LimitsOf(int64(len(data))).Text; len(d.Text) > limit || !strings.Contains(d.Lacking, "16 MiB of") {
			t.Errorf("%d bytes of at most %d, lacks %q", len(d.Text), limit, d.Lacking)
		}
	}
}

// A damaged shape ends like a whole one.
func TestDamagedShapesEnd(t *testing.T) {
	n := 3
	if os.Getenv(testmutate.Variable) == "" && testing.Short() {
		n = 1
	}
	for _, s := range testshapes.All() {
		testmutate.Each(t, n, [][]byte{s.Make(min(s.Small, 100))}, func(data []byte) {
			_, _ = extract.Bytes(context.Background(), s.Name, data, extract.Options{}) // must return
		})
	}
}
