package mail

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"dowse/indexer/document"
	"dowse/internal/testcfb"
	"dowse/internal/testmutate"
)

// outlook is a message of Outlook that a test makes: values by number and type.
type outlook struct {
	values      map[uint32]any // string, []byte, uint32, time.Time or []string
	recipients  []outlook
	attachments []outlook
	inner       *outlook // of an attachment
	names       string   // its entries of __nameid_version1.0
}

// utf16le returns a text as Outlook writes it.
func utf16le(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// into writes the streams of a message below a path.
func (o *outlook) into(files testcfb.Files, path string, head int) {
	fixed := make([]byte, head)
	for id, value := range o.values {
		stream := fmt.Sprintf("%s__substg1.0_%08X", path, id)
		var short uint64
		switch v := value.(type) {
		case string:
			if files[stream] = v; id&0xffff == 0x1f {
				files[stream] = utf16le(v)
			}
		case []byte:
			files[stream] = string(v)
		case []string:
			for i, text := range v {
				files[fmt.Sprintf("%s-%08X", stream, i)] = utf16le(text)
			}
			files[stream] = ""
		case uint32:
			short = uint64(v)
		case time.Time:
			short = uint64(v.Unix()+11644473600) * 10_000_000
		}
		fixed = binary.LittleEndian.AppendUint32(fixed, id)
		fixed = binary.LittleEndian.AppendUint32(fixed, 6)
		fixed = binary.LittleEndian.AppendUint64(fixed, short)
	}
	files[path+"__properties_version1.0"] = string(fixed)
	for i := range o.recipients {
		o.recipients[i].into(files, fmt.Sprintf("%s__recip_version1.0_#%08X/", path, i), 8)
	}
	for i := range o.attachments {
		a := &o.attachments[i]
		at := fmt.Sprintf("%s__attach_version1.0_#%08X/", path, i)
		if a.into(files, at, 8); a.inner != nil {
			a.inner.into(files, at+"__substg1.0_3701000D/", 24)
		}
	}
	if o.names != "" {
		files[path+"__nameid_version1.0/__substg1.0_00020102"] = "\x04\x20\x06\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46\x02\x20\x06\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"
		files[path+"__nameid_version1.0/__substg1.0_00030102"] = o.names
		files[path+"__nameid_version1.0/__substg1.0_00040102"] = "\x10\x00\x00\x00" + utf16le("Keywords")
	}
}

// file returns the message as a file.
func (o *outlook) file() string {
	files := testcfb.Files{}
	o.into(files, "", 32)
	return string(testcfb.Make(files))
}

const outlookLetter = `Subject: The pond pump, again
From: Ann Lee <ann@example.org>
To: "Bob Ray, Ltd" <bob@example.org>, Kim
Cc: cleo@example.org
Date: Tue, 06 Jan 2026 10:15:00 +0100
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

The pump hums at night – even when it is off.

Ann
--b
Content-Disposition: attachment; filename="café.csv"

part;price
impeller;30
--b
Content-Type: message/rfc822

Subject: How it began
From: Bob <bob@example.org>
Date: Mon, 05 Jan 2026 09:00:00 +0000

It drips.
--b--
`

func outlookMessage() *outlook {
	sent := time.Date(2026, 1, 6, 9, 15, 0, 0, time.UTC)
	return &outlook{
		values: map[uint32]any{
			0x0037001f: "The pond pump, again", 0x00390040: sent, 0x001a001f: "IPM.Note", 0x1000001f: "The pump hums at night – even when it is off.\r\n\r\nAnn\r\n",
			0x0042001f: "Ann Lee", 0x0064001f: "EX", 0x0065001f: "/o=Example/cn=ann", 0x5d02001f: "ann@example.org",
		},
		recipients: []outlook{
			{values: map[uint32]any{0x3001001f: "Bob Ray, Ltd", 0x0c150003: uint32(1), 0x39fe001f: "bob@example.org"}},
			{values: map[uint32]any{0x3001001f: "Kim", 0x0c150003: uint32(1), 0x3002001f: "EX", 0x3003001f: "/o=Example/cn=kim"}},
			{values: map[uint32]any{0x3001001f: "'cleo@example.org'", 0x0c150003: uint32(2), 0x3002001f: "SMTP", 0x3003001f: "cleo@example.org"}},
		},
		attachments: []outlook{
			{values: map[uint32]any{0x3704001f: "CAFE~1.CSV", 0x3707001f: "café.csv", 0x37010102: "part;price\nimpeller;30", 0x37050003: uint32(1)}},
			{values: map[uint32]any{0x37050003: uint32(5)}, inner: &outlook{values: map[uint32]any{
				0x0037001f: "How it began", 0x1000001f: "It drips.", 0x00390040: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), 0x0042001f: "Bob", 0x0065001f: "bob@example.org", 0x0064001f: "SMTP",
			}}},
		},
	}
}

// A message of Outlook reads as the same message does that another program has kept, with the head that it was
// brought with and without.
func TestMessagesOfOutlookReadAsOthers(t *testing.T) {
	want, err := read("a.eml", outlookLetter)
	if err != nil {
		t.Fatal(err)
	}
	m := outlookMessage()
	got, err := read("a.msg", m.file())
	if err != nil {
		t.Fatal(err)
	}
	if !got.Meta.Date.Equal(want.Meta.Date) {
		t.Errorf("sent at %v, want %v", got.Meta.Date, want.Meta.Date)
	}
	if text := strings.Replace(got.Text, "09:15", "10:15", 1); text != want.Text {
		t.Errorf("%s\n\nwant\n\n%s", got.Text, want.Text)
	}
	if !reflect.DeepEqual(got.Places, want.Places) || got.Format != "msg" {
		t.Errorf("%s: %v, want %v", got.Format, got.Places, want.Places)
	}
	head, _, _ := strings.Cut(outlookLetter, "\n\n")
	m.values[0x007d001f] = crlf(head)
	if got, err = read("a.msg", m.file()); err != nil || got.Text != want.Text || !reflect.DeepEqual(got.Meta, want.Meta) {
		t.Errorf("%v\n%+v\n\nwant\n\n%+v", err, got, want)
	}
}

func TestPartsOfOutlookAreOpened(t *testing.T) {
	data := []byte(outlookMessage().file())
	for wanted, text := range map[document.Part]string{
		{Unit: document.Attachment, Name: "café.csv"}:  "part;price\nimpeller;30",
		{Unit: document.Message, Name: "How it began"}: "It drips.",
	} {
		inner, found, err := partOfOutlook(context.Background(), document.NewInput("a.msg", data, document.DefaultLimits), wanted)
		if err != nil || !found || !strings.Contains(string(inner.Data), text) {
			t.Errorf("%v: %v, %+v", wanted, err, inner)
		}
	}
	if _, _, err := partOfOutlook(context.Background(), document.NewInput("a.msg", data, document.DefaultLimits), document.Part{Unit: document.Attachment, Name: "other"}); err == nil {
		t.Error("what is not there is opened")
	}
}

func TestBodiesOfOutlookAreFound(t *testing.T) {
	plainRTF := func(s string) []byte {
		return append([]byte("\x00\x00\x00\x00\xff\xff\x00\x00MELA\x00\x00\x00\x00"), s...)
	}
	cyrillic := "\xcf\xf0\xee\xf1\xfc\xe1\xe0" // Просьба, in Windows-1251
	for name, c := range map[string]struct {
		values map[uint32]any
		want   string
	}{
		"html in its code page":  {map[uint32]any{0x10130102: "<p>" + cyrillic, 0x3fde0003: uint32(1251)}, "Просьба"},
		"html in UTF-8":          {map[uint32]any{0x10130102: "<p>café", 0x3fde0003: uint32(1252)}, "café"},
		"html as text":           {map[uint32]any{0x1013001f: "<p>café"}, "café"},
		"html in RTF":            {map[uint32]any{0x10090102: plainRTF(`{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}pond \htmlrtf hidden\htmlrtf0 pump{\*\htmltag72 </p>}}`)}, "pond pump"},
		"text in RTF":            {map[uint32]any{0x10090102: plainRTF(`{\rtf1\ansi\fromtext one\par two}`)}, "one\ntwo"},
		"RTF":                    {map[uint32]any{0x10090102: plainRTF(`{\rtf1\ansi{\b pond} pump\par}`), 0x1000001f: " \r\n"}, "pond pump"},
		"a code page":            {map[uint32]any{0x1000001e: cyrillic, 0x3ffd0003: uint32(1251)}, "Просьба"},
		"that of a language":     {map[uint32]any{0x1000001e: cyrillic, 0x3ff10003: uint32(1049), 0x3fde0003: uint32(65001)}, "Просьба"},
		"that of the internet":   {map[uint32]any{0x1000001e: cyrillic, 0x3fde0003: uint32(1251)}, "Просьба"},
		"UTF-8 in spite of that": {map[uint32]any{0x1000001e: "Просьба", 0x3fde0003: uint32(1252)}, "Просьба"},
		"Unicode beside it":      {map[uint32]any{0x1000001e: "?", 0x1000001f: "Просьба"}, "Просьба"},
	} {
		m := outlook{values: map[uint32]any{0x0037001f: "x"}}
		maps.Copy(m.values, c.values)
		if d, err := read("a.msg", m.file()); err != nil || !strings.HasSuffix(strings.TrimSpace(d.Text), "\n\n"+c.want) {
			t.Errorf("%s: %v, %+v", name, err, d)
		}
	}
}

func TestItemsOfOutlookSayWhatTheyAre(t *testing.T) {
	// Number 0 is Email1EmailAddress, 1 Location, 2 AppointmentStartWhole, 3 Keywords.
	names := "\x83\x80\x00\x00\x06\x00\x00\x00\x08\x82\x00\x00\x08\x00\x01\x00\x0d\x82\x00\x00\x08\x00\x02\x00\x00\x00\x00\x00\x05\x00\x03\x00"
	for want, values := range map[string]map[uint32]any{
		"Company: Ponds and Co\nEmail: ann@example.org\nBirthday: 1 Jan 2000": {0x001a001f: "IPM.Contact", 0x3001001f: "Ann Lee", 0x3a16001f: "Ponds and Co", 0x8000001f: "ann@example.org",
			0x3a420040: time.Date(1999, 12, 31, 23, 0, 0, 0, time.UTC)},
		"Start: Tue 6 Jan 2026 09:00 UTC\nLocation: at the pond": {0x001a001f: "IPM.Appointment", 0x0037001f: "Measuring", 0x8001001f: "at the pond", 0x80020040: time.Date(2026, 1, 6, 9, 0, 0, 0, time.UTC)},
		"nothing else": {0x001a001f: "IPM.StickyNote", 0x0037001f: "Memo", 0x8001001f: "at the pond", 0x1000001f: "nothing else"},
	} {
		values[0x8003101f] = []string{"pond", "to do"}
		m := outlook{values: values, names: names}
		d, err := read("a.msg", m.file())
		if err != nil || !strings.HasSuffix(strings.TrimSpace(d.Text), want) || d.Meta.Title == "" || fmt.Sprint(d.Meta.Tags) != "[pond to do]" {
			t.Errorf("%v, %+v, want %s", err, d, want)
		}
	}
}

func TestSignedMessagesOfOutlookAreReadOnce(t *testing.T) {
	m := outlook{values: map[uint32]any{0x001a001f: "IPM.Note.SMIME.MultipartSigned", 0x0037001f: "x", 0x1000001f: "signed words"}, attachments: []outlook{{values: map[uint32]any{
		0x370e001f: "multipart/signed", 0x37010102: "Content-Type: multipart/signed; boundary=s\r\n\r\n--s\r\n\r\nsigned words\r\n--s\r\nContent-Type: application/pkcs7-signature\r\n\r\nMII\r\n--s--\r\n"}}}}
	if d, err := read("a.msg", m.file()); err != nil || strings.Count(d.Text, "signed words") != 1 || strings.Contains(d.Text, "MII") {
		t.Errorf("%v, %+v", err, d)
	}
}

func TestWhatOutlookNeverWroteIsRefused(t *testing.T) {
	for _, data := range []string{string(testcfb.Make(testcfb.Files{"WordDocument": "x"})), "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ""} {
		if d, err := readWithin("a.msg", data, document.DefaultLimits); err == nil {
			t.Errorf("%+v", d)
		}
	}
}

func TestDamagedMessagesOfOutlookGiveWhatTheyCan(t *testing.T) {
	deep := outlook{values: map[uint32]any{0x1000001f: "deepest"}}
	for range 20 {
		inner := deep
		deep = outlook{attachments: []outlook{{inner: &inner}}}
	}
	seeds := [][]byte{[]byte(outlookMessage().file()), []byte(deep.file())}
	testmutate.Each(t, 1500, seeds, func(data []byte) { sound(t, data) })
}
