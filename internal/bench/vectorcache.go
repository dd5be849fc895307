package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// EmbedDocuments returns the vectors of texts, [len(texts), Dim].
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
	// Dim is the length of a vector.
	Dim() int
}

// embed returns the vectors of texts, [len(texts), Dim]. It keeps them in a folder,
// for the next time that the same texts are asked for.
func embed(ctx context.Context, e Embedder, folder string, texts []string, progress Progress) ([]float32, error) {
	all := xxhash.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(all, "%q\n", text) // never fails
	}
	path := filepath.Join(folder, fmt.Sprintf("%016x.vec", all.Sum64()))
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the cache of vectors: %w", err)
	}
	if len(raw) == 4*len(texts)*e.Dim() { // whole
		vectors := make([]float32, len(raw)/4)
		for i := range vectors {
			vectors[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		return vectors, nil
	}
	var vectors []float32
	for from := 0; from < len(texts); from += embedSlice {
		progress("embedding", from, len(texts))
		more, err := e.EmbedDocuments(ctx, texts[from:min(from+embedSlice, len(texts))])
		if err != nil {
			return nil, fmt.Errorf("embed passages: %w", err)
		}
		vectors = append(vectors, more...)
	}
	if err := os.WriteFile(path, floatBytes(vectors), 0o600); err != nil {
		return nil, fmt.Errorf("write the cache of vectors: %w", err)
	}
	return vectors, nil
}

// hash stands for a text: two independent 64-bit hashes.
type hash [16]byte

// hashText gives, for each seed, another order of the same texts.
func hashText(seed uint64, text string) (h hash) {
	for i := range uint64(2) {
		d := xxhash.NewWithSeed(2*seed + i)
		_, _ = d.WriteString(text) // never fails
		binary.LittleEndian.PutUint64(h[8*i:], d.Sum64())
	}
	return h
}

func compareHash(a, b hash) int { return bytes.Compare(a[:], b[:]) }
