package mapi_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
	"unicode/utf16"

	"dowse/indexer/extract/mail/mapi"
	"dowse/internal/testmutate"
)

// tnef writes attributes as TNEF, and attribute one of them.
func tnef(attributes ...[]byte) []byte {
	return append([]byte(mapi.TNEFMagic+"\x01\x00"), bytes.Join(attributes, nil)...)
}

func attribute(level byte, id uint16, body []byte) []byte {
	out := binary.LittleEndian.AppendUint16([]byte{level}, id)
	out = binary.LittleEndian.AppendUint32(append(out, 0, 0), uint32(len(body)))
	return append(append(out, body...), 0, 0)
}

// properties writes a list of them.
func properties(list ...[]byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(list))), bytes.Join(list, nil)...)
}

// property writes one of variable size; name stands before it, where its number is of the file's own.
func property(kind, id uint16, name []byte, values ...[]byte) []byte {
	out := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, kind), id)
	out = binary.LittleEndian.AppendUint32(append(out, name...), uint32(len(values)))
	for _, v := range values {
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(v))), v...)
		out = append(out, make([]byte, -len(v)&3)...)
	}
	return out
}

func wide(s string) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return append(out, 0, 0)
}

// keywords is the name of a property of tags.
func keywords() []byte {
	text := wide("Keywords")
	name := append(append([]byte(nil), mapi.PublicStrings[:]...), make([]byte, 12)...)
	name = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(name, 1), uint32(len(text)))
	return append(append(name, text...), make([]byte, -len(text)&3)...)
}

// sample is a message with a file and a message within it.
func sample() []byte {
	inner := tnef(attribute(1, 0x8004, []byte("Kiln\x00")), attribute(1, 0x800c, []byte("Fire it at night.\x00")))
	return tnef(
		attribute(1, 0x9007, []byte{0xe2, 0x04, 0, 0, 0, 0, 0, 0}), // windows-1250
		attribute(1, 0x8004, []byte("\xa3\xf3d\x9f\x00")),
		attribute(1, 0x8005, []byte{0xea, 0x07, 2, 0, 3, 0, 9, 0, 5, 0, 0, 0, 2, 0}),
		attribute(1, 0x9003, properties(
			property(mapi.String8, mapi.Body, nil, []byte("Two sacks of clay.\x00")),
			append([]byte{0x0b, 0, 1, 0x0e}, 1, 0, 0, 0), // of fixed size
			append([]byte{0x03, 0x10, 2, 0x0e}, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0),
			property(mapi.Multiple|mapi.Unicode, 0x8000, keywords(), wide("kiln"), wide("shed")))),
		attribute(1, 0x9004, append(binary.LittleEndian.AppendUint32(nil, 1), properties(property(mapi.Unicode, mapi.DisplayName, nil, wide("Bob")))...)),
		attribute(2, 0x9002, nil), attribute(2, 0x8010, []byte("PRICES~1.TXT\x00")), attribute(2, 0x800f, []byte("39 francs")),
		attribute(2, 0x9005, properties(property(mapi.Unicode, 0x3707, nil, wide("prices of May.txt")))),
		attribute(2, 0x9002, nil),
		attribute(2, 0x9005, properties(property(mapi.Object, mapi.Data, nil, append(make([]byte, 16), inner...)))),
	)
}

func TestTNEFIsRead(t *testing.T) {
	m, err := mapi.ReadTNEF(sample())
	if err != nil {
		t.Fatal(err)
	}
	if m.Text(mapi.Subject) != "Łódź" || m.Text(mapi.Body) != "Two sacks of clay." || !m.Time(mapi.SubmitTime).Equal(time.Date(2026, 2, 3, 9, 5, 0, 0, time.UTC)) {
		t.Errorf("%q, %q, %v", m.Text(mapi.Subject), m.Text(mapi.Body), m.Time(mapi.SubmitTime))
	}
	if tags := m.Texts(m.Of(mapi.Name{Set: mapi.PublicStrings, Text: "Keywords"})); len(tags) != 2 || tags[1] != "shed" {
		t.Errorf("tags %q", tags)
	}
	if len(m.Recipients) != 1 || m.Recipients[0].Text(mapi.DisplayName) != "Bob" || len(m.Attachments) != 2 {
		t.Fatalf("%d recipients, %d attachments", len(m.Recipients), len(m.Attachments))
	}
	file, inner := m.Attachments[0], m.Attachments[1].Message
	if string(file.Bytes(mapi.Data)) != "39 francs" || file.Text(0x3707) != "prices of May.txt" || file.Text(0x3704) != "PRICES~1.TXT" {
		t.Errorf("%q, %q", file.Bytes(mapi.Data), file.Text(0x3707))
	}
	if inner == nil || inner.Text(mapi.Subject) != "Kiln" || inner.Text(mapi.Body) != "Fire it at night." {
		t.Errorf("within it: %+v", inner)
	}
}

func TestTNEFWithinTNEFEnds(t *testing.T) {
	data := sample()
	for range 500 {
		data = tnef(attribute(2, 0x9005, properties(property(mapi.Object, mapi.Data, nil, append(make([]byte, 16), data...)))))
	}
	m, err := mapi.ReadTNEF(data)
	depth := 0
	for ; err == nil && m != nil && len(m.Attachments) > 0; depth++ {
		m = m.Attachments[0].Message
	}
	if err != nil || depth > 10 {
		t.Errorf("%d deep, %v", depth, err)
	}
}

func TestDamagedTNEFGivesWhatItCan(t *testing.T) {
	testmutate.Each(t, 3000, [][]byte{sample()}, func(data []byte) {
		m, err := mapi.ReadTNEF(data)
		if err == nil && len(m.Attachments) > len(data) {
			t.Fatalf("%d attachments", len(m.Attachments))
		}
	})
	if _, err := mapi.ReadTNEF([]byte("no message")); err == nil {
		t.Error("a text is a message")
	}
	if m, err := mapi.ReadTNEF(sample()[:60]); err != nil || m.Text(mapi.Subject) != "Łódź" {
		t.Errorf("cut off: %v", err)
	}
}
