package media

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
)

// read reads a file by the Format that takes it.
func read(t testing.TB, name string, data []byte) (*document.Document, error) {
	t.Helper()
	for _, f := range Formats {
		if f.Is(name, data[:min(len(data), 4096)]) {
			return f.Read(context.Background(), document.NewInput(name, data, document.DefaultLimits))
		}
	}
	t.Fatalf("%s is of no format: %.20q", name, data)
	return nil, nil
}

func TestWordsOfEachFormat(t *testing.T) {
	for name, want := range map[string]string{
		"a.jpg":  "# Roéf\n\nAnn on the roof\n\nthe slate is loose\n\nSlate & ladder\n\nThe new roof of the barn\n\nA comment\n\nRoof day\n\nAnn repairs the roof\n\nBy: Ann Lee, Bob\nKeywords: ab, cd, slate, ladder\nPlace: Köln, Germany\nTaken: 2021-05-04 10:11\nCamera: Canon EOS 5D, EF 50mm\nCoordinates: 52.5000 N, 52.5000 E",
		"b.jpg":  "# Roéf\n\nAnn on the roof\n\nthe slate is loose\n\nBy: Ann Lee\nKeywords: ab, cd\nTaken: 2021-05-04 10:11\nCamera: Canon EOS 5D, EF 50mm\nCoordinates: 52.5000 N, 52.5000 E",
		"a.png":  "# A roof\n\nAnn on the roof\n\ngrößer\n\nSlate & ladder\n\nThe new roof of the barn\n\nRoéf\n\nthe slate is loose\n\nBy: Ann Lee\nKeywords: slate, ladder, ab, cd\nPlace: Köln\nTaken: 2021-05-04 10:11\nCamera: Canon EOS 5D, EF 50mm\nCoordinates: 52.5000 N, 52.5000 E",
		"a.gif":  "# Slate & ladder\n\nThe new roof of the barn\n\nA roof, seen from the garden\n\nBy: Ann Lee\nKeywords: slate, ladder\nPlace: Köln",
		"a.mp3":  "# Roofs\n\nA talk about slate\n\nOf the roof\n\nArtist: Ann Lee\n\n## Lyrics\n\nOh roof",
		"b.mp3":  "# Roofs\n\nA talk about slate\n\nArtist: Ann Lee\nAlbum: Talks\nGenre: Speech",
		"a.flac": "# Roofs\n\nA talk about slate.\n\nArtist: Ann Lee\nAlbum: Talks\nGenre: Speech\n\n## Lyrics\n\nOh roof",
		"a.ogg":  "# Roofs\n\nA talk about slate.\n\nArtist: Ann Lee\nAlbum: Talks\nGenre: Speech\n\n## Lyrics\n\nOh roof",
		"a.opus": "# Roofs\n\nA talk about slate.\n\nArtist: Ann Lee\nAlbum: Talks\nGenre: Speech\n\n## Lyrics\n\nOh roof",
		"a.m4a":  "# Roofs\n\nA talk about slate\n\nOf the roof\n\nArtist: Ann Lee\n\n## Lyrics\n\nOh roof",
		"a.mp4":  "# The roof\n\nHow Ann laid slate\n\nKeywords: slate, ladder",
		"a.mov":  "# The roof\n\nOf the roof",
		"a.wav":  "# Roofs\n\nA talk about slate\n\nOf the roof\n\nArtist: Ann Lee",
	} {
		d, err := read(t, name, sampleNamed(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d.Text != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, d.Text, want)
		}
	}
	want, err := read(t, "a.jpg", sampleNamed(t, "b.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.tif", "a.nef"} {
		if d, err := read(t, name, sampleNamed(t, name)); err != nil || d.Text != want.Text {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	for _, name := range []string{"a.webp", "a.heic"} {
		d, err := read(t, name, sampleNamed(t, name))
		if err != nil || !strings.Contains(d.Text, "Ann on the roof") || !strings.Contains(d.Text, "The new roof of the barn") {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

func sampleNamed(t testing.TB, name string) []byte {
	for _, s := range samples(t) {
		if s.name == name {
			return s.data
		}
	}
	t.Fatalf("no sample %s", name)
	return nil
}

func TestWhatIsSaidForFilters(t *testing.T) {
	d, err := read(t, "a.jpg", sampleNamed(t, "b.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2021, 5, 4, 8, 11, 12, 0, time.UTC)
	if m := d.Meta; m.Title != "Roéf" || strings.Join(m.Authors, "|") != "Ann Lee" || strings.Join(m.Tags, "|") != "ab|cd" || !m.Date.Equal(at) || d.Format != "jpeg" {
		t.Errorf("%+v, %s", m, d.Format)
	}
}

// TestWhatNobodySaid leaves out files with what programs write, and with what stands in thousands.
func TestWhatNobodySaid(t *testing.T) {
	exif := func(fields ...entry) []byte {
		return jpegFile(segment(0xe1, markEXIF+string(exifBlock(binary.LittleEndian, fields))))
	}
	for name, test := range map[string]struct {
		data []byte
		want error
	}{
		"camera.jpg":     {exif(entry{0, tagDescription, 2, "OLYMPUS DIGITAL CAMERA         \x00"}, entry{0, tagMake, 2, "OLYMPUS\x00"}, entry{0, tagArtist, 2, "Ann Lee\x00"}), document.ErrPicture},
		"number.jpg":     {exif(entry{0, tagDescription, 2, "DSC_0123.JPG\x00"}, entry{1, tagUserComment, 7, "ASCII\x00\x00\x00Screenshot"}), document.ErrPicture},
		"gd.jpg":         {jpegFile(segment(0xfe, "CREATOR: gd-jpeg v1.0 (using IJG JPEG v62), quality = 90\n")), document.ErrPicture},
		"bare.jpg":       {jpegFile(), document.ErrPicture},
		"gimp.png":       {pngFile(t, chunk("tEXt", "Comment\x00Created with GIMP"), chunk("tEXt", "Software\x00A program"), chunk("tEXt", "Author\x00Ann")), document.ErrPicture},
		"icon.png":       {iconOf(pngFile(t, chunk("tEXt", "Title\x00Folder icons"))), document.ErrPicture},
		"maker.jpg":      {exif(entry{0, tagDescription, 2, "SAMSUNG DIGITAL CAMERA\x00"}), document.ErrPicture},
		"song.mp3":       {id3File(4, 0, frame("TIT2", "\x03Up on the roof"), frame("TPE1", "\x03Carole King"), frame("TALB", "\x03Writer"), frame("COMM", "\x00eng\x00Ripped by XLD"), frame("COMM", "\x00engiTunNORM\x00 000 0001 some words")), document.ErrSound},
		"song.m4a":       {mp4File("M4A ", "\xa9nam", "Up on the roof", "\xa9ART", "Carole King"), document.ErrSound},
		"silent.mp4":     {mp4File("isom"), document.ErrVideo},
		"film.mkv":       {[]byte("\x1a\x45\xdf\xa3\x01\x00\x00\x00"), document.ErrVideo},
		"photograph.cr2": {[]byte("II*\x00\x00\x00\x00\x00"), document.ErrPicture},
	} {
		if d, err := read(t, name, test.data); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	for name, data := range map[string][]byte{
		"talk.mp3":  id3File(3, 0, frame("TIT2", "\x03Slate"), frame("TCON", "\x00(101)")),
		"memo.m4a":  mp4File("M4A ", "\xa9nam", "Slate", "\xa9gen", "Podcast"),
		"image.jpg": exif(entry{0, tagDescription, 2, "Image of a roof\x00"}),
	} {
		if d, err := read(t, name, data); err != nil {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

// iconOf makes a PNG small.
func iconOf(png []byte) []byte {
	png[18] = 0
	return png
}

func TestOlderTags(t *testing.T) {
	old := "TT2\x00\x00\x06\x00Roofs" + "COM\x00\x00\x17\x00eng\x00A talk about slate"
	if d, err := read(t, "a.mp3", []byte("ID3\x02\x00\x00\x00\x00\x00"+string([]byte{byte(len(old))})+old)); err != nil || d.Text != "# Roofs\n\nA talk about slate" {
		t.Errorf("%v, %v", d, err)
	}
	// A tag of version 3 whose zero bytes keep it from looking like sound.
	frames := "COMM\x00\x00\x00\x1c\x00\x00\x01eng\xff\xfe\x00\x00\xff\xfeA\x00 \x00s\x00l\x00a\x00t\x00e\x00!\x00\x00\x00"
	unsynchronised := strings.ReplaceAll(frames, "\xff\xfe", "\xff\x00\xfe")
	data := "ID3\x03\x00\x80\x00\x00\x00" + string([]byte{byte(len(unsynchronised))}) + unsynchronised
	if d, err := read(t, "a.mp3", []byte(data)); err != nil || d.Text != "# a\n\nA slate!" {
		t.Errorf("%v, %v", d, err)
	}
}

// TestSeveralValuesOfAFrame: ID3v2.4 parts the names of a frame with zero bytes, as mutagen 1.48 writes them, and has a
// frame for the words of a song in each language.
func TestSeveralValuesOfAFrame(t *testing.T) {
	for name, artists := range map[string]string{"UTF-8": "\x03Ann\x00Bea\x00", "UTF-16": "\x01" + utf16LE("Ann") + "\x00\x00" + utf16LE("Bea")} {
		d, err := read(t, "a.mp3", id3File(4, 0, frame("TIT2", "\x03Pond"), frame("TPE1", artists), frame("USLT", "\x03deu\x00Der Reiher ist da"), frame("USLT", "\x03eng\x00The heron is back")))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"Artist: Ann, Bea", "Der Reiher ist da\nThe heron is back"} {
			if !strings.Contains(d.Text, want) {
				t.Errorf("%s: %q, want %q in it", name, d.Text, want)
			}
		}
	}
}
