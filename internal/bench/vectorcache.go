package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/cespare/xxhash/v2"
)

// cacheMagic begins a cache file; the dimension follows as 32 bits.
const cacheMagic = "dowsevec"

const cacheHeader = len(cacheMagic) + 4

// Hash stands for a text: two independent 64-bit hashes.
type Hash [16]byte

// HashText hashes a text.
func HashText(text string) Hash { return seededHash(0, text) }

// seededHash gives, for each seed, another order of the same texts.
func seededHash(seed uint64, text string) (h Hash) {
	for i := range uint64(2) {
		d := xxhash.NewWithSeed(2*seed + i)
		_, _ = d.WriteString(text) // never fails
		binary.LittleEndian.PutUint64(h[8*i:], d.Sum64())
	}
	return h
}

func compareHash(a, b Hash) int { return bytes.Compare(a[:], b[:]) }

// vectorCache is a file of vectors by the hash of their text. Records are only ever
// appended: hash, vector as little-endian float32, checksum of both. One
// process at a time may have it open.
type vectorCache struct {
	file *os.File
	dim  int
	at   map[Hash]int64 // offsets of vectors
	end  int64
}

// openVectors opens or makes the cache at path for vectors of dim numbers. What
// a run that was killed left of a record at the end is cut off.
func openVectors(path string, dim int) (*vectorCache, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the cache of vectors: %w", err)
	}
	c := &vectorCache{file: file, dim: dim, at: map[Hash]int64{}}
	if err := c.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("cache of vectors %s: %w", path, err), file.Close())
	}
	return c, nil
}

func (c *vectorCache) recordBytes() int { return len(Hash{}) + 4*c.dim + 8 }

// load reads all records and cuts the file behind the last whole one.
func (c *vectorCache) load() error {
	in := bufio.NewReaderSize(c.file, 1<<20)
	header := make([]byte, cacheHeader)
	_, err := io.ReadFull(in, header)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return c.start()
	}
	if err != nil {
		return err
	}
	if string(header[:len(cacheMagic)]) != cacheMagic {
		return errors.New("not a cache of vectors; remove it")
	}
	if dim := binary.LittleEndian.Uint32(header[len(cacheMagic):]); int64(dim) != int64(c.dim) {
		return fmt.Errorf("vectors of %d numbers, want %d; remove it", dim, c.dim)
	}
	c.end = int64(cacheHeader)
	record := make([]byte, c.recordBytes())
	for {
		_, err := io.ReadFull(in, record)
		whole := err == nil && checksum(record[:len(record)-8]) == binary.LittleEndian.Uint64(record[len(record)-8:])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if !whole {
			return c.file.Truncate(c.end)
		}
		c.at[Hash(record)] = c.end + int64(len(Hash{}))
		c.end += int64(len(record))
	}
}

// start writes the header of an empty cache.
func (c *vectorCache) start() error {
	header := binary.LittleEndian.AppendUint32([]byte(cacheMagic), uint32(c.dim))
	if err := c.file.Truncate(0); err != nil {
		return err
	}
	c.end = int64(cacheHeader)
	_, err := c.file.WriteAt(header, 0)
	return err
}

func checksum(record []byte) uint64 { return xxhash.Sum64(record) }

// has reports whether there is a vector for a text.
func (c *vectorCache) has(h Hash) bool { _, ok := c.at[h]; return ok }

// get reads the vector of a text, which has one, into dst.
func (c *vectorCache) get(h Hash, dst []float32) error {
	raw := make([]byte, 4*c.dim)
	if _, err := c.file.ReadAt(raw, c.at[h]); err != nil {
		return fmt.Errorf("read the cache of vectors: %w", err)
	}
	for i := range c.dim {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return nil
}

// put appends the vectors [len(hashes), dim] of texts that have none yet.
func (c *vectorCache) put(hashes []Hash, vectors []float32) error {
	buffer := make([]byte, 0, len(hashes)*c.recordBytes())
	for i, h := range hashes {
		from := len(buffer)
		buffer = append(buffer, h[:]...)
		for _, v := range vectors[i*c.dim : (i+1)*c.dim] {
			buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(v))
		}
		buffer = binary.LittleEndian.AppendUint64(buffer, checksum(buffer[from:]))
	}
	if _, err := c.file.WriteAt(buffer, c.end); err != nil {
		return fmt.Errorf("write the cache of vectors: %w", err)
	}
	for i, h := range hashes {
		c.at[h] = c.end + int64(i*c.recordBytes()+len(Hash{}))
	}
	c.end += int64(len(buffer))
	return nil
}

// Close closes the file.
func (c *vectorCache) Close() error { return c.file.Close() }

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// EmbedDocuments returns the vectors of texts, [len(texts), Dim].
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
	// Dim is the length of a vector.
	Dim() int
}

// embed returns the vectors of texts, [len(texts), Dim]: those in the cache
// from there, all others from the model, which then stand in the cache too.
func (c *vectorCache) embed(ctx context.Context, e Embedder, texts []string, progress Progress) ([]float32, error) {
	var hashes []Hash
	var missing []string
	waiting := map[Hash]bool{}
	for _, text := range texts {
		if h := HashText(text); !c.has(h) && !waiting[h] {
			waiting[h] = true
			hashes, missing = append(hashes, h), append(missing, text)
		}
	}
	for from := 0; from < len(missing); from += embedSlice {
		progress("embedding", from, len(missing))
		to := min(from+embedSlice, len(missing))
		vectors, err := e.EmbedDocuments(ctx, missing[from:to])
		if err != nil {
			return nil, fmt.Errorf("embed passages: %w", err)
		}
		if err := c.put(hashes[from:to], vectors); err != nil {
			return nil, err
		}
	}
	out := make([]float32, len(texts)*c.dim)
	for i, text := range texts {
		if err := c.get(HashText(text), out[i*c.dim:(i+1)*c.dim]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
