package extract_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
)

// mailbox has a message without a part, and one with an archive, a table and a message within.
func mailbox(t *testing.T) []byte {
	t.Helper()
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	m, err := z.Create("notes/roof.md")
	if err == nil {
		_, err = m.Write([]byte("# Roof\n\nIt leaks.\n"))
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `From ann@example.org Mon Jan  5 10:00:00 2026
From: ann@example.org
Subject: Hail

The hail came.
>From the north.

From ben@example.org Tue Jan  6 10:00:00 2026
From: ben@example.org
Subject: Offers
Content-Type: multipart/mixed; boundary=B

--B

See below.
--B
Content-Type: application/zip; name=all.zip
Content-Transfer-Encoding: base64

%s
--B
Content-Type: text/csv
Content-Disposition: attachment; filename="costs.csv"

Item,Cost
Lead,340
Tiles,1200
--B
Content-Type: message/rfc822

From: cora@example.org
Subject: Frost

It froze.
--B--
`, base64.StdEncoding.EncodeToString(zipped.Bytes()))
}

func TestOpenPart(t *testing.T) {
	dir := t.TempDir()
	box := filepath.Join(dir, "Inbox")
	write(t, box, mailbox(t))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(mailbox(t))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	write(t, box+".mbox.gz", packed.Bytes())
	text := filepath.Join(dir, "a.md")
	write(t, text, []byte("# Roof\n"))

	hail := document.Part{Unit: document.Message, Number: 1, Name: "Hail"}
	offers := document.Part{Unit: document.Message, Number: 2, Name: "Offers"}
	attached := func(name string) document.Part { return document.Part{Unit: document.Attachment, Name: name} }
	row := document.Part{Unit: document.Row, Number: 3}
	for _, c := range []struct {
		path, name, begins, holds string
		place, rest               []document.Part
		err                       error
	}{
		{box, "message 1.eml", "From: ann", "\nFrom the north.", []document.Part{hail}, nil, nil},
		{box + ".mbox.gz", "message 1.eml", "From: ann", "The hail", []document.Part{hail}, nil, nil},
		{box, "message 2.eml", "From: ben", "It froze.", []document.Part{offers}, nil, nil},
		{box, "costs.csv", "Item,Cost", "Tiles", []document.Part{offers, attached("costs.csv"), row}, []document.Part{row}, nil},
		{box, "notes/roof.md", "# Roof", "leaks", []document.Part{offers, attached("all.zip"), {Unit: document.Member, Name: "notes/roof.md"}}, nil, nil},
		{box, "message.eml", "From: cora", "It froze.", []document.Part{offers, {Unit: document.Message, Name: "Frost"}}, nil, nil},
		{box, "", "", "", []document.Part{{Unit: document.Message, Number: 2, Name: "Hail"}}, nil, document.ErrNoPart}, // it has moved since
		{box, "", "", "", []document.Part{{Unit: document.Message, Number: 3, Name: "Offers"}}, nil, document.ErrNoPart},
		{box, "", "", "", []document.Part{offers, attached("gone.pdf")}, nil, document.ErrNoPart},
		{text, "", "", "", []document.Part{row}, nil, document.ErrNoPart},
	} {
		label := filepath.Base(c.path) + ", " + document.Label(c.place)
		p, err := extract.OpenPart(t.Context(), c.path, c.place, extract.Options{})
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", label, err)
		}
		if err != nil || c.err != nil {
			continue
		}
		if p.Name != c.name || !bytes.HasPrefix(p.Data, []byte(c.begins)) || !strings.Contains(string(p.Data), c.holds) || document.Label(p.Rest) != document.Label(c.rest) {
			t.Errorf("%s: %s, %q, and then %q", label, p.Name, p.Data, document.Label(p.Rest))
		}
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
