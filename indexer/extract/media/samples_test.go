package media

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"
	"unicode/utf16"
)

// sample is a file of one format with words in each field that is read of it.
type sample struct {
	name string // with its extension
	data []byte
}

// samples returns one of each format, or more.
func samples(t testing.TB) []sample {
	t.Helper()
	exif := exifBlock(binary.LittleEndian, exifFields)
	vorbis := vorbisBlock("TITLE=Roofs", "ARTIST=Ann Lee", "ALBUM=Talks", "DESCRIPTION=A talk about slate.", "GENRE=Speech", "DATE=2021-05-04", "LYRICS=Oh roof")
	return []sample{
		{"a.jpg", jpegFile(segment(0xe1, markEXIF+string(exif)), segment(0xe1, markXMP+xmpPacket), segment(0xed, markPhotoshop+string(photoshop(iptcBlock))), segment(0xfe, "A comment"))},
		{"b.jpg", jpegFile(segment(0xe1, markEXIF+string(exifBlock(binary.BigEndian, exifFields))))},
		{"a.png", pngFile(t, chunk("tEXt", "Title\x00A roof"), chunk("zTXt", "Description\x00\x00"+deflated(t, "Ann on the roof")), chunk("iTXt", "Comment\x00\x00\x00de\x00Kommentar\x00größer"),
			chunk("iTXt", "XML:com.adobe.xmp\x00\x01\x00\x00\x00"+deflated(t, xmpPacket)), chunk("eXIf", string(exif)))},
		{"a.gif", gifFile("A roof, seen from the garden", xmpPacket)},
		{"a.webp", riffFile("WEBP", "VP8 ", "\x00\x00\x00", "EXIF", string(exif), "XMP ", xmpPacket)},
		{"a.tif", exif},
		{"a.nef", exifBlock(binary.BigEndian, exifFields)},
		{"a.heic", heifFile(string(exif), xmpPacket)},
		{"a.mp3", id3File(4, 0, frame("TIT2", "\x03Roofs"), frame("TPE1", "\x03Ann Lee"), frame("COMM", "\x01eng"+utf16LE("")+"\x00\x00"+utf16LE("A talk about slate")), frame("USLT", "\x03eng\x00Oh roof"), frame("TXXX", "\x03Description\x00Of the roof"))},
		{"b.mp3", append([]byte("\xff\xfb\x90\x00"+strings.Repeat("\x00", 200)), id3v1("Roofs", "Ann Lee", "Talks", "A talk about slate", 101)...)},
		{"a.flac", flacFile(vorbis)},
		{"a.ogg", oggFile("\x01vorbis"+strings.Repeat("\x00", 23), "\x03vorbis"+string(vorbis)+"\x01")},
		{"a.opus", oggFile("OpusHead"+strings.Repeat("\x00", 11), "OpusTags"+string(vorbis))},
		{"a.m4a", mp4File("M4A ", "\xa9nam", "Roofs", "\xa9ART", "Ann Lee", "\xa9cmt", "A talk about slate", "\xa9lyr", "Oh roof", "desc", "Of the roof")},
		{"a.mp4", mp4File("isom", "\xa9nam", "The roof", "ldes", "How Ann laid slate", "keyw", "slate,ladder")},
		{"a.mov", movFile()},
		{"a.wav", riffFile("WAVE", "fmt ", strings.Repeat("\x00", 16), "LIST", "INFO"+riffChunks("INAM", "Roofs\x00", "IART", "Ann Lee\x00", "ICMT", "A talk about slate\x00"), "id3 ", string(id3File(3, 0, frame("COMM", "\x00eng\x00Of the roof"))))},
	}
}

const xmpPacket = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dublin="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Köln">
<dublin:title><rdf:Alt><rdf:li xml:lang="x-default">Slate &amp; ladder</rdf:li></rdf:Alt></dublin:title>
<dublin:description><rdf:Alt><rdf:li xml:lang="x-default">The new roof of the barn</rdf:li></rdf:Alt></dublin:description>
<dublin:subject><rdf:Bag><rdf:li>slate</rdf:li><rdf:li>ladder</rdf:li></rdf:Bag></dublin:subject>
<dublin:creator><rdf:Seq><rdf:li>Ann Lee</rdf:li></rdf:Seq></dublin:creator>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

// entry is a field of EXIF; those of the second and third directory are named by it.
type entry struct {
	directory int
	tag, kind uint16
	data      string
}

var exifFields = []entry{
	{0, tagDescription, 2, "Ann on the roof\x00"}, {0, tagMake, 2, "Canon\x00"}, {0, tagModel, 2, "Canon EOS 5D\x00"}, {0, tagArtist, 2, "Ann Lee\x00"},
	{0, tagXPTitle, 1, "\x52\x00\x6f\x00\xe9\x00f\x00\x00\x00"}, {0, tagXPKeywords, 1, "a\x00b\x00;\x00c\x00d\x00\x00\x00"},
	{1, tagTaken, 2, "2021:05:04 10:11:12\x00"}, {1, tagOffset, 2, "+02:00\x00"}, {1, tagUserComment, 7, "ASCII\x00\x00\x00the slate is loose"}, {1, tagLens, 2, "EF 50mm\x00"},
	{2, tagLatitudeRef, 2, "N\x00"}, {2, tagLatitude, 5, ""}, {2, tagLongitudeRef, 2, "E\x00"}, {2, tagLongitude, 5, ""},
}

// exifBlock writes a block of EXIF with three directories.
func exifBlock(order binary.AppendByteOrder, fields []entry) []byte {
	out := []byte("II*\x00\x08\x00\x00\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		out = []byte("MM\x00*\x00\x00\x00\x08")
	}
	var values []byte
	lists := make([][]entry, 3)
	for _, f := range fields {
		lists[f.directory] = append(lists[f.directory], f)
	}
	starts, at := []int{8, 0, 0}, 8+2+12*(len(lists[0])+2)+4
	for d := 1; d < 3; d++ {
		starts[d] = at
		at += 2 + 12*len(lists[d]) + 4
	}
	for d, list := range lists {
		n := len(list)
		if d == 0 {
			n += 2
		}
		out = order.AppendUint16(out, uint16(n))
		for _, f := range list {
			data := []byte(f.data)
			if f.kind == 5 { // 52 degrees, 30 minutes, 0 seconds
				for _, n := range []uint32{52, 1, 30, 1, 0, 1} {
					data = order.AppendUint32(data, n)
				}
			}
			out = order.AppendUint16(order.AppendUint16(out, f.tag), f.kind)
			out = order.AppendUint32(out, uint32(len(data)/int(kindBytes[f.kind])))
			if len(data) <= 4 {
				out = append(out, append(data, make([]byte, 4-len(data))...)...)
				continue
			}
			out = order.AppendUint32(out, uint32(at+len(values)))
			values = append(values, data...)
		}
		if d == 0 {
			for i, tag := range []uint16{tagExifIFD, tagGPSIFD} {
				out = order.AppendUint16(order.AppendUint16(out, tag), 4)
				out = order.AppendUint32(order.AppendUint32(out, 1), uint32(starts[i+1]))
			}
		}
		out = order.AppendUint32(out, 0)
	}
	return append(out, values...)
}

func segment(kind byte, data string) string {
	return string([]byte{0xff, kind, byte((len(data) + 2) >> 8), byte(len(data) + 2)}) + data
}

func jpegFile(segments ...string) []byte {
	return []byte("\xff\xd8" + segment(0xe0, "JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00") + strings.Join(segments, "") + "\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x00\xff\xd9")
}

func dataset(record, number byte, text string) string {
	return string([]byte{0x1c, record, number, byte(len(text) >> 8), byte(len(text))}) + text
}

var iptcBlock = dataset(1, 90, "\x1b%G") + dataset(2, 5, "Roof day") + dataset(2, 120, "Ann repairs the roof") + dataset(2, 25, "slate") + dataset(2, 80, "Bob") + dataset(2, 90, "Köln") + dataset(2, 101, "Germany")

func photoshop(iptc string) []byte {
	other := "8BIM\x04\x0b\x00\x00\x00\x00\x00\x03url\x00"
	return append([]byte(other+"8BIM\x04\x04\x03abc"), append(binary.BigEndian.AppendUint32(nil, uint32(len(iptc))), iptc...)...)
}

func chunk(kind, data string) string {
	body := kind + data
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	return string(binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE([]byte(body))))
}

func pngFile(t testing.TB, chunks ...string) []byte {
	return []byte("\x89PNG\r\n\x1a\n" + chunk("IHDR", "\x00\x00\x01\x00\x00\x00\x00\x01\x08\x00\x00\x00\x00") + chunk("IDAT", deflated(t, "\x00\x00")) + strings.Join(chunks, "") + chunk("IEND", ""))
}

func deflated(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func gifFile(comment, xmp string) []byte {
	trailer := make([]byte, 0, 258)
	trailer = append(trailer, 1)
	for i := range 256 {
		trailer = append(trailer, byte(255-i))
	}
	return []byte("GIF89a\x00\x01\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" +
		"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00" +
		"\x21\xff\x0bXMP DataXMP" + xmp + string(trailer) + "\x00" +
		"\x21\xfe" + string(rune(len(comment))) + comment + "\x00" + ";")
}

func riffChunks(pairs ...string) string {
	var out []byte
	for i := 0; i < len(pairs); i += 2 {
		out = binary.LittleEndian.AppendUint32(append(out, pairs[i]...), uint32(len(pairs[i+1])))
		out = append(out, pairs[i+1]...)
		if len(pairs[i+1])%2 == 1 {
			out = append(out, 0)
		}
	}
	return string(out)
}

func riffFile(kind string, pairs ...string) []byte {
	body := kind + riffChunks(pairs...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func boxOf(kind string, content ...string) string {
	body := kind + strings.Join(content, "")
	return string(binary.BigEndian.AppendUint32(nil, uint32(4+len(body)))) + body
}

// heifFile writes a file with two items, the first within the file and the second in a box.
func heifFile(exif, xmp string) []byte {
	item := "\x00\x00\x00\x06" + markEXIF + exif
	infe := func(id byte, kind, rest string) string {
		return boxOf("infe", "\x02\x00\x00\x00\x00"+string(rune(id))+"\x00\x00"+kind+"\x00"+rest)
	}
	number := func(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }
	build := func(at int) string {
		return boxOf("ftyp", "heic\x00\x00\x00\x00mif1heic") + boxOf("meta", "\x00\x00\x00\x00", boxOf("hdlr", "\x00\x00\x00\x00\x00\x00\x00\x00pict"),
			boxOf("iinf", "\x00\x00\x00\x00\x00\x02", infe(1, "Exif", ""), infe(2, "mime", "application/rdf+xml\x00")),
			boxOf("iloc", "\x01\x00\x00\x00\x44\x00\x00\x02", "\x00\x01\x00\x00\x00\x00\x00\x01"+number(at)+number(len(item)), "\x00\x02\x00\x01\x00\x00\x00\x01"+number(0)+number(len(xmp))),
			boxOf("idat", xmp))
	}
	head := build(0)
	return []byte(build(len(head)+8) + boxOf("mdat", item))
}

func frame(id, data string) string {
	n := len(data)
	return id + string([]byte{byte(n >> 21 & 0x7f), byte(n >> 14 & 0x7f), byte(n >> 7 & 0x7f), byte(n & 0x7f)}) + "\x00\x00" + data
}

func id3File(version, flags byte, frames ...string) []byte {
	body := strings.Join(frames, "")
	n := len(body)
	return []byte("ID3" + string([]byte{version, 0, flags, byte(n >> 21 & 0x7f), byte(n >> 14 & 0x7f), byte(n >> 7 & 0x7f), byte(n & 0x7f)}) + body + "\xff\xfb\x90\x00")
}

func id3v1(title, artist, album, comment string, genre byte) []byte {
	field := func(text string, n int) string { return text + strings.Repeat("\x00", n-len(text)) }
	return []byte("TAG" + field(title, 30) + field(artist, 30) + field(album, 30) + "2021" + field(comment, 30) + string([]byte{genre}))
}

func utf16LE(text string) string {
	out := []byte("\xff\xfe")
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

func vorbisBlock(comments ...string) []byte {
	out := append(binary.LittleEndian.AppendUint32(nil, 4), "test"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(comments)))
	for _, c := range comments {
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(c))), c...)
	}
	return out
}

func flacFile(vorbis []byte) []byte {
	block := func(kind byte, data []byte) []byte {
		return append([]byte{kind, byte(len(data) >> 16), byte(len(data) >> 8), byte(len(data))}, data...)
	}
	return append(append([]byte("fLaC"), block(0, make([]byte, 34))...), append(block(0x84, vorbis), 0xff, 0xf8)...)
}

// oggFile writes a page for each packet.
func oggFile(packets ...string) []byte {
	var out []byte
	for i, packet := range packets {
		out = append(out, "OggS\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00SRNO"...)
		out = append(out, byte(i), 0, 0, 0, 0, 0, 0, 0, byte(len(packet)/255+1))
		out = append(out, bytes.Repeat([]byte{255}, len(packet)/255)...)
		out = append(append(out, byte(len(packet)%255)), packet...)
	}
	return out
}

func mp4File(brand string, pairs ...string) []byte {
	var items []string
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, boxOf(pairs[i], boxOf("data", "\x00\x00\x00\x01\x00\x00\x00\x00", pairs[i+1])))
	}
	return []byte(boxOf("ftyp", brand+"\x00\x00\x00\x00") + boxOf("mdat", strings.Repeat("\x00", 100)) +
		boxOf("moov", boxOf("mvhd", "\x00\x00\x00\x00\xdc\xb0\x00\x00"), boxOf("udta", boxOf("meta", "\x00\x00\x00\x00", boxOf("hdlr", "\x00\x00\x00\x00\x00\x00\x00\x00mdir"), boxOf("ilst", items...)))))
}

// movFile writes a film of QuickTime: a field, and a list with keys of its own.
func movFile() []byte {
	return []byte(boxOf("wide") + boxOf("mdat", "\x00") + boxOf("moov", boxOf("udta", boxOf("\xa9inf", "\x00\x0b\x00\x00Of the roof")),
		boxOf("meta", boxOf("hdlr", "\x00\x00\x00\x00\x00\x00\x00\x00mdta"), boxOf("keys", "\x00\x00\x00\x00\x00\x00\x00\x01", boxOf("mdta", "com.apple.quicktime.title")),
			boxOf("ilst", boxOf("\x00\x00\x00\x01", boxOf("data", "\x00\x00\x00\x01\x00\x00\x00\x00The roof"))))))
}
