package measure

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	"dowse/engine/memory"
)

var (
	embedTexts   = flag.String("embed-texts", "", "JSON list of texts to embed")
	embedVectors = flag.String("embed-vectors", "", "file to write their vectors to")
)

// TestEmbedTexts writes the vectors that the embedder gives texts, as little-endian float32:
//
//	go test ./lab/measure -run TestEmbedTexts -timeout 0 -embed-texts FILE -embed-vectors FILE
//
// train/static.py learns from them.
func TestEmbedTexts(t *testing.T) {
	if *embedTexts == "" {
		t.Skip("embeds only when told what: -embed-texts FILE")
	}
	data, err := os.ReadFile(*embedTexts)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	a, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.OpenModels(&memory.Ledger{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(*embedVectors)
	if err != nil {
		t.Fatal(err)
	}
	for some := range slices.Chunk(texts, 256) {
		vectors, err := m.Embedder.EmbedDocuments(t.Context(), some)
		if err != nil {
			t.Fatal(err)
		}
		raw := make([]byte, 0, 4*len(vectors))
		for _, x := range vectors {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		if _, err := out.Write(raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), m.Close()); err != nil {
		t.Fatal(err)
	}
}
