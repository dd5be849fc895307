package testshapes

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
)

// Gzipped packs data.
func Gzipped(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // memory alone is written
	}
	return b.Bytes()
}

// tarred packs members, each of which has one of the contents.
func tarred(n int, name string, content []byte) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range n {
		err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf(name, i), Size: int64(len(content)), Mode: 0o600, Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func archives() []Shape {
	text := func(n int) []byte { return bytes.Repeat([]byte(sentence+"\n\n"), n/len(sentence)) }
	return []Shape{
		{"text.gz", 10_000, 200_000_000, func(n int) []byte { return Gzipped(text(n)) }},
		{"zeros.txt.gz", 10_000, 250_000_000, func(n int) []byte { return Gzipped(make([]byte, n)) }},
		{"twice.gz.gz", 10_000, 200_000_000, func(n int) []byte { return Gzipped(Gzipped(text(n))) }},
		{"thrice.gz.gz.gz", 10_000, 120_000_000, func(n int) []byte { return Gzipped(Gzipped(Gzipped(text(n)))) }},
		{"noise.gz.gz.gz", 10_000, 80_000_000, func(n int) []byte { return Gzipped(Gzipped(Gzipped(noise(n)))) }},
		{"zips.zip", 10, 1000, func(n int) []byte {
			inner := zipped(member{"a.txt", text(100_000)}, member{"b.txt", text(100_000)})
			var members []member
			for i := range n {
				members = append(members, member{fmt.Sprintf("%d.zip", i), inner})
			}
			return zipped(members...)
		}},
		{"quine.zip", 10, 8, func(n int) []byte {
			data := text(100_000)
			for range n {
				data = zipped(member{"a.zip", data}, member{"b.zip", data}, member{"c.zip", data}, member{"d.zip", data})
			}
			return data
		}},
		{"notes.zip", 100, 15_000, func(n int) []byte {
			var members []member
			for i := range n {
				members = append(members, member{fmt.Sprintf("%d.md", i), []byte(sentence)})
			}
			return zipped(members...)
		}},
		{"large.zip", 10_000, 15_000_000, func(n int) []byte {
			var members []member
			for i := range 16 {
				members = append(members, member{fmt.Sprintf("%d.md", i), text(n)})
			}
			return zipped(members...)
		}},
		{"empty.tar.gz", 300, 250_000, func(n int) []byte { return Gzipped(tarred(n, "%d", nil)) }},
		{"hidden.tar.gz", 300, 250_000, func(n int) []byte { return Gzipped(tarred(n, ".git/%d", nil)) }},
		{"empty.tar", 300, 200_000, func(n int) []byte { return tarred(n, "%d", nil) }},
		{"members.tar.gz", 30, 900, func(n int) []byte { return Gzipped(tarred(n, "%d.txt", text(200_000))) }},
		{"numbers.tar.gz", 300, 15_000, func(n int) []byte { return Gzipped(tarred(n, "%d.md", []byte(sentence))) }},
	}
}

// noise returns bytes that no compression makes fewer.
func noise(n int) []byte {
	data := make([]byte, n)
	state := uint64(88172645463325252)
	for i := range data {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		data[i] = byte(state)
	}
	return data
}
