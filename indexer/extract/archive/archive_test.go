package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/internal/testextract"
	"dowse/internal/testmutate"

	"github.com/klauspost/compress/zstd"
)

// file is a member.
type file struct{ name, data string }

func zipOf(t testing.TB, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		m, err := w.Create(f.name)
		if err == nil {
			_, err = m.Write([]byte(f.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarOf(t testing.TB, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: 0o644, Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write([]byte(f.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(data))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstdOf(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err == nil {
		_, err = w.Write([]byte(data))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// reason returns why a file is left out.
func reason(t *testing.T, name, data string) skip.Reason {
	t.Helper()
	_, err := extract.Bytes(context.Background(), name, []byte(data), extract.Options{})
	r, ok := skip.ReasonOf(err)
	if !ok {
		t.Errorf("%s: %v", name, err)
	}
	return r
}

var some = []file{
	{"notes/roof.md", "# Roof\n\nIt leaks.\n"}, {"./../../etc/cron.d/x.txt", "An escape.\n"}, {"notes/", ""}, {"notes/.hidden/a.txt", "hidden"},
	{"x/node_modules/a.js", "let a = 1"}, {"__MACOSX/notes/._roof.md", "resource"}, {"photo.jpg", "\xff\xd8\xff picture"}, {"a.bin2", "\x00\x01\x02"},
	{"run.py", "# not a heading\nprint(1)\n"}, {"letter.eml", "Subject: Hail\nFrom: ann@example.org\n\nThe hail came.\n"},
}

const wantSome = "# notes/roof.md\n\n# Roof\n\nIt leaks.\n\n# ./../../etc/cron.d/x.txt\n\nAn escape.\n\n# run.py\n\n```python\n# not a heading\nprint(1)\n```\n\n" +
	"# letter.eml\n\n# Hail\n\nFrom: ann@example.org\n\nThe hail came."

// zstdZipOf is a zip whose members are packed by zstd.
func zstdZipOf(t testing.TB, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		packed := zstdOf(t, f.data)
		m, err := w.CreateRaw(&zip.FileHeader{Name: f.name, Method: 93, CRC32: crc32.ChecksumIEEE([]byte(f.data)),
			CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(len(f.data))})
		if err == nil {
			_, err = m.Write([]byte(packed))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMembersAreReadAsInAFolder(t *testing.T) {
	var files []file
	for _, f := range some {
		if !strings.HasSuffix(f.name, "/") {
			files = append(files, f)
		}
	}
	for name, data := range map[string]string{
		"a.zip": zipOf(t, some...), "zipped": zipOf(t, some...), "a.tar": tarOf(t, files...), "a.tar.gz": gzipOf(t, tarOf(t, files...)),
		"a.tgz":     gzipOf(t, tarOf(t, files...)),
		"a.tar.zst": zstdOf(t, tarOf(t, files...)), "a.tzst": zstdOf(t, tarOf(t, files...)), "b.zip": zstdZipOf(t, some...),
	} {
		d := testextract.Read(t, name, data)
		if d.Text != wantSome {
			t.Errorf("%s: %s", name, d.Text)
		}
		for text, place := range map[string]string{"leaks": "member notes/roof.md", "The hail": "member letter.eml", "print": "member run.py"} {
			if got := document.Label(d.Place(strings.Index(d.Text, text))); got != place {
				t.Errorf("%s: %q is of %q, want %q", name, text, got, place)
			}
		}
	}
}

func TestAFileThatIsPackedAloneIsReadAsItself(t *testing.T) {
	bz2, err := base64.StdEncoding.DecodeString(hello)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"note.md.gz": gzipOf(t, "# Hi\n\nIt leaks.\n"), "note.md.bz2": string(bz2), "note.md.zst": zstdOf(t, "# Hi\n\nIt leaks.\n")} {
		if d := testextract.Read(t, name, data); d.Text != "# Hi\n\nIt leaks." {
			t.Errorf("%s: %q", name, d.Text)
		}
	}
	var long strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&long, "The roof of house %d leaks since %d.\n", i*i, i*7)
	}
	packed := gzipOf(t, long.String())
	if d := testextract.Read(t, "log.gz", packed[:len(packed)/2]); !strings.HasPrefix(d.Text, "The roof") || len(d.Text) < 1000 || len(d.Text) > long.Len()-1000 { // cut off
		t.Errorf("%.50q", d.Text)
	}
	if r := reason(t, "photo.gz", gzipOf(t, "\xff\xd8\xff\xe0\x00\x01")); r != skip.Picture {
		t.Errorf("a picture is %v", r)
	}
}

// hello is a file of bzip2, which Go does not write.
const hello = "QlpoOTFBWSZTWZ9DpXwAAALVgAAQSAEAYCIsDAAgACKPQI0/UIBoA66cRKs9+AwXckU4UJCfQ6V8"

func TestWhatIsLockedIsSaidToBe(t *testing.T) {
	locked := []byte(zipOf(t, file{"a.txt", "first"}, file{"b.txt", "second"}))
	flag := func(data []byte, magic string, at, nth int) {
		i := 0
		for range nth {
			i += bytes.Index(data[i:], []byte(magic)) + 1
		}
		data[i-1+at] |= 1
	}
	flag(locked, "PK\x01\x02", 8, 2)
	if d := testextract.Read(t, "a.zip", string(locked)); d.Text != "# a.txt\n\nfirst\n\n1 members are encrypted." || d.Lacking != "1 encrypted members" {
		t.Errorf("%q, lacks %q", d.Text, d.Lacking)
	}
	flag(locked, "PK\x01\x02", 8, 1)
	if r := reason(t, "a.zip", string(locked)); r != skip.Encrypted {
		t.Errorf("%v", r)
	}
}

func TestArchivesOfManyMembersAreListed(t *testing.T) {
	var files []file
	for i := range 1001 {
		files = append(files, file{fmt.Sprintf("src/f%d.txt", i), "text"})
	}
	for name, data := range map[string]string{"a.zip": zipOf(t, files...), "a.tar": tarOf(t, files...)} {
		d := testextract.Read(t, name, data)
		if strings.Count(d.Text, "- src/f") != 300 || !strings.HasSuffix(d.Text, "701 more members are not listed.") || strings.Contains(d.Text, "text\n") {
			t.Errorf("%s: %.100q", name, d.Text)
		}
	}
	if d := testextract.Read(t, "a.zip", zipOf(t, files[:1000]...)); strings.Count(d.Text, "# src/f") != 1000 {
		t.Errorf("of 1000 %d are read", strings.Count(d.Text, "# src/f"))
	}
}

func TestBombsStopAtTheLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 256 MiB")
	}
	zeros := strings.Repeat("\x00", 15<<20)
	var files []file
	for i := range 18 {
		files = append(files, file{fmt.Sprintf("z%d.txt", i), zeros})
	}
	for name, bomb := range map[string]string{"bomb.zip": zipOf(t, files...), "bomb.zst": zstdOf(t, strings.Repeat(zeros, 18)), "bomb.gz": gzipOf(t, strings.Repeat(zeros, 18))} {
		if r := reason(t, name, bomb); r != skip.TooLarge {
			t.Errorf("zeros in %s: %v", name, r)
		}
	}
	nested := file{"a.txt", "within"}
	for range 10 {
		nested = file{"a.zip", zipOf(t, nested)}
	}
	if r := reason(t, "a.zip", zipOf(t, nested)); r != skip.TooLarge {
		t.Errorf("zips within zips: %v", r)
	}
	d := testextract.Read(t, "a.zip", zipOf(t, file{"first.txt", "It leaks."}, nested, file{"last.txt", "It hails."}))
	if d.Text != "# first.txt\n\nIt leaks.\n\n# last.txt\n\nIt hails." || d.Lacking != "1 large members and what comes behind the first 4 files within each other" {
		t.Errorf("%q, lacks %q", d.Text, d.Lacking)
	}
}

func seeds(t testing.TB) [][]byte {
	small := []file{{"a.md", "# Roof\n\nleaks"}, {"b/c.txt", "hails"}, {"d.csv", "a,b\n1,2\n"}}
	return [][]byte{[]byte(zipOf(t, small...)), []byte(tarOf(t, small...)), []byte(gzipOf(t, "note")), []byte(gzipOf(t, tarOf(t, small...))),
		[]byte(zipOf(t, file{"in.zip", zipOf(t, small...)}, file{"in.tar", tarOf(t, small...)})),
		[]byte(zstdOf(t, strings.Repeat("note and note ", 99))), []byte(zstdOf(t, tarOf(t, small...))), []byte(zstdZipOf(t, small...))}
}

func sound(t *testing.T, data []byte) {
	t.Helper()
	for _, name := range []string{"a.zip", "a.tar", "a.tar.gz", "a.bz2", "a.tar.zst"} {
		if d, err := extract.Bytes(context.Background(), name, data, extract.Options{}); err == nil && !utf8.ValidString(d.Text) {
			t.Fatalf("%s: of %.300q", name, data)
		}
	}
}

func TestDamagedArchivesGiveWhatTheyCan(t *testing.T) {
	testmutate.Each(t, 1500, seeds(t), func(data []byte) { sound(t, data) })
}

func FuzzArchive(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { sound(t, data) })
}

// TestMembersHaveTheirEntries: what a member and its parts say of themselves, an archive does not.
func TestMembersHaveTheirEntries(t *testing.T) {
	files := []file{
		{"_chat.txt", "[01/05/25, 10:05:00] Ann: The roof leaks\n[13/05/25, 21:00:01] Bob: I come\n"},
		{"plain.md", "Nothing is said of the house.\n"},
		{"note.md", "---\nauthor: Cy\n---\nThe cellar is dry.\n"},
	}
	for name, data := range map[string]string{"a.zip": zipOf(t, files...), "a.tar": tarOf(t, files...)} {
		d, err := extract.Bytes(context.Background(), name, []byte(data), extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for word, want := range map[string]string{"leaks": "Ann 2025-05-01", "come": "Bob 2025-05-13", "Nothing": " 0001-01-01", "cellar": "Cy 0001-01-01"} {
			var of document.Meta
			for _, e := range d.Entries {
				if e.Offset <= strings.Index(d.Text, word) {
					of = e.Meta
				}
			}
			if got := strings.Join(of.Authors, ",") + " " + of.Date.Format("2006-01-02"); got != want {
				t.Errorf("%s: %q is of %s, want %s", name, word, got, want)
			}
		}
	}
}
