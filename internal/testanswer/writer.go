package testanswer

import (
	"maps"
	"sync"
	"testing"

	"dowse/models/modeltest"
)

// Turns is a tokenizer_config.json with a chat template that uses every message.
const Turns = `{"chat_template": "{% for m in messages %}<|begin|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}<|begin|>assistant\n"}`

// WriterFiles is a decoder with random weights.
func WriterFiles(t testing.TB) map[string][]byte {
	t.Helper()
	return filesOf(t, small)
}

// DeepWriterFiles is one whose layers outweigh what it works in.
func DeepWriterFiles(t testing.TB) map[string][]byte {
	t.Helper()
	return filesOf(t, deep)
}

// Models are made once by a process of tests.
var (
	small = sync.OnceValues(func() (map[string][]byte, error) {
		m := modeltest.Decoders()["llama"]
		m.Positions = 4096
		return m.Files()
	})
	deep = sync.OnceValues(func() (map[string][]byte, error) {
		m := modeltest.Decoders()["llama"]
		m.Positions, m.Layers, m.Hidden, m.Heads, m.KVHeads, m.HeadDim, m.Intermediate = 4096, 16, 256, 8, 2, 32, 1024
		return m.Files()
	})
)

// filesOf returns a map of the caller's own; what it holds is shared, and not written to.
func filesOf(t testing.TB, made func() (map[string][]byte, error)) map[string][]byte {
	t.Helper()
	files, err := made()
	if err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	files["tokenizer_config.json"] = []byte(Turns)
	return files
}
