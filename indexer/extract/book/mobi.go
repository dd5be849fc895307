package book

import (
	"bytes"
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"

	"golang.org/x/text/encoding/charmap"
)

// maxText is how much of a book unpacks: the longest novels have 4 MB, and HTML is twice that.
const maxText = 64 << 20

// isMobi reports whether a file is a book of Mobipocket, Kindle or PalmDOC.
func isMobi(_ string, head []byte) bool {
	return len(head) >= 78 && (string(head[60:68]) == "BOOKMOBI" || string(head[60:68]) == "TEXtREAd")
}

// readMobi reads a book: the old form of a file that has both, KF8 of one that has nothing else. In KF8 the text of
// a part stands behind the elements that are around it, so that a table that is cut in two loses its names.
func readMobi(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openPalm(in.Data)
	if err != nil {
		return nil, err
	}
	head := p.record(0)
	if len(head) < 16 {
		return nil, errDamaged
	}
	if u16(head, 12) != 0 {
		return nil, document.ErrEncrypted
	}
	trailing := 0
	isBook := len(head) >= 36 && string(head[16:20]) == "MOBI"
	if isBook && u32(head, 20) >= 228 {
		trailing = u16(head, 242)
	}
	unpack, err := p.expander(head)
	if err != nil {
		return nil, err
	}
	data, err := p.text(in, 0, u16(head, 8), trailing, unpack)
	if err == nil {
		data, err = in.Unpack(bytes.NewReader(data), uint64(len(data))) // they count as what comes out of an archive does
	}
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	meta := document.Meta{}
	utf8 := false
	if isBook {
		utf8 = u32(head, 28) == 65001
		meta = metaOf(head, utf8)
		data = p.firstFlow(head, data)
	}
	b := in.Builder()
	write(ctx, b, decode(data, utf8))
	return b.Document("mobi", meta.Said()), ctx.Err()
}

// expander returns what unpacks the records of text.
func (p *palm) expander(head []byte) (expander, error) {
	switch u16(head, 0) {
	case packedNot:
		return stored, nil
	case packedLZ:
		return unpackLZ, nil
	case packedHuff:
		first, count := u32(head, 112), u32(head, 116)
		var dictionaries [][]byte
		for i := first + 1; i < first+count && i < len(p.offsets)-1; i++ {
			dictionaries = append(dictionaries, p.record(i))
		}
		h, err := newHuff(p.record(first), dictionaries)
		if err != nil {
			return nil, err
		}
		return h.unpack, nil
	}
	return nil, errDamaged
}

// firstFlow cuts off what stands behind the text in KF8: styles and drawings.
func (p *palm) firstFlow(head, data []byte) []byte {
	const version, flowsAt = 36, 192
	if u32(head, version) < 8 {
		return data
	}
	flows := p.record(u32(head, flowsAt))
	if len(flows) < 20 || string(flows[:4]) != "FDST" || u32(flows, 8) < 2 {
		return data
	}
	return data[:min(u32(flows, 16), len(data))]
}

// decode returns text in UTF-8.
func decode(data []byte, utf8 bool) string {
	if utf8 {
		return strings.ToValidUTF8(string(data), "\ufffd")
	}
	s, _ := charmap.Windows1252.NewDecoder().String(string(data)) // has a letter for each byte
	return s
}

// write writes the text of a book, with a place where each part begins: at breaks of pages, or where a file of the
// book began that was made from many.
func write(ctx context.Context, b *document.Builder, source string) {
	if !strings.Contains(source, "<") {
		b.Append(&document.Document{Text: source, Kind: document.Text})
		return
	}
	number := 0
	for len(source) > 0 && ctx.Err() == nil && !b.Full() {
		part := source[:partEnd(source)]
		source = source[len(part):]
		text, _ := htmltext.Read(part)
		if strings.TrimSpace(text) == "" {
			continue
		}
		number++
		b.Append(&document.Document{Text: text, Kind: document.HTML}, document.Part{Unit: document.Chapter, Number: number})
	}
}

// partEnd returns where the first part of a text ends.
func partEnd(source string) int {
	end := len(source)
	for _, mark := range []string{"<mbp:pagebreak", "<html"} {
		if at := strings.Index(source[1:end], mark); at >= 0 {
			end = at + 1
		}
	}
	return end
}

// Kinds of what a book says of itself (EXTH).
const (
	exthAuthor  = 100
	exthSubject = 105
	exthDate    = 106
	exthTitle   = 503
)

// metaOf returns the metadata of a book.
func metaOf(head []byte, utf8 bool) (m document.Meta) {
	if from := u32(head, 84); from < len(head) {
		m.Title = clean(head[from:min(from+u32(head, 88), len(head))], utf8)
	}
	at := 16 + u32(head, 20)
	if at+12 > len(head) || string(head[at:at+4]) != "EXTH" {
		return m
	}
	count := u32(head, at+8)
	at += 12
	for range min(count, 500) {
		kind, size := u32(head, at), u32(head, at+4)
		if size < 8 || at+size > len(head) {
			break
		}
		value := clean(head[at+8:at+size], utf8)
		at += size
		switch kind {
		case exthAuthor:
			m.Authors = append(m.Authors, value)
		case exthSubject:
			m.Tags = append(m.Tags, value)
		case exthTitle:
			m.Title = value
		case exthDate:
			if day, err := time.Parse(time.DateOnly, value[:min(len(value), 10)]); err == nil && day.Year() > 1000 { // calibre writes 0101 where it knows none
				m.Date = day
			}
		}
	}
	return m
}

// maxSaid bounds what a book says of itself in one word.
const maxSaid = 500

// clean returns what a book says in one line.
func clean(data []byte, utf8 bool) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(decode(data[:min(len(data), maxSaid)], utf8), "\x00", " ")), " ")
}
