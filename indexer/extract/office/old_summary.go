package office

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf16"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
	"dowse/indexer/extract/codepage"
)

// summaryName is the stream in which documents before 2007 say of themselves what they are ([MS-OLEPS]).
const summaryName = "\x05SummaryInformation"

// Numbers and types of its properties.
const (
	sumCodePage = 1
	sumTitle    = 2
	sumSubject  = 3
	sumAuthor   = 4
	sumKeywords = 5
	sumCreated  = 12
	sumSaved    = 13

	oleShort   = 2
	oleString  = 30 // in the code page
	oleUnicode = 31
	oleTime    = 64

	utf16Page   = 1200
	oleTimeUnit = 10_000_000     // of a second
	oleTimeTo   = 11_644_473_600 // seconds from 1601 to 1970
)

// summary returns what an old document says of itself. One that is damaged says what can be read.
func summary(root *cfb.Storage) document.Meta {
	data := root.Stream(summaryName)
	if len(data) < 48 {
		return document.Meta{}
	}
	offset := uint64(binary.LittleEndian.Uint32(data[44:]))
	if offset+8 > uint64(len(data)) {
		return document.Meta{}
	}
	data = data[offset:]
	values := map[uint32][]byte{}
	for i := range int(binary.LittleEndian.Uint32(data[4:])) {
		entry := 8 + 8*i
		if entry+8 > len(data) {
			break
		}
		if at := uint64(binary.LittleEndian.Uint32(data[entry+4:])); at+8 <= uint64(len(data)) {
			values[binary.LittleEndian.Uint32(data[entry:])] = data[at:]
		}
	}
	page := 0
	if v := values[sumCodePage]; v != nil && binary.LittleEndian.Uint32(v) == oleShort {
		page = int(binary.LittleEndian.Uint16(v[4:]))
	}
	text := func(id uint32) string { return oleText(values[id], page) }
	meta := document.Meta{Title: text(sumTitle), Tags: append(splitTags(text(sumKeywords)), splitTags(text(sumSubject))...)}
	if author := text(sumAuthor); author != "" {
		meta.Authors = []string{author}
	}
	if meta.Date = oleDate(values[sumSaved]); meta.Date.IsZero() {
		meta.Date = oleDate(values[sumCreated])
	}
	return meta
}

// oleText returns a property that is a text, "" of others.
func oleText(v []byte, page int) string {
	if len(v) < 8 {
		return ""
	}
	kind, size := binary.LittleEndian.Uint32(v), uint64(binary.LittleEndian.Uint32(v[4:]))
	v = v[8:]
	var text string
	switch {
	case kind == oleUnicode:
		text = unicodeText(v[:min(2*size, uint64(len(v)))])
	case kind == oleString && page == utf16Page:
		text = unicodeText(v[:min(size, uint64(len(v)))])
	case kind == oleString:
		text = codepage.Decode(page, v[:min(size, uint64(len(v)))])
	}
	text, _, _ = strings.Cut(text, "\x00")
	if text = strings.Join(strings.Fields(text), " "); len(text) > maxMeta {
		return ""
	}
	return text
}

// unicodeText decodes UTF-16.
func unicodeText(data []byte) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// oleDate returns a property that is a time.
func oleDate(v []byte) time.Time {
	if len(v) < 12 || binary.LittleEndian.Uint32(v) != oleTime {
		return time.Time{}
	}
	seconds := int64(binary.LittleEndian.Uint64(v[4:])/oleTimeUnit) - oleTimeTo
	if t := time.Unix(seconds, 0).UTC(); seconds > 0 && t.Year() < 10_000 {
		return t
	}
	return time.Time{}
}
