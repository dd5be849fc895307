package mail

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/document"
)

// winmail is a message with a text, a file and a message within it, as Outlook attaches it: that of the tests of package mapi.
func winmail(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "winmail.dat"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withWinmail writes a message that it is attached to.
func withWinmail(t testing.TB, text string) string {
	return "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + text +
		"\n--b\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(winmail(t))) + "\n--b--\n"
}

// What is in winmail.dat is read, and its text once.
func TestWhatOutlookAttachesIsRead(t *testing.T) {
	const files = "\n\n- Attachment: prices of May.txt\n\n39 francs\n\n## Kiln\n\nFire it at night."
	for name, c := range map[string]struct{ data, want string }{
		"the same text": {withWinmail(t, "Two sacks\nof clay."), "# x\n\nTwo sacks\nof clay." + files},
		"no text":       {withWinmail(t, ""), "# x\n\nTwo sacks of clay." + files},
		"another text":  {withWinmail(t, "A bag of clay."), "# x\n\nA bag of clay.\n\nTwo sacks of clay." + files},
		"alone":         {"Subject: x\nContent-Type: application/octet-stream; name=WINMAIL.DAT\nContent-Transfer-Encoding: 8bit\n\n" + winmail(t), "# x\n\nTwo sacks of clay." + files},
		"damaged":       {"Subject: x\nContent-Type: application/ms-tnef; name=winmail.dat\n\nnothing", "# x\n\n- Attachment: winmail.dat"},
	} {
		if got := mustRead(t, "a.eml", c.data).Text; got != c.want {
			t.Errorf("%s: read\n%s\nwant\n%s", name, got, c.want)
		}
	}
	d := mustRead(t, "winmail.dat", winmail(t))
	if want := "# Łódź\n\nDate: Tue 3 Feb 2026 09:05\n\nTwo sacks of clay." + files; d.Text != want || d.Format != "tnef" || strings.Join(d.Meta.Tags, " ") != "kiln shed" {
		t.Errorf("read %q, %s, %+v", d.Text, d.Format, d.Meta)
	}
}

func TestPartsOfWhatOutlookAttachesOpen(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		part func(context.Context, *document.Input, document.Part) (*document.Input, bool, error)
	}{"a.eml": {withWinmail(t, "x"), partOfMessage}, "winmail.dat": {winmail(t), partOfTNEF}} {
		for _, wanted := range []struct {
			part document.Part
			want string
		}{
			{document.Part{Unit: document.Attachment, Name: "prices of May.txt"}, "39 francs"},
			{document.Part{Unit: document.Message, Name: "Kiln"}, "Fire it at night."},
		} {
			in := document.NewInput(name, []byte(c.data), document.DefaultLimits)
			if part, found, err := c.part(t.Context(), in, wanted.part); err != nil || !found || !strings.Contains(string(part.Data), wanted.want) {
				t.Errorf("%s: %v: %v, %v", name, wanted.part, found, err)
			}
		}
	}
}
