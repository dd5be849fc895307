package media

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"

	"dowse/indexer/document"
)

// Marks before the blocks of a JPEG.
const (
	markEXIF      = "Exif\x00\x00"
	markXMP       = "http://ns.adobe.com/xap/1.0/\x00"
	markPhotoshop = "Photoshop 3.0\x00"
)

const maxSegments = 1000 // of a JPEG before its picture begins

// readJPEG reads the segments before the picture.
func (w *words) readJPEG(s *source) {
	var photoshop []byte // may be spread over several
	at := int64(2)
	for range maxSegments {
		head := s.part(at, 4)
		if head == nil || head[0] != 0xff {
			break
		}
		if head[1] == 0xff { // filling
			at++
			continue
		}
		length := int64(binary.BigEndian.Uint16(head[2:]))
		if head[1] == 0xda || head[1] == 0xd9 || length < 2 { // the picture, or the end
			break
		}
		if head[1] == 0xe1 || head[1] == 0xed || head[1] == 0xfe {
			photoshop = append(photoshop, w.readSegment(s, head[1], s.part(at+4, length-2))...)
		}
		at += 2 + length
	}
	w.readPhotoshop(photoshop)
}

// readSegment reads one segment, and returns the resources of Photoshop.
func (w *words) readSegment(s *source, kind byte, data []byte) []byte {
	if kind == 0xfe {
		w.addCaption(plain(data))
		return nil
	}
	if rest, found := bytes.CutPrefix(data, []byte(markEXIF)); found {
		w.readEXIF(s.within(rest))
	} else if rest, found := bytes.CutPrefix(data, []byte(markXMP)); found {
		w.readXMP(rest)
	} else if rest, found := bytes.CutPrefix(data, []byte(markPhotoshop)); found {
		return rest
	}
	return nil
}

const (
	maxChunks   = 2048    // of a PNG; its pixels may be in thousands, and text that stands behind more of them is not found
	maxUnpacked = 1 << 20 // bytes of one text of a PNG
)

// maxIcon is how wide and high icons are: their metadata is that of a whole set, or was copied from another one.
const maxIcon = 128

// readPNG reads the chunks with text.
func (w *words) readPNG(in *document.Input, s *source) {
	if wide, high := s.number(16, 4), s.number(20, 4); wide <= maxIcon && high <= maxIcon {
		w.icon = true
		return
	}
	at := int64(8)
	for range maxChunks {
		head := s.part(at, 8)
		if head == nil {
			return
		}
		length := int64(binary.BigEndian.Uint32(head))
		switch string(head[4:]) {
		case "tEXt", "zTXt", "iTXt":
			w.readPNGText(in, s, string(head[4:]), s.part(at+8, length))
		case "eXIf":
			w.readEXIF(s.within(s.part(at+8, length)))
		case "IEND":
			return
		}
		at += 12 + length
	}
}

// readPNGText reads a keyword and the text under it.
func (w *words) readPNGText(in *document.Input, s *source, kind string, data []byte) {
	key, rest, found := strings.Cut(string(data), "\x00")
	if !found {
		return
	}
	text, packed := rest, false
	switch {
	case kind == "zTXt" && len(rest) > 0:
		text, packed = rest[1:], true
	case kind == "iTXt" && len(rest) > 2:
		packed = rest[0] == 1
		_, text, _ = strings.Cut(rest[2:], "\x00") // the language
		_, text, _ = strings.Cut(text, "\x00")     // the keyword in it
	case kind != "tEXt":
		return
	}
	if packed {
		text = unpacked(in, text)
	}
	if kind != "iTXt" {
		text = plain([]byte(text))
	}
	switch strings.ToLower(key) {
	case "title":
		w.setTitle(text)
	case "description", "comment", "subject", "caption":
		w.addCaption(text)
	case "author", "artist":
		w.author(text)
	case "keywords":
		for keyword := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' }) {
			w.keyword(keyword)
		}
	case "xml:com.adobe.xmp", "raw profile type xmp":
		w.readXMP(profile(text))
	case "raw profile type exif", "raw profile type app1":
		data := profile(text)
		w.readEXIF(s.within(bytes.TrimPrefix(data, []byte(markEXIF))))
	case "raw profile type iptc":
		data := profile(text)
		w.readPhotoshop(data)
		w.readIPTC(data)
	}
}

// unpacked returns a text that was packed, as far as it is not too long.
func unpacked(in *document.Input, text string) string {
	r, err := zlib.NewReader(strings.NewReader(text))
	if err != nil {
		return ""
	}
	data, err := in.Unpack(io.LimitReader(r, maxUnpacked+1), 0)
	if err != nil || len(data) > maxUnpacked {
		return ""
	}
	return string(data)
}

// profile returns what ImageMagick writes as lines: a name, a length, and hexadecimal digits; or the
// text as it is.
func profile(text string) []byte {
	lines := strings.SplitN(strings.TrimSpace(text), "\n", 3)
	if len(lines) < 3 || strings.HasPrefix(lines[0], "<") {
		return []byte(text)
	}
	data, err := hex.DecodeString(strings.Join(strings.Fields(lines[2]), ""))
	if err != nil {
		return []byte(text)
	}
	return data
}

// readRIFF reads the chunks of a WebP or a WAV.
func (w *words) readRIFF(s *source) {
	at := int64(12)
	for range maxChunks {
		head := s.part(at, 8)
		if head == nil {
			return
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		switch string(head[:4]) {
		case "EXIF":
			w.readEXIF(s.within(bytes.TrimPrefix(s.part(at+8, length), []byte(markEXIF))))
		case "XMP ":
			w.readXMP(s.part(at+8, length))
		case "LIST":
			w.readInfo(s.part(at+8, length))
		case "id3 ", "ID3 ":
			w.readID3(s.within(s.part(at+8, length)))
		case "bext": // of recorders
			if description := s.part(at+8, min(length, 256)); description != nil {
				w.addCaption(plain(description))
			}
		}
		at += 8 + (length+1)&^1
	}
}

// readInfo reads the list of texts of a WAV.
func (w *words) readInfo(data []byte) {
	data, found := bytes.CutPrefix(data, []byte("INFO"))
	for n := 0; found && n < maxChunks && len(data) >= 8; n++ {
		key, length := string(data[:4]), int64(binary.LittleEndian.Uint32(data[4:]))
		data = data[8:]
		if length > int64(len(data)) {
			return
		}
		text := plain(data[:length])
		data = data[min((length+1)&^1, int64(len(data))):]
		switch key {
		case "INAM":
			w.setTitle(text)
		case "IART":
			w.artist(text)
		case "IPRD":
			w.album = oneLine(text)
		case "ICMT", "ISBJ":
			w.addCaption(text)
		case "IGNR":
			w.kind(text)
		case "IKEY":
			for keyword := range strings.SplitSeq(text, ";") {
				w.keyword(keyword)
			}
		}
	}
}

// maxGIF is how far into a GIF comments are looked for.
const maxGIF = 1 << 20

// readGIF reads comments and XMP, which stand between its pictures.
func (w *words) readGIF(s *source) {
	data := s.head(maxGIF)
	if len(data) < 13 {
		return
	}
	if wide, high := binary.LittleEndian.Uint16(data[6:]), binary.LittleEndian.Uint16(data[8:]); wide <= maxIcon && high <= maxIcon {
		w.icon = true
		return
	}
	data = skipColors(data[13:], data[10])
	told := false // what XMP says, once
	for len(data) > 2 {
		switch data[0] {
		case 0x21:
			label := data[1]
			if xmp, found := bytes.CutPrefix(data[2:], []byte("\x0bXMP DataXMP")); found && !told { // plain, and 258 bytes that lead any reader to its end
				end := bytes.Index(xmp, []byte("\x01\xff\xfe\xfd"))
				if end < 0 {
					return
				}
				w.readXMP(xmp[:end])
				told = true
			}
			var text []byte
			text, data = blocks(data[2:], label == 0xfe)
			w.addCaption(plain(text))
		case 0x2c:
			if len(data) < 11 {
				return
			}
			rest := skipColors(data[10:], data[9])
			if len(rest) == 0 {
				return
			}
			_, data = blocks(rest[1:], false)
		default:
			return
		}
	}
}

// skipColors passes over a table of colours.
func skipColors(data []byte, flags byte) []byte {
	if flags&0x80 == 0 {
		return data
	}
	return data[min(len(data), 3<<(flags&7+1)):]
}

// blocks returns what stands in blocks up to an empty one, if it is kept, and what follows.
func blocks(data []byte, keep bool) (text, rest []byte) {
	for len(data) > 0 && data[0] != 0 {
		n := min(len(data), 1+int(data[0]))
		if keep {
			text = append(text, data[1:n]...)
		}
		data = data[n:]
	}
	return text, data[min(1, len(data)):]
}
