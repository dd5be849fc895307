package media

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// Tags of TIFF and EXIF.
const (
	tagDescription = 0x010e
	tagMake        = 0x010f
	tagModel       = 0x0110
	tagArtist      = 0x013b
	tagXMP         = 0x02bc
	tagIPTC        = 0x83bb
	tagPhotoshop   = 0x8649
	tagExifIFD     = 0x8769
	tagGPSIFD      = 0x8825
	tagTaken       = 0x9003
	tagDigitized   = 0x9004
	tagOffset      = 0x9011
	tagUserComment = 0x9286
	tagXPTitle     = 0x9c9b
	tagXPComment   = 0x9c9c
	tagXPAuthor    = 0x9c9d
	tagXPKeywords  = 0x9c9e
	tagXPSubject   = 0x9c9f
	tagLens        = 0xa434

	tagLatitudeRef  = 1
	tagLatitude     = 2
	tagLongitudeRef = 3
	tagLongitude    = 4
)

// maxEntries is how many entries of a directory are looked at; cameras write some fifty.
const maxEntries = 1000

// tiff is a file of TIFF, or a block of EXIF, which is one.
type tiff struct {
	s     *source
	order binary.ByteOrder
}

// field is what an entry of a directory leads to.
type field struct {
	kind uint16
	data []byte
}

// readEXIF takes the words out of a block of EXIF or out of a file of TIFF. Directories
// that lead back to others cost nothing: three are read, each once.
func (w *words) readEXIF(s *source) {
	head := s.part(0, 8)
	t := &tiff{s: s}
	switch {
	case bytes.HasPrefix(head, []byte("II")):
		t.order = binary.LittleEndian
	case bytes.HasPrefix(head, []byte("MM")):
		t.order = binary.BigEndian
	default:
		return
	}
	first := t.directory(int64(t.order.Uint32(head[4:])),
		tagDescription, tagMake, tagModel, tagArtist, tagXMP, tagIPTC, tagPhotoshop, tagExifIFD, tagGPSIFD,
		tagXPTitle, tagXPComment, tagXPAuthor, tagXPKeywords, tagXPSubject)
	exif := t.directory(t.offset(first[tagExifIFD]), tagTaken, tagDigitized, tagOffset, tagUserComment, tagLens)
	gps := t.directory(t.offset(first[tagGPSIFD]), tagLatitudeRef, tagLatitude, tagLongitudeRef, tagLongitude)

	w.setTitle(wide(first[tagXPTitle].data))
	w.addCaption(plain(first[tagDescription].data))
	w.addCaption(wide(first[tagXPSubject].data))
	w.addCaption(wide(first[tagXPComment].data))
	w.addCaption(t.userComment(exif[tagUserComment].data))
	for keyword := range strings.SplitSeq(wide(first[tagXPKeywords].data), ";") {
		w.keyword(keyword)
	}
	w.author(wide(first[tagXPAuthor].data))
	w.author(plain(first[tagArtist].data))
	w.camera(plain(first[tagMake].data), plain(first[tagModel].data), plain(exif[tagLens].data))
	taken := exif[tagTaken].data
	if len(taken) == 0 {
		taken = exif[tagDigitized].data
	}
	w.takenAt(exifTime(plain(taken), plain(exif[tagOffset].data)))
	w.setPosition(t.degrees(gps[tagLatitude]), plain(gps[tagLatitudeRef].data), t.degrees(gps[tagLongitude]), plain(gps[tagLongitudeRef].data))

	w.readXMP(first[tagXMP].data)
	w.readIPTC(first[tagIPTC].data)
	w.readPhotoshop(first[tagPhotoshop].data)
}

// kindBytes is how many bytes a value of a kind takes.
var kindBytes = [...]int64{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}

// directory returns the wanted fields of a directory; an offset of 0 is none.
func (t *tiff) directory(at int64, wanted ...uint16) map[uint16]field {
	fields := map[uint16]field{}
	count := t.s.part(at, 2)
	if at == 0 || count == nil {
		return fields
	}
	n := min(int64(t.order.Uint16(count)), maxEntries, (t.s.size-at-2)/12)
	entries := t.s.part(at+2, 12*n)
	for ; len(entries) >= 12; entries = entries[12:] {
		tag, kind := t.order.Uint16(entries), t.order.Uint16(entries[2:])
		if _, twice := fields[tag]; twice || !contains(wanted, tag) || int(kind) >= len(kindBytes) {
			continue
		}
		length := kindBytes[kind] * int64(t.order.Uint32(entries[4:]))
		if length <= 4 {
			fields[tag] = field{kind, entries[8 : 8+length]}
		} else if data := t.s.part(int64(t.order.Uint32(entries[8:])), length); data != nil {
			fields[tag] = field{kind, data}
		}
	}
	return fields
}

func contains(list []uint16, tag uint16) bool {
	for _, t := range list {
		if t == tag {
			return true
		}
	}
	return false
}

// offset returns a field that is the place of another directory, 0 of none.
func (t *tiff) offset(f field) int64 {
	if len(f.data) < 4 {
		return 0
	}
	return int64(t.order.Uint32(f.data))
}

// degrees returns degrees, minutes and seconds as degrees; -1 of none.
func (t *tiff) degrees(f field) float64 {
	if f.kind != 5 || len(f.data) < 24 {
		return -1
	}
	sum, unit := 0.0, 1.0
	for i := range 3 {
		below := t.order.Uint32(f.data[8*i+4:])
		if below == 0 {
			return -1
		}
		sum += float64(t.order.Uint32(f.data[8*i:])) / float64(below) / unit
		unit *= 60
	}
	if sum > 180 {
		return -1
	}
	return sum
}

// userComment reads a text that begins with the name of its encoding in 8 bytes.
func (t *tiff) userComment(data []byte) string {
	if len(data) < 8 {
		return ""
	}
	name, text := string(data[:8]), data[8:]
	switch name {
	case "UNICODE\x00":
		return utf16In(text, t.order)
	case "JIS\x00\x00\x00\x00\x00":
		return "" // nobody writes it
	}
	return plain(text)
}

// exifTime reads "2021:05:04 10:11:12" and "+02:00", in UTC where no offset is named.
func exifTime(text, offset string) time.Time {
	for _, layout := range []string{"2006:01:02 15:04:05", "2006-01-02 15:04:05", "2006:01:02"} {
		if at, err := time.Parse(layout+" Z07:00", text+" "+offset); err == nil {
			return sane(at)
		}
		if at, err := time.Parse(layout, text); err == nil {
			return sane(at)
		}
	}
	return time.Time{}
}

// sane returns a time, the zero one for a clock that was never set.
func sane(at time.Time) time.Time {
	if at.Year() < 1800 || at.Year() > 2200 {
		return time.Time{}
	}
	return at
}

// coordinate writes one as people read it, "52.5170 N".
func coordinate(degrees float64, ref string) string { return fmt.Sprintf("%.4f %s", degrees, ref) }
