package transformer_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/transformer"
	"dowse/models/modeltest"
	"dowse/models/pack"
)

// A model whose weights keep the blocks of their file gives the same bits token by token and
// in one go, on one thread and on three, in memory and in a mapping.
func TestN3_LogitsOfBlocksDoNotDependOnHowTheyRun(t *testing.T) {
	data, err := modeltest.ReferenceGGUF("qwen3")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file, path := filepath.Join(folder, "model.gguf"), filepath.Join(folder, "model.pack")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := pack.Import(t.Context(), file, path, nil); err != nil {
		t.Fatal(err)
	}
	var want []float32
	for _, o := range []transformer.DecoderOptions{{Threads: 1}, {Threads: 3}, {Threads: 2, Mapped: true}} {
		d := openDecoder(t, path, o)
		if c := d.Config(); c.Forms == "" {
			t.Fatal("the pack has weights of bytes")
		}
		ids := randomIDs(rand.New(rand.NewPCG(3, 0)), 50, d.Vocabulary())
		for _, size := range []int{1, 7, 50} {
			c := d.NewSequence()
			got := appendAll(t, d, c, ids, size)
			freeSequence(t, c)
			if want == nil {
				want = got
			}
			for i, v := range got {
				if v != want[i] {
					t.Fatalf("%+v, %d at a time: logit %d is %v, want %v", o, size, i, v, want[i])
				}
			}
		}
	}
}
