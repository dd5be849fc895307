package media

import (
	"encoding/binary"
	"strings"
	"time"
)

// readMP4 reads what a file of MP4 or QuickTime says of itself: in a list as iTunes writes
// it, in one with keys of its own, and in fields as QuickTime has them.
func (w *words) readMP4(s *source) {
	top := s.boxes(0, s.size)
	for _, b := range top {
		if b.kind == "uuid" && b.end-b.start > 16 && string(s.part(b.start, 16)) == "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac" {
			w.readXMP(s.part(b.start+16, b.end-b.start-16))
		}
	}
	movie, found := s.inside(top, "moov")
	if !found {
		return
	}
	list := s.boxes(movie.content(s))
	if b, found := s.inside(list, "udta"); found {
		within := s.boxes(b.content(s))
		if items, found := s.inside(within, "meta", "ilst"); found {
			w.readList(s, items, nil)
		}
		for _, field := range within {
			w.readField(s, field)
		}
	}
	if meta, found := s.inside(list, "meta"); found {
		within := s.boxes(meta.content(s))
		items, found := s.inside(within, "ilst")
		if keys, named := s.inside(within, "keys"); found && named {
			w.readList(s, items, s.keys(keys))
		}
	}
	if head, found := s.inside(list, "mvhd"); found && w.taken.IsZero() {
		w.takenAt(movieTime(s, head))
	}
}

// keys returns the names of a list whose items are numbers.
func (s *source) keys(b box) (names []string) {
	for _, key := range s.boxes(b.start+8, b.end) {
		name := string(s.part(key.start, min(key.end-key.start, 200)))
		names = append(names, name[strings.LastIndexByte(name, '.')+1:]) // com.apple.quicktime.title
	}
	return names
}

// readList reads items, each with a box of data in it.
func (w *words) readList(s *source, items box, names []string) {
	for _, item := range s.boxes(items.start, items.end) {
		name := item.kind
		if names != nil {
			number := int(binary.BigEndian.Uint32([]byte(item.kind))) - 1
			if number < 0 || number >= len(names) {
				continue
			}
			name = names[number]
		}
		if item.end-item.start > maxCaption+24 || !wantedMP4[name] {
			continue // a picture, most often
		}
		for _, data := range s.boxes(item.start, item.end) {
			if data.kind == "data" && data.end-data.start > 8 {
				w.takeMP4(name, s.part(data.start+8, data.end-data.start-8))
			}
		}
	}
}

// readField reads a field of QuickTime: a length, a language and a text.
func (w *words) readField(s *source, field box) {
	if field.kind[0] != 0xa9 || field.end-field.start <= 4 || !wantedMP4[field.kind] {
		return
	}
	data := s.part(field.start, field.end-field.start)
	if len(data) <= 4 {
		return
	}
	length := int(binary.BigEndian.Uint16(data))
	w.takeMP4(field.kind, data[4:min(len(data), 4+length)])
}

// wantedMP4 are the items that have words, or the kind of the file.
var wantedMP4 = map[string]bool{
	"\xa9nam": true, "title": true, "displayname": true, "\xa9ART": true, "aART": true, "artist": true, "author": true, "\xa9aut": true, "\xa9alb": true, "album": true,
	"\xa9cmt": true, "comment": true, "desc": true, "ldes": true, "sdes": true, "\xa9des": true, "\xa9inf": true, "description": true, "information": true, "\xa9lyr": true, "\xa9gen": true, "genre": true,
	"keyw": true, "keywords": true, "catg": true, "\xa9day": true, "creationdate": true, "stik": true, "pcst": true,
}

// takeMP4 notes what an item says.
func (w *words) takeMP4(name string, data []byte) {
	switch name {
	case "stik": // of which kind: an audiobook
		w.spoken = w.spoken || len(data) > 0 && data[len(data)-1] == 2
		return
	case "pcst": // a podcast
		w.spoken = w.spoken || len(data) > 0 && data[len(data)-1] == 1
		return
	}
	text := plain(data)
	switch name {
	case "\xa9nam", "title", "displayname":
		w.setTitle(text)
	case "\xa9ART", "aART", "artist", "author", "\xa9aut":
		w.artist(text)
	case "\xa9alb", "album":
		w.album = oneLine(text)
	case "\xa9lyr":
		w.sing(text)
	case "\xa9gen", "genre", "catg":
		w.kind(text)
	case "keyw", "keywords":
		for keyword := range strings.SplitSeq(text, ",") {
			w.keyword(keyword)
		}
	case "\xa9day", "creationdate":
		w.takenAt(isoTime(text))
	default:
		w.addCaption(text)
	}
}

// movieTime is when a film was made: seconds since 1904.
func movieTime(s *source, head box) time.Time {
	size := 4
	if s.number(head.start, 1) == 1 {
		size = 8
	}
	seconds := s.number(head.start+4, size)
	if seconds <= 0 || seconds > 1<<34 {
		return time.Time{}
	}
	at := time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
	if at.Year() < 1971 { // no clock
		return time.Time{}
	}
	return sane(at)
}

// isoTime reads a date as tags have it.
func isoTime(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02", "2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return sane(at)
		}
	}
	return time.Time{}
}
