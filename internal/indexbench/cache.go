package indexbench

import (
	"bufio"
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

// Cache is a file of vectors by the hash of their text. Records are only ever
// appended: hash, vector as little-endian float32, checksum of both. One
// process at a time may have it open.
type Cache struct {
	file *os.File
	dim  int
	at   map[Hash]int64 // offsets of vectors
	end  int64
}

// OpenCache opens or makes the cache at path for vectors of dim numbers. What
// a run that was killed left of a record at the end is cut off.
func OpenCache(path string, dim int) (*Cache, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the cache of vectors: %w", err)
	}
	c := &Cache{file: file, dim: dim, at: map[Hash]int64{}}
	if err := c.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("cache of vectors %s: %w", path, err), file.Close())
	}
	return c, nil
}

func (c *Cache) recordBytes() int { return len(Hash{}) + 4*c.dim + 8 }

// load reads all records and cuts the file behind the last whole one.
func (c *Cache) load() error {
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
func (c *Cache) start() error {
	header := binary.LittleEndian.AppendUint32([]byte(cacheMagic), uint32(c.dim))
	if err := c.file.Truncate(0); err != nil {
		return err
	}
	c.end = int64(cacheHeader)
	_, err := c.file.WriteAt(header, 0)
	return err
}

func checksum(record []byte) uint64 { return xxhash.Sum64(record) }

// Len is the number of vectors.
func (c *Cache) Len() int { return len(c.at) }

// Has reports whether there is a vector for a text.
func (c *Cache) Has(h Hash) bool { _, ok := c.at[h]; return ok }

// Get reads the vector of a text into dst and reports whether there is one.
func (c *Cache) Get(h Hash, dst []float32) (bool, error) {
	at, ok := c.at[h]
	if !ok {
		return false, nil
	}
	raw := make([]byte, 4*c.dim)
	if _, err := c.file.ReadAt(raw, at); err != nil {
		return false, fmt.Errorf("read the cache of vectors: %w", err)
	}
	for i := range c.dim {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return true, nil
}

// Put appends the vectors [len(hashes), dim] of texts that have none yet.
func (c *Cache) Put(hashes []Hash, vectors []float32) error {
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
func (c *Cache) Close() error { return c.file.Close() }
