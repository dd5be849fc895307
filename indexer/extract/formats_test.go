package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/skip"
	"dowse/internal/testcfb"
)

// zipped returns an archive of names and texts.
func zipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err == nil {
			_, err = f.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Office files are read, and those that cannot be are left out for the reason that
// a person would give.
func TestOfficeFilesAreReadOrNamed(t *testing.T) {
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 1000)
	letter := zipped(t, "[Content_Types].xml", "<Types/>", "word/document.xml", "<document><body><p><r><t>Dear Ann</t></r></p></body></document>")
	for _, c := range []struct {
		name   string
		data   []byte
		text   string
		reason skip.Reason
		detail string
	}{
		{"letter.docx", letter, "Dear Ann", "", ""},
		{"letter", letter, "Dear Ann", "", ""},
		{"letter.doc", []byte(ole), "", skip.OldOffice, "docx"},
		{"COSTS.XLS", []byte(ole), "", skip.OldOffice, "xlsx"},
		{"talk.pps", []byte(ole), "", skip.OldOffice, "pptx"},
		{"setup.msi", []byte(ole), "", skip.Binary, "old office document"},
		{"letter.doc", []byte("\x01\x02\x00\x00"), "", skip.Binary, "control characters or zero bytes"},
		{"letter.docx", []byte(ole), "", skip.Damaged, "docx"},
		{"letter.docx", testcfb.Make(testcfb.Files{"EncryptedPackage": "?"}), "", skip.Encrypted, "docx"},
		{"letter.doc", testcfb.Make(testcfb.Files{"EncryptedPackage": "?"}), "", skip.Encrypted, "doc"},
		{"letter.docx", letter[:len(letter)-30], "", skip.Damaged, "docx"},
		{"letter.docx", zipped(t, "word/document.xml", "<document/>"), "", skip.Empty, "docx"},
		{"letter.docx", []byte("Dear Bob"), "Dear Bob", "", ""},
		{"costs.xls", []byte("<table><tr><td>tiles</td><td>300</td></tr></table>"), "tiles | 300\n", "", ""},
		{"letter.doc", []byte("<html xmlns:w=\"w\"><body><p>Dear Bob</p></body></html>"), "Dear Bob\n", "", ""},
		{"letter.doc", []byte(`{\rtf1 Dear Ann\par}`), "Dear Ann", "", ""},
		{"letter.doc", letter, "Dear Ann", "", ""},
		{"things.zip", zipped(t, "a.txt", "Dear Bob"), "# a.txt\n\nDear Bob", "", ""},
		{"things", []byte("7z\xbc\xaf\x27\x1c"), "", skip.Binary, "7-Zip"},
		{"letter.rtf", []byte(`{\rtf1 Dear Ann\par}`), "Dear Ann", "", ""},
	} {
		d, err := Bytes(context.Background(), c.name, c.data, Options{})
		if c.reason == "" {
			if err != nil || d.Text != c.text || d.Kind == document.Converted && d.Format == "" {
				t.Errorf("%s: %+v, %v", c.name, d, err)
			}
			continue
		}
		var left *skip.Error
		if !errors.As(err, &left) || left.Reason != c.reason || left.Detail != c.detail {
			t.Errorf("%s: %v, want %s (%s)", c.name, err, c.reason, c.detail)
		}
	}
}
