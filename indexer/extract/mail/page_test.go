package mail_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract"
)

// A page that a browser has saved is a page and not a letter of "Saved by Blink".
func TestSavedPagesAreRead(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "chromium.mhtml")) // of Chromium 156, by its own command
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.mhtml", "a.MHT", "a.eml", "page"} {
		d := page(t, name, string(data))
		if d.Format != "mhtml" || len(d.Meta.Authors) > 0 || d.Meta.Title != "Bienenstöcke am Südhang" || !d.Meta.Date.Equal(time.Date(2026, 11, 27, 13, 41, 39, 0, time.UTC)) {
			t.Errorf("%s: %s, %+v", name, d.Format, d.Meta)
		}
		for _, want := range []string{"# Bienenstöcke\n", "größer als im Vorjahr.", "Honigernte verschoben"} {
			if strings.Count(d.Text, want) != 1 {
				t.Errorf("%s: %q is not once in %q", name, want, d.Text)
			}
		}
		for _, other := range []string{"From:", "color", "Content-", "3D", "base64"} {
			if strings.Contains(d.Text, other) {
				t.Errorf("%s: %q is in %q", name, other, d.Text)
			}
		}
	}
}

func TestSavedPagesOfOtherPrograms(t *testing.T) {
	const head = "From: <Saved by Windows Internet Explorer 11>\nSubject: Bees\nMIME-Version: 1.0\n"
	const related = head + "Content-Type: multipart/related; type=\"text/html\"; start=\"<2@x>\"; boundary=b\n\n--b\n"
	for name, c := range map[string]struct{ data, want string }{
		"one part":      {head + "Content-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\n<p>Drei V=F6lker=\n chen</p>", "Drei Völker chen"},
		"its frame":     {related + "Content-Type: text/html\nContent-ID: <1@x>\n\n<p>Below</p>\n--b\nContent-Type: text/html\nContent-ID: <2@x>\n\n<p>Above</p>\n--b--\n", "Above\n\nBelow"},
		"nested frames": {related + "Content-Type: multipart/related; boundary=c\n\n--c\nContent-Type: text/html\n\n<p>Above</p>\n--c--\n--b\nContent-Type: text/css\n\np { color: red }\n--b--\n", "Above"},
		"a text":        {head + "Content-Type: text/plain\n\nAbove", "# Bees\n\nFrom: <Saved by Windows Internet Explorer 11>\n\nAbove"},
	} {
		if d := page(t, "a.mht", c.data); d.Text != c.want || d.Meta.Title != "Bees" {
			t.Errorf("%s: read %q, %+v", name, d.Text, d.Meta)
		}
	}
	if d := page(t, "notes.mhtml", "Nothing of a page\n"); d.Format != "" {
		t.Errorf("a text is read as %s", d.Format)
	}
}

func page(t *testing.T, name, data string) *document.Document {
	t.Helper()
	d, err := extract.Bytes(context.Background(), name, []byte(data), extract.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}
