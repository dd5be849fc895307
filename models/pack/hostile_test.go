package pack

import (
	"errors"
	"os"
	"testing"
)

// TestSparsePackTakesNoMemory: a pack of a small model whose header, with the right
// checksum, claims a large file is refused before anybody is asked for memory.
func TestSparsePackTakesNoMemory(t *testing.T) {
	const size = 64 << 30
	for name, change := range map[string]func(h *header){
		"a hole behind the blocks": func(*header) {},
		"a hole between them":      func(h *header) { h.Blocks[len(h.Blocks)-1].Offset = size - blockAlign*16 },
		"a large tokenizer":        func(h *header) { h.Blocks[0].Length = 8 << 30 },
	} {
		path := importFiles(t, tinyFiles(t))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		h, err := decodeHeader(whole, int64(len(whole)), packKind)
		if err != nil {
			t.Fatal(err)
		}
		change(h)
		start, err := h.encode(size)
		if err == nil {
			err = os.WriteFile(path, append(start, whole[len(start):]...), 0o600)
		}
		if err := errors.Join(err, os.Truncate(path, size)); err != nil {
			t.Fatal(err)
		}
		_, err = Load(t.Context(), path, func(n int) ([]byte, error) {
			t.Errorf("%s: %d bytes are asked for", name, n)
			return nil, errors.New("no memory")
		})
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
