package memory

import (
	"fmt"
	"os"
	"unsafe"
)

// Buffer is zeroed, page-aligned memory outside the Go heap, charged to a pool of a ledger. Its
// views dangle after Free.
type Buffer struct {
	data   []byte // whole pages
	size   int
	ledger *Ledger
	pool   string
}

// NewBuffer returns a buffer of size bytes and charges whole pages to the ledger, which may be
// nil. Size 0 gives a buffer with empty views.
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

func roundToPages(size int) int {
	page := os.Getpagesize()
	return (size + page - 1) / page * page
}

// InPages rounds up to whole pages of the largest size in use, for plans that hold on any system.
func InPages(size int) int64 {
	const page = 16 << 10
	return (int64(size) + page - 1) &^ (page - 1)
}

// Size returns the requested bytes.
func (b *Buffer) Size() int { return b.size }

// Bytes returns the buffer as bytes.
func (b *Buffer) Bytes() []byte { return b.data[:b.size:b.size] }

// Int8 returns the buffer as signed bytes.
func (b *Buffer) Int8() []int8 { return mustView[int8](b.Bytes()) }

// Int32 returns the buffer as 32-bit integers, without up to 3 last bytes.
func (b *Buffer) Int32() []int32 { return mustView[int32](b.Bytes()[:b.size&^3]) }

// Float32 returns the buffer as floats, without up to 3 last bytes.
func (b *Buffer) Float32() []float32 { return mustView[float32](b.Bytes()[:b.size&^3]) }

// Charge moves the buffer to another pool of its ledger.
func (b *Buffer) Charge(pool string) {
	n := int64(len(b.data))
	b.ledger.Shrink(b.pool, n)
	b.ledger.Grow(pool, n)
	b.pool = pool
}

// Filled says that all of the buffer is about to be written: the system may give it in large pages, which takes a
// few faults where there would be some for each page.
func (b *Buffer) Filled() { inLargePages(b.data) }

// Free returns the memory and shrinks the pool. It does nothing for a nil or freed buffer.
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

// element is what a view can hold.
type element interface{ int8 | int32 | float32 }

func view[T element](b []byte) ([]T, error) {
	var one T
	size := int(unsafe.Sizeof(one))
	if len(b)%size != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of %d-byte values", len(b), size)
	}
	if len(b) == 0 {
		return nil, nil
	}
	start := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(start)%uintptr(size) != 0 {
		return nil, fmt.Errorf("bytes start at an address that is no multiple of %d", size)
	}
	return unsafe.Slice((*T)(start), len(b)/size), nil
}

// mustView is view for known lengths and alignments.
func mustView[T element](b []byte) []T {
	v, err := view[T](b)
	if err != nil {
		panic("memory: " + err.Error())
	}
	return v
}
