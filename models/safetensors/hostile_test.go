package safetensors

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestSparseFileTakesLittleMemory: files of 1 GiB whose header claims much, or
// repeats what is wrong from its first entry on.
func TestSparseFileTakesLittleMemory(t *testing.T) {
	const size = 1 << 30
	prefix := func(length uint64) []byte { return binary.LittleEndian.AppendUint64(nil, length) }
	var many strings.Builder
	many.WriteString(`{"first":{}`)
	for i := 0; many.Len() < 8<<20; i++ {
		fmt.Fprintf(&many, `,"%d":{}`, i)
	}
	many.WriteByte('}')
	for _, c := range []struct {
		name  string
		start []byte
		want  string
	}{
		{"a long header", prefix(100 << 20), "a header of"},
		{"a header of zeros", prefix(maxHeader), "header"},
		{"many bad entries", append(prefix(uint64(many.Len())), many.String()...), `tensor "first": type "" is unknown`},
	} {
		path := filepath.Join(t.TempDir(), "sparse.safetensors")
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
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = NewReader(f, size)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", c.name, bytes)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestHeaderHoldsOneObjectOfDifferentTensors(t *testing.T) {
	const one = `"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`
	for header, want := range map[string]string{
		"{" + one + "," + one + "}": "comes twice", "{" + one + "}{}": "follows", "[]": "no object", "null": "no object",
	} {
		if _, err := open(file(header, make([]byte, 8))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", header, err, want)
		}
	}
	if _, err := open(file("{"+one+"}   \n", make([]byte, 8))); err != nil {
		t.Errorf("padded: %v", err)
	}
}
