package media

import (
	"bytes"
	"encoding/binary"
	"time"
	"unicode/utf8"
)

// maxDatasets is how many entries of IPTC are looked at.
const maxDatasets = 10_000

// readPhotoshop looks for IPTC among the resources that Photoshop, and after it all others,
// write: "8BIM", a number, a name, a length, all of even length.
func (w *words) readPhotoshop(data []byte) {
	const resourceIPTC = 0x0404
	for n := 0; n < maxDatasets && len(data) >= 12 && bytes.HasPrefix(data, []byte("8BIM")); n++ {
		number := binary.BigEndian.Uint16(data[4:])
		name := (int(data[6]) + 2) &^ 1 // its length included
		if len(data) < 6+name+4 {
			return
		}
		length := int64(binary.BigEndian.Uint32(data[6+name:]))
		data = data[6+name+4:]
		if length > int64(len(data)) {
			return
		}
		if number == resourceIPTC {
			w.readIPTC(data[:length])
		}
		data = data[min((length+1)&^1, int64(len(data))):]
	}
}

// readIPTC reads entries of a mark, a record, a number and a length.
func (w *words) readIPTC(data []byte) {
	isUTF8 := false
	text := func(value []byte) string {
		if isUTF8 && utf8.Valid(value) {
			return string(value)
		}
		return plain(value)
	}
	var date, clock string
	for n := 0; n < maxDatasets && len(data) >= 5 && data[0] == 0x1c; n++ {
		record, number, length := data[1], data[2], int(binary.BigEndian.Uint16(data[3:]))
		data = data[5:]
		if length&0x8000 != 0 || length > len(data) { // longer than any text of a person
			break
		}
		value := data[:length]
		data = data[length:]
		switch {
		case record == 1 && number == 90:
			isUTF8 = bytes.Equal(value, []byte("\x1b%G"))
		case record != 2:
		case number == 5 || number == 105:
			w.setTitle(text(value))
		case number == 120:
			w.addCaption(text(value))
		case number == 25:
			w.keyword(text(value))
		case number == 80:
			w.author(text(value))
		case number == 90 || number == 92 || number == 95 || number == 101:
			w.place(text(value))
		case number == 55:
			date = text(value)
		case number == 60:
			clock = text(value)
		}
	}
	for _, layout := range []string{"20060102 150405Z0700", "20060102 150405-0700", "20060102 150405"} {
		if at, err := time.Parse(layout, date+" "+clock); err == nil {
			w.takenAt(sane(at))
			return
		}
	}
	if at, err := time.Parse("20060102", date); err == nil {
		w.takenAt(sane(at))
	}
}
