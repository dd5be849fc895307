package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// EmbedDocuments returns the vectors of texts, [len(texts), Dim].
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
	// EmbedQueries does the same with texts that are asked.
	EmbedQueries(ctx context.Context, texts []string) ([]float32, error)
	// Dim is the length of a vector.
	Dim() int
}

// The files of kept vectors. A model may embed a text otherwise where it is asked.
const (
	passageVectors = "passages.vec"
	queryVectors   = "queries.vec"
)

// embedder is one of the ways in which an Embedder of a length of vectors embeds, with
// the file in which its vectors are kept.
type embedder struct {
	embed func(ctx context.Context, texts []string) ([]float32, error)
	dim   int
	file  string
}

// vectors returns the vectors of texts, [len(texts), dim]. It keeps each in a folder, for
// the next time that its text is asked for, and embeds in the order of samples, so
// that a run that was stopped leaves what a smaller one needs.
func (e embedder) vectors(ctx context.Context, folder string, texts []string, progress Progress) (_ []float32, err error) {
	cache, err := openVectorCache(filepath.Join(folder, e.file), e.dim)
	if err != nil {
		return nil, fmt.Errorf("open the cache of vectors: %w", err)
	}
	defer func() { err = errors.Join(err, cache.file.Close()) }()
	var missing []int
	for _, i := range shuffle(texts) {
		if _, known := cache.places[hashText(sampleSeed, texts[i])]; !known {
			missing = append(missing, i)
		}
	}
	for slice := range slices.Chunk(missing, embedSlice) {
		progress("embedding", len(texts)-len(missing), len(texts))
		missing = missing[len(slice):]
		asked := make([]string, len(slice))
		for i, place := range slice {
			asked[i] = texts[place]
		}
		vectors, err := e.embed(ctx, asked)
		if err != nil {
			return nil, fmt.Errorf("embed passages: %w", err)
		}
		if err := cache.add(asked, vectors); err != nil {
			return nil, fmt.Errorf("write the cache of vectors: %w", err)
		}
	}
	return cache.vectors(texts)
}

// vectorCache is a file of records, each the hash of a text and its vector. It only
// grows; a record that a kill cut short is overwritten.
type vectorCache struct {
	file    *os.File
	dim     int
	records int64
	places  map[hash]int64 // of a text's record, in records
}

func openVectorCache(path string, dim int) (_ *vectorCache, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	c := &vectorCache{file: file, dim: dim, places: map[hash]int64{}}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var h hash
	c.records = info.Size() / c.recordBytes()
	for place := range c.records {
		if _, err := file.ReadAt(h[:], place*c.recordBytes()); err != nil {
			return nil, err
		}
		c.places[h] = place
	}
	return c, nil
}

// recordBytes is the length of a record.
func (c *vectorCache) recordBytes() int64 { return int64(len(hash{}) + 4*c.dim) }

// add appends the vectors of texts, [len(texts), dim].
func (c *vectorCache) add(texts []string, vectors []float32) error {
	var raw []byte
	for i, text := range texts {
		h := hashText(sampleSeed, text)
		c.places[h] = c.records + int64(i)
		raw = append(append(raw, h[:]...), floatBytes(vectors[i*c.dim:(i+1)*c.dim])...)
	}
	if _, err := c.file.WriteAt(raw, c.records*c.recordBytes()); err != nil {
		return err
	}
	c.records += int64(len(texts))
	return nil
}

// vectors reads the vectors of texts, [len(texts), dim]. All have records.
func (c *vectorCache) vectors(texts []string) ([]float32, error) {
	vectors := make([]float32, 0, len(texts)*c.dim)
	raw := make([]byte, 4*c.dim)
	for _, text := range texts {
		place := c.places[hashText(sampleSeed, text)]
		if _, err := c.file.ReadAt(raw, place*c.recordBytes()+int64(len(hash{}))); err != nil {
			return nil, fmt.Errorf("read the cache of vectors: %w", err)
		}
		for at := 0; at < len(raw); at += 4 {
			vectors = append(vectors, math.Float32frombits(binary.LittleEndian.Uint32(raw[at:])))
		}
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
