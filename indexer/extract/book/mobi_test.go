package book

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/internal/testmutate"
)

// palmOf returns a database of records.
func palmOf(kind string, records ...string) []byte {
	out := append(make([]byte, 60), kind...)
	out = append(out, make([]byte, 8)...)
	out = binary.BigEndian.AppendUint16(out, uint16(len(records)))
	at := len(out) + 8*len(records)
	for _, r := range records {
		out = binary.BigEndian.AppendUint32(out, uint32(at))
		out = append(out, 0, 0, 0, 0)
		at += len(r)
	}
	return append(out, strings.Join(records, "")...)
}

// header returns the record that says how a book is packed, and what it says of itself.
func header(packed, count, version, trailing int) string {
	h := make([]byte, 248)
	put := func(at, size, n int) {
		for i := range size {
			h[at+i] = byte(n >> (8 * (size - 1 - i)))
		}
	}
	put(0, 2, packed)
	put(8, 2, count)
	copy(h[16:], "MOBI")
	put(20, 4, 232)
	put(28, 4, 65001)
	put(36, 4, version)
	put(112, 4, count+1)
	put(116, 4, 2)
	put(192, 4, count+1)
	put(242, 2, trailing)
	exth := ""
	for _, v := range []struct {
		kind int
		text string
	}{{100, "Ann Lee"}, {105, "Houses"}, {106, "2019-03-04"}, {503, "The Roof"}} {
		exth += string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(v.kind)), uint32(8+len(v.text)))) + v.text
	}
	return string(h) + "EXTH\x00\x00\x00\x00\x00\x00\x00\x04" + exth
}

const page = "<html><body><h1>Größe</h1><p>It leaks.</p><mbp:pagebreak/><p>It hails.</p></body></html>"

// huffTables are codes of a byte each: 255 stands for the first phrase. The last phrase is two codes.
func huffTables() (codes, phrases string) {
	c := append([]byte("HUFF"), make([]byte, 20)...)
	binary.BigEndian.PutUint32(c[8:], 24)
	binary.BigEndian.PutUint32(c[12:], 24+4*256)
	for range 256 {
		c = binary.BigEndian.AppendUint32(c, 0xff<<8|0x80|8)
	}
	c = append(c, make([]byte, 4*64)...)
	d := append([]byte("CDIC"), make([]byte, 12)...)
	binary.BigEndian.PutUint32(d[8:], 3)
	binary.BigEndian.PutUint32(d[12:], 8)
	texts := []string{"\x80\x04It l", "\x80\x05eaks.", "\x00\x02\xff\xfe"}
	at := 2 * len(texts)
	for _, s := range texts {
		d = binary.BigEndian.AppendUint16(d, uint16(at))
		at += len(s)
	}
	return string(c), string(d) + strings.Join(texts, "")
}

func books() map[string][]byte {
	codes, phrases := huffTables()
	flows := "FDST\x00\x00\x00\x0c\x00\x00\x00\x02" + string(binary.BigEndian.AppendUint32(make([]byte, 4), uint32(len(page)))) + "\x00\x00\x00\x00\x00\x00\x00\x00"
	return map[string][]byte{
		"plain.mobi":    palmOf("BOOKMOBI", header(packedNot, 2, 6, 0), page[:20], page[20:]),
		"trailing.mobi": palmOf("BOOKMOBI", header(packedNot, 1, 6, 3), page+"\x00"+"ab\x83"),
		"kf8.azw3":      palmOf("BOOKMOBI", header(packedNot, 1, 8, 0), page+"p { color: red }", flows),
		"lz.mobi":       palmOf("BOOKMOBI", header(packedLZ, 1, 6, 0), "<p>leak \x80\x29\x80\x29\x03a\xc3\xa4"+"\xe8ails.</p>"),
		"huff.mobi":     palmOf("BOOKMOBI", header(packedHuff, 1, 6, 0), "\xfd\xfd", codes, phrases),
		"palm.pdb":      palmOf("TEXtREAd", "\x00\x01\x00\x00\x00\x00\x00\x09\x00\x01\x10\x00\x00\x00\x00\x00", "It leaks.\n\nIt hails."),
	}
}

func read(name string, data []byte) (*document.Document, error) {
	for _, f := range Formats {
		if f.Is(name, data[:min(len(data), 4096)]) {
			return f.Read(context.Background(), document.NewInput(name, data, document.DefaultLimits))
		}
	}
	return nil, document.ErrOther
}

func TestBooksOfKindle(t *testing.T) {
	meta := document.Meta{Title: "The Roof", Authors: []string{"Ann Lee"}, Tags: []string{"Houses"}, Date: time.Date(2019, 3, 4, 0, 0, 0, 0, time.UTC)}
	for name, want := range map[string]string{
		"plain.mobi": "# Größe\n\nIt leaks.\n\nIt hails.", "trailing.mobi": "# Größe\n\nIt leaks.\n\nIt hails.", "kf8.azw3": "# Größe\n\nIt leaks.\n\nIt hails.",
		"lz.mobi": "leak leak leaaä hails.", "huff.mobi": "It leaks.It leaks.", "palm.pdb": "It leaks.\n\nIt hails.",
	} {
		d, err := read(name, books()[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Text != want {
			t.Errorf("%s: %q", name, d.Text)
		}
		if name != "palm.pdb" && !reflect.DeepEqual(d.Meta, meta) {
			t.Errorf("%s says of itself %+v", name, d.Meta)
		}
	}
	d, _ := read("plain.mobi", books()["plain.mobi"])
	if got := document.Label(d.Place(strings.Index(d.Text, "hails"))); got != "chapter 2" {
		t.Errorf("place %q", got)
	}
	locked := books()["plain.mobi"]
	locked[78+3*8+13] = 2
	if _, err := read("a.mobi", locked); !errors.Is(err, document.ErrEncrypted) {
		t.Errorf("a locked book: %v", err)
	}
}

// Phrases that stand for each other, and for far more than a book holds, end.
func TestPhrasesInARingEnd(t *testing.T) {
	codes, phrases := huffTables()
	ring := strings.Replace(phrases, "\x00\x02\xff\xfe", "\x00\x02\xfd\xfd", 1)
	h, err := newHuff([]byte(codes), [][]byte{[]byte(ring)})
	if err != nil {
		t.Fatal(err)
	}
	if out := h.unpack([]byte(strings.Repeat("\xfd", 1000))); len(out) != 0 {
		t.Errorf("%d bytes", len(out))
	}
	if out := h.unpack([]byte(strings.Repeat("\xfe", maxExpanded))); len(out) > maxExpanded+8 {
		t.Errorf("%d bytes", len(out))
	}
}

func TestDamagedBooksGiveWhatTheyCan(t *testing.T) {
	var seeds [][]byte
	for _, name := range []string{"plain.mobi", "trailing.mobi", "kf8.azw3", "lz.mobi", "huff.mobi", "palm.pdb"} {
		seeds = append(seeds, books()[name])
	}
	testmutate.Each(t, 3000, seeds, func(data []byte) {
		if d, err := read("a.mobi", data); err == nil && !utf8.ValidString(d.Text) {
			t.Fatalf("%.100q", data)
		}
	})
}
