package media

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/internal/testmutate"
)

// tightLimits keep a file that went bad from taking long.
var tightLimits = document.Limits{Text: 1 << 20, Unpacked: 8 << 20, Members: 100, Depth: 2}

// TestMutations reads damaged files of each format.
func TestMutations(t *testing.T) {
	seeds := map[string][][]byte{}
	for _, s := range samples(t) {
		f := formatNamed(t, s)
		seeds[f.Name] = append(seeds[f.Name], s.data)
	}
	for _, f := range Formats {
		if len(seeds[f.Name]) == 0 {
			if f.Name != "matroska" && f.Name != "ogv" { // nothing is read of the one, and the other is ogg
				t.Errorf("there is no sample of %s", f.Name)
			}
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			testmutate.Each(t, 1500, seeds[f.Name], func(data []byte) { check(t, f, data) })
		})
	}
}

func formatNamed(t testing.TB, s sample) document.Format {
	for _, f := range Formats {
		if f.Is(s.name, s.data) {
			return f
		}
	}
	t.Fatalf("%s is of no format", s.name)
	return document.Format{}
}

// check reads a file and complains about a document that breaks its promises.
func check(t testing.TB, f document.Format, data []byte) {
	d, err := f.Read(t.Context(), document.NewInput("a."+f.Extensions[0], data, tightLimits))
	if err != nil {
		return
	}
	if !utf8.ValidString(d.Text) || len(d.Text) > tightLimits.Text {
		t.Errorf("%s: %d bytes of text, valid: %v", f.Name, len(d.Text), utf8.ValidString(d.Text))
	}
	for _, list := range [][]string{d.Meta.Authors, d.Meta.Tags, {d.Meta.Title}} {
		if len(list) > 3*maxNames || strings.ContainsAny(strings.Join(list, ""), "\n\x00") {
			t.Errorf("%s: %.200q", f.Name, list)
		}
	}
}

// counted counts what is read of a file.
type counted struct {
	io.ReaderAt
	reads, bytes int
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, at)
}

// info is what a system knows of a file.
type info struct{ size int64 }

func (i info) Name() string     { return "a" }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o600 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }

// zeros goes on after its beginning, with zero bytes, for ever.
type zeros []byte

func (z zeros) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	if at < int64(len(z)) {
		copy(p, z[at:])
	}
	return len(p), nil
}

// TestLittleIsReadOfALargeFile lets each sample have a terabyte of sound or pixels behind it, or all kinds of lengths that
// are as long as that.
func TestLittleIsReadOfALargeFile(t *testing.T) {
	for _, s := range samples(t) {
		f := formatNamed(t, s)
		r := &counted{ReaderAt: zeros(s.data)}
		in := document.NewInput(s.name, nil, document.DefaultLimits)
		in.File = &document.File{ReaderAt: r, Path: "/" + s.name, Info: info{1 << 40}}
		_, err := f.Read(t.Context(), in)
		if r.bytes > 2<<20 || r.reads > 2500 {
			t.Errorf("%s: %d bytes in %d reads, %v", s.name, r.bytes, r.reads, err)
		}
	}
}

// TestHostileFiles gives lengths, counts and nests that cost whoever believes them.
func TestHostileFiles(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	loop := []byte("II*\x00\x08\x00\x00\x00\x03\x00") // three directories in one, which lead to themselves
	for _, tag := range []uint16{tagExifIFD, tagGPSIFD, tagDescription} {
		loop = le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(loop, tag), 4), math.MaxUint32), 8)
	}
	heif := boxOf("ftyp", "heic\x00\x00\x00\x00") + boxOf("meta", "\x00\x00\x00\x00", boxOf("iinf", "\x00\x00\x00\x00\x00\x01", boxOf("infe", "\x02\x00\x00\x00\x00\x01\x00\x00Exif\x00")),
		boxOf("iloc", "\x01\x00\x00\x00\x00\x00\xff\xff"+strings.Repeat("\x00\x01\x00\x00\x00\x00\xff\xff", 60_000)))
	nested := strings.Repeat("\x00\x00\x00\x00moov", 1<<17)
	files := []sample{
		{"loop.tif", loop},
		{"loop.jpg", jpegFile(segment(0xe1, markEXIF+string(loop)))},
		{"deep.jpg", jpegFile(segment(0xe1, markXMP+strings.Repeat("<a>", 20_000)))},
		{"many.jpg", jpegFile(strings.Repeat(segment(0xe1, markXMP+strings.Repeat("<dc:title>a b", 4000)), 900))},
		{"same.jpg", jpegFile(strings.Repeat(segment(0xfe, strings.Repeat("ab ", 20_000)), 900))},
		{"other.jpg", jpegFile(otherComments(900)...)},
		{"bomb.png", pngFile(t, chunk("zTXt", "Comment\x00\x00"+deflated(t, strings.Repeat("roof ", 40<<20/5))), chunk("tEXt", "Title\x00A roof"))},
		{"bombs.png", pngFile(t, strings.Repeat(chunk("zTXt", "Comment\x00\x00"+deflated(t, strings.Repeat("roof ", 200_000))), 1500))},
		{"long.png", append(pngFile(t)[:33], be.AppendUint32(nil, math.MaxUint32)...)},
		{"xmp.gif", append([]byte("GIF89a\x00\x01\x01\x00\x00\x00\x00"), bytes.Repeat([]byte("\x21\xff\x0bXMP DataXMP\x00"), 60_000)...)},
		{"ends.gif", append(append([]byte("GIF89a\x00\x01\x01\x00\x00\x00\x00"), bytes.Repeat([]byte("\x21\xff\x0bXMP DataXMP\x00"), 60_000)...), "\x01\xff\xfe\xfd"...)},
		{"none.heic", []byte(heif)},
		{"nested.mp4", []byte("\x00\x00\x00\x10ftypisom\x00\x00\x00\x00" + nested)},
		{"long.mp4", []byte("\x00\x00\x00\x10ftypisom\x00\x00\x00\x00\x00\x00\x00\x01moov\xff\xff\xff\xff\xff\xff\xff\xff")},
		{"long.mp3", []byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7fCOMM\x7f\x7f\x7f\x7f\x00\x00")},
		{"frames.mp3", []byte("ID3\x03\x00\x00\x00\x7f\x7f\x7f" + strings.Repeat("COMM\x00\x00\x00\x00\x00\x00", 100_000))},
		{"count.flac", flacFile(append(le.AppendUint32(nil, 0), "\xff\xff\xff\xff"...))},
		{"vendor.flac", flacFile([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))},
		{"pages.ogg", bytes.Repeat(oggFile(strings.Repeat("\x00", 255*254)), 50)},
		{"list.wav", riffFile("WAVE", "LIST", "INFO"+strings.Repeat("ICMT\x00\x00\x00\x00", 100_000))},
	}
	for _, s := range files {
		began := time.Now()
		f := formatNamed(t, s)
		d, err := f.Read(t.Context(), document.NewInput(s.name, s.data, document.DefaultLimits))
		t.Logf("%s: %v", s.name, time.Since(began))
		if s.name == "bomb.png" && (err != nil || d.Text != "# A roof") {
			t.Errorf("%s: %v, %v", s.name, d, err)
		}
	}
}

// otherComments returns segments of which each is the beginning of none other.
func otherComments(n int) (list []string) {
	for i := range n {
		list = append(list, segment(0xfe, string(rune('a'+i%26))+string(rune('a'+i/26))+strings.Repeat(" word", 10_000)))
	}
	return list
}
