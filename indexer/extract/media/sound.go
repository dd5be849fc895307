package media

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// sing takes the words of a song, which may be there in several languages.
func (w *words) sing(text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r", "\n"))
	if len(w.lyrics)+len(text) <= maxCaption && hasWord(text) && !strings.Contains(w.lyrics, text) {
		w.lyrics = strings.TrimSpace(w.lyrics + "\n" + text)
	}
}

// kind takes a genre: a name, or a number of ID3. Some say that it is no music.
func (w *words) kind(text string) {
	text = oneLine(text)
	switch strings.Trim(text, "()") {
	case "101":
		text = "Speech"
	case "183":
		text = "Audiobook"
	case "184":
		text = "Audio theatre"
	case "186":
		text = "Podcast"
	}
	lower := strings.ToLower(text)
	for _, name := range []string{"speech", "spoken", "audiobook", "audio book", "hörbuch", "podcast", "lecture", "vortrag", "interview", "talk", "sermon", "predigt", "audio theatre"} {
		if strings.Contains(lower, name) {
			w.spoken = true
		}
	}
	if w.genre == "" && hasWord(text) && len(text) <= maxName {
		w.genre = text
	}
}

const maxComments = 2000 // of Vorbis

// readVorbis reads comments of Vorbis: lengths, and texts that begin with a key.
func (w *words) readVorbis(s *source) {
	length := func(at int64) int64 {
		data := s.part(at, 4)
		if data == nil {
			return -1
		}
		return int64(binary.LittleEndian.Uint32(data))
	}
	vendor := length(0)
	if vendor < 0 {
		return
	}
	at := 4 + vendor
	count := length(at)
	for range min(count, maxComments) {
		at += 4
		n := length(at)
		if n < 0 {
			return
		}
		if n <= maxCaption { // not a picture
			key, text, _ := bytes.Cut(s.part(at+4, n), []byte("="))
			w.takeVorbis(strings.ToUpper(string(key)), plain(text))
		}
		at += n
	}
}

// takeVorbis notes what a comment says.
func (w *words) takeVorbis(key, text string) {
	switch key {
	case "TITLE":
		w.setTitle(text)
	case "ARTIST", "PERFORMER", "AUTHOR", "SPEAKER":
		w.artist(text)
	case "ALBUM":
		w.album = oneLine(text)
	case "DESCRIPTION", "COMMENT", "COMMENTS", "SYNOPSIS", "SUMMARY", "SUBTITLE":
		w.addCaption(text)
	case "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS":
		w.sing(text)
	case "GENRE":
		w.kind(text)
	case "KEYWORDS":
		for keyword := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' }) {
			w.keyword(keyword)
		}
	case "DATE":
		w.takenAt(isoTime(text))
	}
}

// readFLAC reads the blocks before the sound.
func (w *words) readFLAC(s *source) {
	at := int64(4)
	for range maxSegments {
		head := s.part(at, 4)
		if head == nil {
			return
		}
		length := int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
		if head[0]&0x7f == 4 {
			w.readVorbis(s.within(s.part(at+4, min(length, maxPart))))
		}
		if head[0]&0x80 != 0 {
			return
		}
		at += 4 + length
	}
}

const (
	maxPages   = 1000    // of an Ogg before its sound
	maxPackets = 1 << 20 // bytes of them
)

// commentMarks begin the packet with comments, by the kind of sound.
var commentMarks = []string{"\x03vorbis", "OpusTags", "\x81theora"}

// readOgg puts the first packets of a stream together, whose second one has comments.
func (w *words) readOgg(s *source) {
	var packet []byte
	packets, serial := 0, []byte(nil)
	at := int64(0)
	for range maxPages {
		head := s.part(at, 27)
		if !bytes.HasPrefix(head, []byte("OggS")) {
			return
		}
		table := s.part(at+27, int64(head[26]))
		if len(table) == 0 {
			return
		}
		at += 27 + int64(len(table))
		if serial == nil {
			serial = bytes.Clone(head[14:18])
		}
		own := bytes.Equal(serial, head[14:18])
		for _, n := range table {
			if own && len(packet) <= maxPackets {
				packet = append(packet, s.part(at, int64(n))...)
			}
			at += int64(n)
			if n == 255 || !own {
				continue
			}
			if packets++; packets == 2 {
				w.readComments(s, packet)
				return
			}
			packet = nil
		}
	}
}

// readComments reads the packet with comments.
func (w *words) readComments(s *source, packet []byte) {
	for _, mark := range commentMarks {
		if rest, found := bytes.CutPrefix(packet, []byte(mark)); found {
			w.readVorbis(s.within(rest))
			return
		}
	}
}
