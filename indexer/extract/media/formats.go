package media

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"dowse/indexer/document"
)

// Extensions of files that their beginning alone does not tell.
var (
	rawNames = []string{"cr2", "cr3", "nef", "nrw", "arw", "srf", "sr2", "dng", "orf", "rw2", "raf", "pef", "srw", "3fr", "iiq", "mrw", "x3f"}
	mp3Names = []string{"mp3", "mp2", "mpga"}
	mp4Names = []string{"mp4", "m4v", "mov", "qt", "3gp", "3g2"}
)

// Formats are those of pictures, sound and video. They are asked after all others.
var Formats = []document.Format{
	picture("raw", isRAW, func(_ *document.Input, s *source, w *words) { w.readRAW(s) },
		rawNames...),
	picture("jpeg", begins("\xff\xd8\xff"), func(_ *document.Input, s *source, w *words) { w.readJPEG(s) }, "jpg", "jpeg", "jpe", "jfif"),
	picture("png", begins("\x89PNG\r\n\x1a\n"), func(in *document.Input, s *source, w *words) { w.readPNG(in, s) }, "png", "apng"),
	picture("gif", begins("GIF87a", "GIF89a"), func(_ *document.Input, s *source, w *words) { w.readGIF(s) }, "gif"),
	picture("webp", isRIFF("WEBP"), func(_ *document.Input, s *source, w *words) { w.readRIFF(s) }, "webp"),
	picture("tiff", begins("II*\x00", "MM\x00*"), func(_ *document.Input, s *source, w *words) { w.readEXIF(s) }, "tif", "tiff"),
	picture("heic", isBrand(heifBrands), func(_ *document.Input, s *source, w *words) { w.readHEIF(s) }, "heic", "heif", "hif", "avif"),

	sound("mp3", isMP3, (*words).readID3, mp3Names...),
	sound("flac", begins("fLaC"), (*words).readFLAC, "flac"),
	sound("ogg", begins("OggS"), (*words).readOgg, "ogg", "oga", "opus", "spx"),
	sound("m4a", isBrand(m4aBrands), (*words).readMP4, "m4a", "m4b", "m4r"),
	sound("wav", isRIFF("WAVE"), (*words).readRIFF, "wav", "wave"),

	video("ogv", func(name string, head []byte) bool {
		return document.Extension(name) == "ogv" && begins("OggS")(name, head)
	}, (*words).readOgg, "ogv"),
	video("mp4", isMP4, (*words).readMP4, mp4Names...),
	video("matroska", begins("\x1a\x45\xdf\xa3"), func(*words, *source) {}, "mkv", "webm", "mka"),
}

// kind is the name of a kind of file, and the program that reads it.
type kind int

const (
	pictures kind = iota
	sounds
	videos
)

// reader takes the words out of a file.
type reader func(in *document.Input, s *source, w *words)

func picture(name string, is func(string, []byte) bool, read reader, extensions ...string) document.Format {
	return format(pictures, name, is, read, extensions)
}

func sound(name string, is func(string, []byte) bool, read func(*words, *source), extensions ...string) document.Format {
	return format(sounds, name, is, func(_ *document.Input, s *source, w *words) { read(w, s) }, extensions)
}

func video(name string, is func(string, []byte) bool, read func(*words, *source), extensions ...string) document.Format {
	return format(videos, name, is, func(_ *document.Input, s *source, w *words) { read(w, s) }, extensions)
}

// format returns what package extract reads files of a kind by. The text is kept: nobody waits
// for a program during a search.
func format(k kind, name string, is func(string, []byte) bool, read reader, extensions []string) document.Format {
	return document.Format{
		Name: name, Extensions: extensions, Is: is, Sparse: true, Slow: true,
		Read: func(ctx context.Context, in *document.Input) (*document.Document, error) {
			w := &words{}
			read(in, newSource(in), w)
			return w.document(ctx, k, name, in)
		},
	}
}

// begins returns what recognises files by their first bytes.
func begins(marks ...string) func(string, []byte) bool {
	return func(_ string, head []byte) bool {
		return slices.ContainsFunc(marks, func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) })
	}
}

// isRIFF returns what recognises a kind of RIFF.
func isRIFF(kind string) func(string, []byte) bool {
	return func(_ string, head []byte) bool {
		return len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == kind
	}
}

// Brands of files in boxes, as their first box names them.
const (
	heifBrands = "heic heix heim heis hevc hevx mif1 msf1 avif avis"
	m4aBrands  = "M4A  M4B  M4P "
)

func isBrand(brands string) func(string, []byte) bool {
	return func(_ string, head []byte) bool {
		return len(head) >= 12 && string(head[4:8]) == "ftyp" && strings.Contains(brands, string(head[8:12]))
	}
}

// isMP4 recognises films; old ones begin with another box than that of the brand.
func isMP4(name string, head []byte) bool {
	if len(head) < 12 {
		return false
	}
	switch string(head[4:8]) {
	case "ftyp":
		return string(head[8:12]) != "crx "
	case "moov", "mdat", "wide", "free", "skip":
		return named(mp4Names, name)
	}
	return false
}

// isMP3 recognises a tag, and by its name a file without one.
func isMP3(name string, head []byte) bool {
	return begins("ID3\x02", "ID3\x03", "ID3\x04")(name, head) ||
		named(mp3Names, name) && len(head) > 1 && head[0] == 0xff && head[1]&0xe0 == 0xe0
}

// isRAW recognises what cameras write by its name: most are TIFF, and none is text.
func isRAW(name string, head []byte) bool {
	return named(rawNames, name) && bytes.IndexByte(head, 0) >= 0
}

// named reports whether a name has one of some extensions.
func named(extensions []string, name string) bool {
	return slices.Contains(extensions, document.Extension(name))
}
