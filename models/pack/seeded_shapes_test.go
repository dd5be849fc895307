package pack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The size that is told before a seeded pack is written is that of the file.
func TestSeededSize(t *testing.T) {
	for _, name := range []string{"llama-2-7b", "qwen3-30b-a3b"} {
		for _, o := range []RowOptions{{GroupLayers: 1, Bits: 8}, {GroupLayers: 2, Bits: 4}} {
			c, err := SeededShape(name)
			if err != nil {
				t.Fatal(err)
			}
			c.Layers, c.Hidden, c.Heads, c.KVHeads, c.HeadDim, c.Vocabulary, c.Intermediate = 3, 64, 4, 2, 16, 200, 96
			if c.Mixture.Experts > 0 {
				c.Mixture.Width, c.Mixture.Experts = 96, 9
			}
			want, err := SeededSize(c, o)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "seeded")
			if err := WriteSeeded(t.Context(), path, c, 1, o, nil); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil || info.Size() != want {
				t.Errorf("%s, %+v: %d bytes, told %d (%v)", name, o, info.Size(), want, err)
			}
			if rows, err := IsRows(path); err != nil || rows == (c.Mixture.Experts > 0) {
				t.Errorf("%s: a row pack: %t (%v)", name, rows, err)
			}
		}
	}
	if _, err := SeededShape("gpt-9"); err == nil || !strings.Contains(err.Error(), "llama-2-7b") {
		t.Errorf("an unknown shape: %v", err)
	}
	c, _ := SeededShape("llama-2-7b")
	if _, err := SeededSize(c, RowOptions{GroupLayers: 3, Bits: 8}); err == nil {
		t.Error("groups of 3 layers")
	}
}
