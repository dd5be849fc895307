package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzFileBlock decodes arbitrary blocks of files, and those that make sense
// again after encoding them.
func FuzzFileBlock(f *testing.F) {
	chunks := []Chunk{{End: 10, Hash: 5}, {Start: 10, End: 900}}
	sample := newFileBlock(4)
	sample.add(&entry{name: "a-note.md", chunks: appendChunks(nil, chunks),
		File: File{ID: 4, IDs: Runs{{7, 1}, {2, 1}}, Chunks: 2, Size: 9, TextBytes: 900, ModTime: -5, Kind: 3, Plain: true}})
	sample.add(&entry{name: "b.md", folder: 7, File: File{ID: 9, ModTime: 1 << 60, Kind: 9}})
	sample.add(&entry{name: "c.md", folder: 7, File: File{ID: 10, ModTime: 1 << 60, Kind: 2, Changed: 1 << 60}})
	sample.add(&entry{name: "d.md", folder: 7, File: File{ID: 11, ModTime: 1 << 59, Changed: 1<<60 + 5}})
	sample.add(&entry{name: "e.md", folder: 7, File: File{ID: 12, ModTime: 1 << 60, Changed: Unsettled}})
	sample.add(&entry{name: "f.md", folder: 7, File: File{ID: 13, ModTime: 5, Changed: 1 << 60}})
	f.Add(uint32(4), sample.encode())
	f.Add(uint32(0), []byte{})
	f.Add(uint32(0), []byte{1, 200})
	f.Fuzz(func(t *testing.T, number uint32, value []byte) {
		list, err := decodeFileBlock(number, value)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		block := newFileBlock(number)
		for i := range list {
			e := &list[i]
			chunks, err := e.decodeChunks()
			if err != nil {
				return
			}
			if err := checkTiling(chunks); err != nil {
				t.Fatal(err)
			}
			e.chunks = appendChunks(nil, chunks)
			block.add(e)
		}
		again, err := decodeFileBlock(number, block.encode())
		if err != nil || len(again) != len(list) {
			t.Fatalf("%+v became %+v, error %v", list, again, err)
		}
		for i := range list {
			was, err1 := list[i].decodeChunks()
			is, err2 := again[i].decodeChunks()
			if !reflect.DeepEqual(again[i].File, list[i].File) || again[i].name != list[i].name || again[i].folder != list[i].folder || !slices.Equal(was, is) {
				t.Fatalf("%+v became %+v, errors %v %v", list[i], again[i], err1, err2)
			}
		}
	})
}

func FuzzPathBlock(f *testing.F) {
	f.Add(uint32(3), (&pathBlock{hashes: []uint32{3, 3, 70000}, ids: []uint32{1, 9, 1 << 31}}).encode(3))
	f.Fuzz(func(t *testing.T, first uint32, value []byte) {
		b, err := decodePathBlock(first, value)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		again, err := decodePathBlock(first, b.encode(first))
		if err != nil || !slices.Equal(again.hashes, b.hashes) || !slices.Equal(again.ids, b.ids) {
			t.Fatalf("%v became %v, error %v", b, again, err)
		}
	})
}

func FuzzFolders(f *testing.F) {
	value := appendFolder(nil, 0, folder{"/home/user/", "/home/user"}, 0, "")
	f.Add(appendFolder(value, 1, folder{"/home/user/notes/", "/home/user"}, 0, "notes/"))
	f.Fuzz(func(t *testing.T, value []byte) {
		d, list := decoder{rest: value}, []folder(nil)
		for len(d.rest) > 0 && len(list) < 1000 && len(value) < 1000 {
			list = append(list, d.folder(list))
		}
		if err := d.err; err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
	})
}

// FuzzText packs any text, and unpacks any bytes.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "upgrading-from-an-older-version-on-mac.md", "Überschrift", "\xff\x00", "eeeeeeeeeeeeeeeeeeee"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		packed := appendText([]byte{9}, s)[1:]
		d := decoder{rest: packed}
		if got := d.text([]byte("before ")); d.end() != nil || string(got) != "before "+s {
			t.Fatalf("%q became %q, error %v", s, got, d.err)
		}
		if len(packed) > len(binary.AppendUvarint(nil, uint64(len(s))<<1))+len(s) {
			t.Fatalf("%q takes %d bytes", s, len(packed))
		}
		raw := decoder{rest: []byte(s)}
		if got := raw.text(nil); raw.err == nil {
			if again := (&decoder{rest: appendText(nil, string(got))}); string(again.text(nil)) != string(got) {
				t.Fatalf("%q became %q", got, again.text(nil))
			}
		}
	})
}

// TestTextCode checks that the code is a complete prefix code: the lengths
// fill it, and each byte alone survives.
func TestTextCode(t *testing.T) {
	sum := 0
	for b := range 256 {
		sum += 1 << (longestCode - shortText.length[b])
		s := strings.Repeat(string([]byte{byte(b)}), 40)
		d := decoder{rest: appendText(nil, s)}
		if got := d.text(nil); string(got) != s || d.end() != nil {
			t.Errorf("byte %d: %q, error %v", b, got, d.err)
		}
	}
	if sum != 1<<longestCode {
		t.Errorf("the codes fill %d of %d", sum, 1<<longestCode)
	}
}

func FuzzHeaderAndCounters(f *testing.F) {
	f.Add(Header{Version: Version, Fingerprint: "model", Created: time.Unix(1, 2)}.encode())
	f.Add(counters{folders: 3, nextChunk: 9, chunks: 4, textBytes: 1 << 40, commit: 7, time: 99}.encode())
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
		for _, depth := range []pageDepth{pageElements, pageKeys} {
			w := &pageWalk{file: file, meta: m, depth: depth, seen: make([]uint64, m.high/64+1), report: func(Problem) {}}
			w.tree(m.root, treeBounds{buckets: true})
			w.freelist()
		}
	})
}

func TestSeal(t *testing.T) {
	for _, value := range [][]byte{nil, {1}, []byte("some bytes")} {
		key := []byte("key")
		sealed := seal(key, bytes.Clone(value))
		got, err := unseal(key, sealed)
		if err != nil || !bytes.Equal(got, value) {
			t.Errorf("%q became %q, error %v", value, got, err)
		}
		for bit := range 8 * len(sealed) {
			sealed[bit/8] ^= 1 << (bit % 8)
			if _, err := unseal(key, sealed); !errors.Is(err, ErrCorrupt) {
				t.Errorf("bit %d of %q flipped unnoticed", bit, value)
			}
			sealed[bit/8] ^= 1 << (bit % 8)
		}
		for bit := range 8 * len(key) {
			key[bit/8] ^= 1 << (bit % 8)
			if _, err := unseal(key, sealed); !errors.Is(err, ErrCorrupt) {
				t.Errorf("bit %d of the key flipped unnoticed", bit)
			}
			key[bit/8] ^= 1 << (bit % 8)
		}
	}
}
