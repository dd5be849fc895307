package gguf_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dowse/models/gguf"
)

// allocated returns how many bytes f allocates, whether they are freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestSparseFileTakesLittleMemory: a file of 1 GiB with a header of a few bytes and
// a hole behind it, as the lengths in the header would like it to be read.
func TestSparseFileTakesLittleMemory(t *testing.T) {
	const size = 1 << 30
	header := func(tensors, entries uint64) []byte {
		b := append([]byte(gguf.Magic), 3, 0, 0, 0)
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, tensors), entries)
	}
	key := func(b []byte, kind ...uint32) []byte {
		b = append(binary.LittleEndian.AppendUint64(b, 1), 'k')
		for _, k := range kind {
			b = binary.LittleEndian.AppendUint32(b, k)
		}
		return b
	}
	const array, text, number = 9, 8, 0
	count := binary.LittleEndian.AppendUint64
	for _, c := range []struct {
		name  string
		start []byte
		want  string
	}{
		{"strings", count(key(header(0, 1), array, text), size/8-64), "does not fit"},
		{"strings that fit into a header", count(key(header(0, 1), array, text), 8_000_000), "elements"},
		{"bytes", count(key(header(0, 1), array, number), 60_000_000), "elements"},
		{"arrays of arrays", count(key(header(0, 1), array, array), 5_000_000), "elements"},
		{"one string", count(key(header(0, 1), text), 60<<20), "longer than"},
		{"a long key", count(header(0, 1), 60<<20), "longer than"},
		{"many entries", header(0, 1<<20), "metadata entries"},
		{"many tensors", header(1<<20, 0), "tensors"},
	} {
		path := filepath.Join(t.TempDir(), "sparse.gguf")
		if err := os.WriteFile(path, c.start, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		bytes := allocated(func() { _, err = gguf.NewReader(f, size) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if bytes > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", c.name, bytes)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
