package media

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

const (
	maxFrames = 2000    // of a tag
	maxUnsync = 8 << 20 // bytes of a tag that has to be read as a whole
	maxFrame  = 1 << 20 // bytes of a frame of text
)

// id3 is a tag of ID3v2.
type id3 struct {
	s       *source
	version byte // 2, 3 or 4
}

// readID3 reads the tag at the beginning of a file, and that of the first version at its end.
func (w *words) readID3(s *source) {
	if head := s.part(0, 10); bytes.HasPrefix(head, []byte("ID3")) && head[3] >= 2 && head[3] <= 4 {
		t := &id3{s, head[3]}
		at, end := int64(10), min(s.size, 10+synchsafe(head[6:]))
		if flags := head[5]; flags&0x80 != 0 && t.version < 4 {
			t.s = s.within(resynchronised(s.part(10, min(end-10, maxUnsync))))
			at, end = 0, t.s.size
		}
		if head[5]&0x40 != 0 && t.version > 2 { // more of a head
			at += t.length(t.s.part(at, 4))
			if t.version == 3 {
				at += 4
			}
		}
		w.readFrames(t, at, end)
	}
	w.readID3v1(s)
}

// length reads that of a frame, or of the rest of a head.
func (t *id3) length(data []byte) int64 {
	switch {
	case len(data) == 3:
		return int64(data[0])<<16 | int64(data[1])<<8 | int64(data[2])
	case len(data) < 4:
		return 0
	case t.version == 4:
		return synchsafe(data)
	}
	return int64(binary.BigEndian.Uint32(data))
}

// synchsafe reads a number of seven bits a byte.
func synchsafe(data []byte) int64 {
	return int64(data[0]&0x7f)<<21 | int64(data[1]&0x7f)<<14 | int64(data[2]&0x7f)<<7 | int64(data[3]&0x7f)
}

// resynchronised takes out the zero bytes that keep a tag from looking like sound.
func resynchronised(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("\xff\x00"), []byte("\xff"))
}

// readFrames reads the frames from at to end, those with words alone.
func (w *words) readFrames(t *id3, at, end int64) {
	name, head := int64(4), int64(10)
	if t.version == 2 {
		name, head = 3, 6
	}
	for n := 0; n < maxFrames && at <= end-head; n++ {
		h := t.s.part(at, head)
		if h == nil || h[0] == 0 {
			return
		}
		length := t.length(h[name : 2*name])
		if t.version == 4 && length > 0x7f && !t.isFrame(at+head+length, end) { // some programs write numbers of eight bits
			if long := int64(binary.BigEndian.Uint32(h[4:])); t.isFrame(at+head+long, end) {
				length = long
			}
		}
		id := string(h[:name])
		if known := oldFrames[id]; known != "" {
			id = known
		}
		if wantedID3[id] && length <= maxFrame {
			data := t.s.part(at+head, length)
			if t.version == 4 && len(data) > 4 && h[9]&3 != 0 { // its length again, zero bytes to be taken out
				if h[9]&1 != 0 {
					data = data[4:]
				}
				if h[9]&2 != 0 {
					data = resynchronised(data)
				}
			}
			if packed := t.version == 4 && h[9]&0x0c != 0 || t.version == 3 && h[9]&0xc0 != 0; !packed {
				w.readFrame(id, data)
			}
		}
		at += head + length
	}
}

// isFrame reports whether a frame can begin at a place, or the tag end there.
func (t *id3) isFrame(at, end int64) bool {
	if at == end {
		return true
	}
	for _, b := range t.s.part(at, 4) {
		if b != 0 && (b < '0' || b > 'Z') {
			return false
		}
	}
	return at < end
}

// oldFrames are the names in version 2 of those in later ones.
var oldFrames = map[string]string{
	"TT2": "TIT2", "TT3": "TIT3", "TP1": "TPE1", "TAL": "TALB", "TCO": "TCON", "TYE": "TYER", "COM": "COMM", "ULT": "USLT", "TXX": "TXXX",
}

var wantedID3 = map[string]bool{
	"TIT2": true, "TIT3": true, "TPE1": true, "TALB": true, "TCON": true, "TYER": true, "TDRC": true, "TDRL": true, "COMM": true, "USLT": true,
	"TXXX": true, "TDES": true, "TKWD": true, "TCAT": true, "PCST": true,
}

// readFrame reads a frame: the number of its encoding, and texts.
func (w *words) readFrame(id string, data []byte) {
	if id == "PCST" {
		w.spoken = true
		return
	}
	if len(data) < 2 {
		return
	}
	encoding, data := data[0], data[1:]
	switch id {
	case "COMM", "USLT": // a language, what it is about, the text
		if len(data) < 3 {
			return
		}
		about, text := described(encoding, data[3:])
		switch about = strings.ToLower(about); {
		case id == "USLT":
			w.sing(text)
		case !strings.HasPrefix(about, "itun") && !strings.HasPrefix(about, "id3v1") && !strings.Contains(about, "songs-db"):
			w.addCaption(text)
		}
		return
	case "TXXX":
		about, text := described(encoding, data)
		switch strings.ToLower(about) {
		case "description", "comment", "synopsis", "long description", "summary":
			w.addCaption(text)
		}
		return
	}
	text := id3Text(encoding, data)
	switch id {
	case "TIT2":
		w.setTitle(text)
	case "TIT3", "TDES":
		w.addCaption(text)
	case "TPE1":
		for _, artist := range id3Values(encoding, data) {
			w.artist(artist)
		}
	case "TALB":
		w.album = oneLine(text)
	case "TCON", "TCAT":
		for _, kind := range id3Values(encoding, data) {
			w.kind(kind)
		}
	case "TYER", "TDRC", "TDRL":
		w.takenAt(isoTime(text))
	case "TKWD":
		for keyword := range strings.SplitSeq(text, ",") {
			w.keyword(keyword)
		}
	}
}

// described divides what a text is about from the text.
func described(encoding byte, data []byte) (about, text string) {
	first, rest, found := cutValue(encoding, data)
	if !found {
		return "", id3Text(encoding, data)
	}
	return id3Text(encoding, first), id3Text(encoding, rest)
}

// id3Values reads the texts of a frame that has several (ID3v2.4, 4.2), which zero bytes part.
func id3Values(encoding byte, data []byte) (texts []string) {
	for found := true; found && len(texts) < maxFrames; {
		var first []byte
		first, data, found = cutValue(encoding, data)
		texts = append(texts, id3Text(encoding, first))
	}
	return texts
}

// cutValue cuts data at the first letter of zero, which UTF-16 has in two bytes.
func cutValue(encoding byte, data []byte) (first, rest []byte, found bool) {
	if encoding != 1 && encoding != 2 {
		return bytes.Cut(data, []byte{0})
	}
	for i := 0; i+1 < len(data); i += 2 {
		if data[i] == 0 && data[i+1] == 0 {
			return data[:i], data[i+2:], true
		}
	}
	return data, nil, false
}

func id3Text(encoding byte, data []byte) string {
	switch encoding {
	case 1:
		return utf16In(data, binary.LittleEndian)
	case 2:
		return utf16Text(data, binary.BigEndian)
	}
	return plain(data) // what says Latin 1 is often UTF-8, or the set of Windows
}

// readID3v1 reads the last 128 bytes: fields of a fixed length.
func (w *words) readID3v1(s *source) {
	tag := s.part(s.size-128, 128)
	if !bytes.HasPrefix(tag, []byte("TAG")) {
		return
	}
	if w.title == "" {
		w.setTitle(plain(tag[3:33]))
	}
	if len(w.artists) == 0 {
		w.artist(plain(tag[33:63]))
	}
	if w.album == "" {
		w.album = oneLine(plain(tag[63:93]))
	}
	w.addCaption(plain(tag[97:127]))
	w.kind(strconv.Itoa(int(tag[127])))
}
