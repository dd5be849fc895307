package mail

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/internal/testmutate"
)

// seeds are good files of each format.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	odd := "Subject: =?utf-7?q?a+APw-?= =?iso-2022-kr?b?Gw==?=\nContent-Type: text/plain; charset=hz-gb-2312; format=flowed\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n%5&EL97,`\nend\n"
	forms := alternative("Content-Type: text/enriched\n\n<bold>tiles</bold>", "Content-Type: text/html\n\n<p>tiles. beams</p>", "Content-Type: text/calendar\n\nBEGIN:VEVENT")
	page := sealedFile(t, "chromium.mhtml")
	return [][]byte{[]byte(page), []byte(winmail(t)), []byte(withWinmail(t, "tiles")), []byte(sealedFile(t, "signed-stream.eml")), []byte(sealedFile(t, "invoice.xml.p7m")), compressed("tiles"), []byte(forms), []byte(letter), []byte(crlf(letter)), []byte(box), []byte("17\nSubject: x\n\ntiles <?xml version?><plist>"), []byte(odd),
		[]byte("From -\n" + odd + "\nFrom -\n" + letter)}
}

// sound fails where a file that is read, however damaged, gives no sound document.
func sound(t *testing.T, data []byte) {
	t.Helper()
	limits := document.Limits{Text: 1 << 20, Unpacked: 1 << 20, Members: 100, Depth: 4}
	for _, name := range []string{"a.eml", "a.mbox", "a.emlx", "a.msg", "a.txt.p7m", "a.mhtml", "winmail.dat"} {
		d, err := readWithin(name, string(data), limits)
		if err != nil {
			continue
		}
		if !utf8.ValidString(d.Text) || len(d.Text) > limits.Text {
			t.Fatalf("%s: %d bytes, of %.500q", name, len(d.Text), data)
		}
		last := -1
		for _, p := range d.Places {
			if p.Offset < last || p.Offset > len(d.Text) {
				t.Fatalf("%s: a place at %d after %d, of %d bytes, of %.500q", name, p.Offset, last, len(d.Text), data)
			}
			last = p.Offset
		}
	}
}

func TestDamagedMessagesGiveWhatTheyCan(t *testing.T) {
	testmutate.Each(t, 1500, seeds(t), func(data []byte) { sound(t, data) })
}

func FuzzMail(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { sound(t, data) })
}

func TestPartsWithinPartsEnd(t *testing.T) {
	var deep, forwarded strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		forwarded.WriteString("Subject: again\nContent-Type: message/rfc822\n\n")
	}
	for _, data := range []string{"Subject: x\n" + deep.String(), forwarded.String()} {
		d, err := read("a.eml", data)
		if err != nil || len(d.Text) > 2000 {
			t.Errorf("%v", err)
		}
	}
}

func TestManyPartsStopAtTheLimit(t *testing.T) {
	data := "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n", 500)
	limits := document.DefaultLimits
	limits.Members = 10
	d, err := readWithin("a.eml", data, limits)
	if err != nil || strings.Count(d.Text, "\n\nx") != 10 || strings.Count(d.Text, "Attachment: a.txt") != 500 {
		t.Errorf("%v, %d read", err, strings.Count(d.Text, "\n\nx"))
	}
	limits.Depth = 0
	if _, err := readWithin("a.eml", data, limits); errors.Is(err, document.ErrBounds) {
		t.Error("the message itself is refused")
	}
}
