package gguf

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"dowse/models/internal/tensor"
)

// ErrFormat is wrapped by every error about a file's content.
var ErrFormat = errors.New("not a valid GGUF file")

// Magic begins every file.
const Magic = "GGUF"

// Bounds on what a header may claim. The largest vocabularies in use have 260,000
// tokens and twice as many merges, which take less than 20 MiB; models of the most
// layers and experts have some 10,000 tensors.
const (
	maxHeader     = 64 << 20 // bytes before the tensors
	maxTensors    = 1 << 16
	maxEntries    = 1 << 16
	maxText       = 1 << 20 // bytes of a string
	maxArray      = 1 << 21 // elements
	maxElementSum = 1 << 22 // elements of all arrays
	maxDimensions = 4
	maxAlignment  = 1 << 20
)

// Reader is an open GGUF file. It may be used from several goroutines.
type Reader struct {
	version  uint32
	metadata map[string]any
	tensors  map[string]*Tensor
}

// NewReader reads metadata and directory of a file of size bytes. The source
// must stay open for as long as tensors are read.
func NewReader(source io.ReaderAt, size int64) (*Reader, error) {
	h := newHeaderReader(source, size)
	r := &Reader{metadata: map[string]any{}, tensors: map[string]*Tensor{}}
	list := r.readHeader(h)
	if h.err != nil {
		return nil, h.err
	}
	alignment, err := r.Int("general.alignment", 32)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if alignment < 1 || alignment > maxAlignment || alignment&(alignment-1) != 0 {
		return nil, fmt.Errorf("%w: the alignment %d is not a power of two up to %d", ErrFormat, alignment, maxAlignment)
	}
	start := (h.at + alignment - 1) &^ (alignment - 1)
	for _, t := range list {
		t.source = source
		if err := t.place(start, size, alignment); err != nil {
			return nil, fmt.Errorf("%w: tensor %q: %w", ErrFormat, t.Name, err)
		}
	}
	return r, r.checkOverlap()
}

// readHeader reads the header and returns the tensors, whose offsets still
// count from the start of the data.
func (r *Reader) readHeader(h *headerReader) []*Tensor {
	if magic := h.next(4); string(magic) != Magic {
		h.failf("it starts with %q", magic)
		return nil
	}
	switch r.version = h.uint32(); r.version {
	case 2, 3:
	case 2 << 24, 3 << 24:
		h.failf("it is big-endian, which is not supported")
	default:
		h.failf("version %d is not supported; supported: 2, 3", r.version)
	}
	tensors, entries := h.uint64(), h.uint64()
	if tensors > maxTensors || entries > maxEntries {
		h.failf("%d tensors and %d metadata entries", tensors, entries)
	}
	for range entries {
		if h.err != nil {
			return nil
		}
		r.readEntry(h)
	}
	var list []*Tensor
	for range tensors {
		if h.err != nil {
			return nil
		}
		if t := h.tensor(); t != nil {
			if _, twice := r.tensors[t.Name]; twice {
				h.failf("two tensors %q", t.Name)
			}
			r.tensors[t.Name] = t
			list = append(list, t)
		}
	}
	return list
}

// readEntry reads one entry of the metadata.
func (r *Reader) readEntry(h *headerReader) {
	key, kind := h.text(), h.uint32()
	if h.err != nil {
		return
	}
	if _, twice := r.metadata[key]; twice {
		h.failf("two values of %q", key)
		return
	}
	if kind == arrayValue {
		r.metadata[key] = h.array(1)
	} else {
		r.metadata[key] = h.scalar(kind)
	}
	if h.err != nil {
		h.err = fmt.Errorf("metadata %q: %w", key, h.err)
	}
}

// checkOverlap refuses files in which two tensors share bytes.
func (r *Reader) checkOverlap() error {
	var extents []tensor.Extent
	for _, t := range r.Tensors() {
		extents = append(extents, tensor.Extent{Name: t.Name, Offset: t.offset, Length: t.length})
	}
	if err := tensor.Disjoint(extents); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return nil
}

// Tensors lists the tensors by name.
func (r *Reader) Tensors() []*Tensor {
	return slices.SortedFunc(maps.Values(r.tensors), func(a, b *Tensor) int { return cmp.Compare(a.Name, b.Name) })
}

// Tensor finds a tensor by name.
func (r *Reader) Tensor(name string) (*Tensor, bool) {
	t, ok := r.tensors[name]
	return t, ok
}

// maxElements keeps products of dimensions within 63 bits.
const maxElements = math.MaxInt32 * 64
