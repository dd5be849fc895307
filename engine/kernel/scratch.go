package kernel

import (
	"fmt"
	"unsafe"

	"dowse/engine/memory"
)

// ScratchPool is the ledger pool that scratch memory is charged to.
const ScratchPool = "acts"

// Scratch is the working memory of one goroutine: intermediate results that
// live no longer than one call. It grows to what the largest call needed and
// stays there until Free. A Scratch must not be used by two calls at a time.
type Scratch struct {
	ledger *memory.Ledger
	buffer *memory.Buffer
	used   int // bytes handed out in the present call
}

// NewScratch returns empty scratch memory that charges the ledger, which may
// be nil.
func NewScratch(ledger *memory.Ledger) *Scratch { return &Scratch{ledger: ledger} }

// Free gives the memory back. The Scratch may be used again and grows anew.
func (s *Scratch) Free() error {
	buffer := s.buffer
	s.buffer, s.used = nil, 0
	return buffer.Free()
}

// Size returns the bytes held.
func (s *Scratch) Size() int {
	if s.buffer == nil {
		return 0
	}
	return s.buffer.Size()
}

// cacheLine is the alignment of every piece of scratch memory, and the width
// of the widest vector.
const cacheLine = 64

// pieceSize is what a piece of n bytes takes up.
func pieceSize(n int) int { return (n + cacheLine - 1) &^ (cacheLine - 1) }

// begin makes room for pieces of the given sizes, in bytes, and forgets what
// was handed out before.
func (s *Scratch) begin(pieces ...int) error {
	total := 0
	for _, n := range pieces {
		total += pieceSize(n)
	}
	s.used = 0
	if s.Size() >= total {
		return nil
	}
	if err := s.Free(); err != nil {
		return fmt.Errorf("grow scratch memory: %w", err)
	}
	buffer, err := memory.NewBuffer(s.ledger, ScratchPool, total)
	if err != nil {
		return fmt.Errorf("grow scratch memory: %w", err)
	}
	s.buffer = buffer
	return nil
}

// bytes hands out the next n bytes; begin has made room for them.
func (s *Scratch) bytes(n int) []byte {
	if n == 0 {
		return nil // there may be no buffer yet
	}
	start := s.used
	s.used += pieceSize(n)
	return s.buffer.Bytes()[start : start+n : start+n]
}

func (s *Scratch) floats(n int) []float32 { return cast[float32](s.bytes(4 * n)) }

func (s *Scratch) ints(n int) []int32 { return cast[int32](s.bytes(4 * n)) }

// rowScaleSize is the bytes of a RowScale, whose layout native code knows.
const rowScaleSize = int(unsafe.Sizeof(RowScale{}))

func (s *Scratch) rowScales(n int) []RowScale { return cast[RowScale](s.bytes(rowScaleSize * n)) }

const pointerSize = int(unsafe.Sizeof((*int8)(nil)))

// pointers hold addresses off the Go heap; they keep nothing alive.
func (s *Scratch) pointers(n int) []*int8 { return cast[*int8](s.bytes(pointerSize * n)) }

// cast views aligned scratch bytes as values without pointers into the Go heap.
func cast[T int8 | float32 | int32 | RowScale | rowKeys | spanRows | *int8](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}
