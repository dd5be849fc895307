package testanswer

import (
	"testing"

	"dowse/models/modeltest"
)

// Turns is a tokenizer_config.json with a chat template that uses every message.
const Turns = `{"chat_template": "{% for m in messages %}<|begin|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}<|begin|>assistant\n"}`

// WriterFiles is a decoder with random weights.
func WriterFiles(t testing.TB) map[string][]byte {
	t.Helper()
	m := modeltest.Decoders()["llama"]
	m.Positions = 4096
	return filesOf(t, m)
}

// DeepWriterFiles is one whose layers outweigh what it works in.
func DeepWriterFiles(t testing.TB) map[string][]byte {
	t.Helper()
	m := modeltest.Decoders()["llama"]
	m.Positions, m.Layers, m.Hidden, m.Heads, m.KVHeads, m.HeadDim, m.Intermediate = 4096, 16, 256, 8, 2, 32, 1024
	return filesOf(t, m)
}

func filesOf(t testing.TB, m modeltest.Decoder) map[string][]byte {
	t.Helper()
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	files["tokenizer_config.json"] = []byte(Turns)
	return files
}
