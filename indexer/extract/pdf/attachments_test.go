package pdf

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"dowse/indexer/document"
)

// withAttachments is a PDF file of one page that carries files, each as it is.
func withAttachments(page string, names, files []string) []byte {
	m := made{pages: []string{page}}
	var list strings.Builder
	for i, name := range names {
		n := madeMore + 2*i
		fmt.Fprintf(&list, "(%s) %d 0 R ", name, n)
		m.more = append(m.more, fmt.Sprintf("<< /Type /Filespec /F (%s) /UF (%s) /EF << /F %d 0 R >> >>", name, name, n+1),
			fmt.Sprintf("<< /Type /EmbeddedFile /Length %d >>\nstream\n%s\nendstream", len(files[i]), files[i]))
	}
	m.catalog = "/Names << /EmbeddedFiles << /Names [" + list.String() + "] >> >>"
	return m.bytes()
}

func TestAttachmentsAreRead(t *testing.T) {
	reader := newReader(t)
	data := withAttachments(lines(50, 700, "The invoice is attached."), []string{"a/costs.csv", "photo.jpg", "empty.txt"}, []string{"Lead 340\nTiles 1200", "\xff\xd8\xff", ""})
	in := document.NewInput("a.pdf", data, document.DefaultLimits)
	in.Inner = func(_ context.Context, in *document.Input) (*document.Document, error) {
		if in.Name != "costs.csv" {
			return nil, document.ErrUnknown
		}
		return document.FromText(string(in.Data), document.Text), nil
	}
	d, err := reader.read(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if want := "The invoice is attached.\n\n- Attachment: costs.csv\n\nLead 340\nTiles 1200\n\n- Attachment: photo.jpg"; d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
	for text, place := range map[string]string{"invoice": "page 1", "Tiles": "attachment costs.csv"} {
		if got := document.Label(d.Place(strings.Index(d.Text, text))); got != place {
			t.Errorf("%q is of %q, want %q", text, got, place)
		}
	}

	inner, found, err := reader.part(t.Context(), in, document.Part{Unit: document.Attachment, Name: "costs.csv"})
	if err != nil || !found || inner.Name != "costs.csv" || string(inner.Data) != "Lead 340\nTiles 1200" {
		t.Errorf("%+v, %v, %v", inner, found, err)
	}
	for _, p := range []document.Part{{Unit: document.Attachment, Name: "gone"}, {Unit: document.Page, Number: 1}} {
		if _, _, err := reader.part(t.Context(), in, p); !errors.Is(err, document.ErrNoPart) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
