package memory

import (
	"fmt"
	"os"
)

// Buffer is zeroed, page-aligned memory outside the Go heap, charged to a pool
// of a ledger. Its views share that memory and dangle after Free.
type Buffer struct {
	data   []byte // whole pages
	size   int
	ledger *Ledger
	pool   string
}

// NewBuffer returns a buffer of size bytes; the ledger, which may be nil, is
// charged with whole pages. Size 0 gives a buffer with empty views.
func NewBuffer(ledger *Ledger, pool string, size int) (*Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("memory: buffer of %d bytes", size)
	}
	data, err := allocate(roundToPages(size))
	if err != nil {
		return nil, fmt.Errorf("take %d bytes of memory for %s: %w", size, pool, err)
	}
	ledger.Grow(pool, int64(len(data)))
	return &Buffer{data: data, size: size, ledger: ledger, pool: pool}, nil
}

// roundToPages rounds up to a multiple of the page size.
func roundToPages(size int) int {
	page := os.Getpagesize()
	return (size + page - 1) / page * page
}

// InPages rounds a size up to whole pages, the largest that systems use: what plans
// count with, so that they hold on any system.
func InPages(size int) int64 {
	const page = 16 << 10
	return (int64(size) + page - 1) &^ (page - 1)
}

// Size returns the bytes that were asked for.
func (b *Buffer) Size() int { return b.size }

// Bytes returns the buffer as bytes.
func (b *Buffer) Bytes() []byte { return b.data[:b.size:b.size] }

// Uint8 returns the buffer as unsigned bytes; it is Bytes under the name of
// the element type.
func (b *Buffer) Uint8() []uint8 { return b.Bytes() }

// Int8 returns the buffer as signed bytes.
func (b *Buffer) Int8() []int8 { return mustView[int8](b.Bytes()) }

// Int32 returns the buffer as 32-bit integers; up to 3 last bytes are left out.
func (b *Buffer) Int32() []int32 { return mustView[int32](b.Bytes()[:b.size&^3]) }

// Float32 returns the buffer as floats; up to 3 last bytes are left out.
func (b *Buffer) Float32() []float32 { return mustView[float32](b.Bytes()[:b.size&^3]) }

// Charge moves the buffer to another pool of its ledger, as what it holds becomes
// something else.
func (b *Buffer) Charge(pool string) {
	n := int64(len(b.data))
	b.ledger.Shrink(b.pool, n)
	b.ledger.Grow(pool, n)
	b.pool = pool
}

// Free gives the memory back and shrinks the pool. Free of a nil or freed
// buffer does nothing.
func (b *Buffer) Free() error {
	if b == nil || b.data == nil {
		return nil
	}
	data := b.data
	b.data, b.size = nil, 0
	b.ledger.Shrink(b.pool, int64(len(data)))
	if err := release(data); err != nil {
		return fmt.Errorf("give back %d bytes of %s: %w", len(data), b.pool, err)
	}
	return nil
}
