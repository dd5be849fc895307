package office

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
)

// tightLimits keep a file that went bad from taking long.
var tightLimits = document.Limits{Text: 1 << 20, Unpacked: 8 << 20, Members: 100, Depth: 2}

// check reads data by a format and complains about a document that breaks its promises.
func check(t testing.TB, f document.Format, data []byte) {
	name := "a." + f.Extensions[0]
	d, err := f.Read(context.Background(), document.NewInput(name, data, tightLimits))
	if err != nil {
		return
	}
	if !utf8.ValidString(d.Text) || len(d.Text) > tightLimits.Text+8 {
		t.Errorf("%s: %d bytes of text, valid: %v", f.Name, len(d.Text), utf8.ValidString(d.Text))
	}
	for i, p := range d.Places {
		if p.Offset < 0 || p.Offset > len(d.Text) || i > 0 && p.Offset <= d.Places[i-1].Offset {
			t.Errorf("%s: place %d of %d at %d", f.Name, i, len(d.Places), p.Offset)
		}
	}
}

// TestMutations reads files with random damage: to their bytes, and to the parts of
// archives, which are packed again. DOWSE_TEST_MUTATIONS says how many of each format;
// DOWSE_OFFICE_FILES adds real files to what is damaged.
func TestMutations(t *testing.T) {
	count := 150
	if n, err := strconv.Atoi(os.Getenv("DOWSE_TEST_MUTATIONS")); err == nil {
		count = n
	}
	for i, f := range Formats {
		seeds := [][]byte{samples[sampleOf(t, f.Name)].make(t)}
		if f.Name == "xlsx" {
			seeds = append(seeds, xlsbSample(t))
		}
		if folder := os.Getenv("DOWSE_OFFICE_FILES"); folder != "" {
			seeds = append(seeds, realFiles(t, folder, f.Name)...)
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		for n := range count {
			data := seeds[random.IntN(len(seeds))]
			if n%4 == 0 || !bytes.HasPrefix(data, []byte("PK")) {
				data = damage(random, data)
			} else {
				data = damageParts(t, random, data)
			}
			func() {
				defer func() {
					if r := recover(); r != nil {
						path := filepath.Join(os.TempDir(), "dowse-mutation."+f.Name)
						t.Errorf("%s, mutation %d: %v (kept as %s: %v)", f.Name, n, r, path, os.WriteFile(path, data, 0o600))
						panic(r)
					}
				}()
				check(t, f, data)
			}()
		}
	}
}

// sampleOf returns the sample of a format.
func sampleOf(t testing.TB, name string) int {
	if name == "pages" || name == "key" {
		name = "numbers" // they are read alike
	}
	for i, s := range samples {
		if s.name == "a."+name {
			return i
		}
	}
	t.Fatalf("no sample of %s", name)
	return -1
}

// realFiles returns the files of a format that are not large.
func realFiles(t *testing.T, folder, format string) [][]byte {
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if f := formatOf(e.Name(), data); f != nil && f.Name == format && len(data) < 40<<10 {
			all = append(all, data)
		}
	}
	return all
}

// damage changes, doubles, moves and cuts stretches of data.
func damage(random *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + random.IntN(4) {
		if len(data) == 0 {
			return data
		}
		at := random.IntN(len(data))
		size := min(1+random.IntN(60), len(data)-at)
		switch random.IntN(7) {
		case 0:
			data[at] = byte(random.IntN(256))
		case 1:
			data[at] ^= 1 << random.IntN(8)
		case 2:
			data = append(data[:at], data[at+size:]...)
		case 3:
			data = append(data[:at+size:at+size], bytes.Clone(data[at:])...)
		case 4:
			data = data[:at]
		case 5:
			copy(data[random.IntN(len(data)):], bytes.Clone(data[at:at+size]))
		case 6: // a word that means something
			word := hostile[random.IntN(len(hostile))]
			data = append(data[:at:at], append([]byte(word), data[at:]...)...)
		}
	}
	return data
}

// hostile are stretches that programs were brought down by.
var hostile = []string{
	"99999999999", "-1", "0", "2147483648", "<w:p>", "</w:p>", "<w:tbl>", "<w:tc>", "</w:tbl>", "<table:table>", "<text:p>", "<![CDATA[", "]]>",
	"<!--", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "&#0;", "&#x110000;", "../../../etc/passwd", "\x00", "\xff\xfe", "{\\footnote ", "\\row", "\\cell", "\\bin99999 ", "\\u-1",
	"{", "}", "\\'", `number-columns-repeated="99999999"`, `r="XFD1048576"`, `r="ZZZZ9"`, `ref="A1:A1048576"`, `<mergeCell ref="A1:A1048576"/>`,
}

// damageParts damages a part of an archive, or leaves it out, or doubles it.
func damageParts(t testing.TB, random *rand.Rand, data []byte) []byte {
	from, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return damage(random, data)
	}
	victim := random.IntN(len(from.File))
	var members []member
	for i, f := range from.File {
		r, err := f.Open()
		if err != nil {
			continue
		}
		part, err := io.ReadAll(io.LimitReader(r, 1<<20))
		if r.Close() != nil || err != nil {
			continue
		}
		times := 1
		if i == victim {
			switch random.IntN(12) {
			case 0:
				times = 0
			case 1:
				times = 2
			default:
				part = damage(random, part)
			}
		}
		for range times {
			members = append(members, member{strings.TrimSuffix(f.Name, "/"), string(part)})
		}
	}
	return archive(t, members...)
}

func FuzzOffice(f *testing.F) {
	for _, s := range samples {
		f.Add(s.name, s.make(f))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		for _, format := range Formats {
			if format.Is(name, data[:min(len(data), formatHead)]) {
				check(t, format, data)
			}
		}
	})
}
