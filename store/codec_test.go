package store

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"
)

func FuzzFile(f *testing.F) {
	file := File{ID: 7, Path: "/a/b", Root: "/a", Size: 9, ModTime: -5, Kind: 3, Plain: true, TextBytes: 9, FirstChunk: 4, Chunks: 2}
	f.Add("/a/b", file.encode())
	file.Root = "/elsewhere"
	f.Add("/a/b", file.encode())
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, path string, value []byte) {
		file, err := decodeFile(path, value)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		again, err := decodeFile(path, file.encode())
		if err != nil || again != file {
			t.Fatalf("%+v became %+v, error %v", file, again, err)
		}
	})
}

func FuzzChunks(f *testing.F) {
	f.Add(encodeChunks(9, []Chunk{{End: 10, Line: 1, LineEnd: 3, Hash: 5, Heading: "A"}, {Start: 10, End: 900, Line: 3, LineEnd: 9, Heading: "A > B"}}))
	f.Add(encodeChunks(0, nil))
	f.Add([]byte{1, 200})
	f.Fuzz(func(t *testing.T, value []byte) {
		owner, chunks, err := decodeChunks(value)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		if err := checkTiling(chunks); err != nil {
			t.Fatal(err)
		}
		againOwner, again, err := decodeChunks(encodeChunks(owner, chunks))
		if err != nil || againOwner != owner || !slices.Equal(again, chunks) {
			t.Fatalf("%v became %v, error %v", chunks, again, err)
		}
		if owned, n, err := decodeChunkOwner(value); err != nil || owned != owner || n != len(chunks) {
			t.Fatalf("owner %d of %d, want %d of %d, error %v", owned, n, owner, len(chunks), err)
		}
	})
}

func FuzzHeaderAndCounters(f *testing.F) {
	f.Add(Header{Version: Version, Fingerprint: "model", Created: time.Unix(1, 2)}.encode())
	f.Add(counters{nextFile: 3, nextChunk: 9, chunks: 4, textBytes: 1 << 40, commit: 7, time: 99}.encode())
	f.Add([]byte(headerMagic))
	f.Fuzz(func(t *testing.T, value []byte) {
		if h, err := decodeHeader(value); err == nil {
			again, err := decodeHeader(h.encode())
			if err != nil || again.Fingerprint != h.Fingerprint || !again.Created.Equal(h.Created) {
				t.Fatalf("%+v became %+v, error %v", h, again, err)
			}
		} else if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrVersion) {
			t.Fatal(err)
		}
		if c, err := decodeCounters(value); err == nil {
			if again, err := decodeCounters(c.encode()); err != nil || again != c {
				t.Fatalf("%+v became %+v, error %v", c, again, err)
			}
		}
	})
}

func FuzzStrings(f *testing.F) {
	f.Add(appendStrings(nil, []string{"", "a", "ab"}))
	f.Add([]byte{255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, value []byte) {
		d := decoder{rest: value}
		list := d.strings()
		if d.end() != nil {
			return
		}
		d = decoder{rest: appendStrings(nil, list)}
		if again := d.strings(); d.end() != nil || !slices.Equal(again, list) {
			t.Fatalf("%q became %q", list, again)
		}
	})
}

// FuzzPages walks arbitrary files.
func FuzzPages(f *testing.F) {
	f.Add(bytes.Repeat([]byte{0}, 5000))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := bytes.NewReader(data)
		m, err := newestMeta(file)
		if err != nil {
			// Walk it all the same, from a meta page that is made up.
			m = meta{pageSize: 1024, root: 2, freelist: 3, high: max(4, uint64(len(data))/1024)}
		}
		if m.high > 1<<20 || m.pageSize < 1024 {
			return
		}
		for _, depth := range []pageDepth{pageHeaders, pageElements, pageKeys} {
			w := &pageWalk{file: file, meta: m, depth: depth, seen: make([]uint64, m.high/64+1), report: func(Problem) {}}
			w.tree(m.root, treeBounds{buckets: true})
			w.freelist()
		}
	})
}

func TestSeal(t *testing.T) {
	for _, value := range [][]byte{nil, {1}, []byte("some bytes")} {
		sealed := seal(bytes.Clone(value))
		got, err := unseal("here", sealed)
		if err != nil || !bytes.Equal(got, value) {
			t.Errorf("%q became %q, error %v", value, got, err)
		}
		for bit := range 8 * len(sealed) {
			sealed[bit/8] ^= 1 << (bit % 8)
			if _, err := unseal("here", sealed); !errors.Is(err, ErrCorrupt) {
				t.Errorf("bit %d of %q flipped unnoticed", bit, value)
			}
			sealed[bit/8] ^= 1 << (bit % 8)
		}
	}
}
