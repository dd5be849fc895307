package safetensors

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"dowse/models/internal/tensor"
)

// Bounds on what a header may claim. Models of the most layers and experts have
// some 10,000 tensors in a file, of 100 bytes of header each.
const (
	maxHeader  = 16 << 20
	maxTensors = 1 << 16
)

// errFormat is wrapped by every error about what the file says.
var errFormat = errors.New("not a valid safetensors file")

// Tensor describes one tensor of a file.
type Tensor struct {
	Name  string
	Type  string // F32, F16, BF16, I64, ...
	Shape []int  // empty for a scalar

	offset, length int64 // bytes, in the file
	source         io.ReaderAt
}

// Reader is an open safetensors file.
type Reader struct {
	tensors map[string]*Tensor
}

// headerEntry is a tensor as the header has it.
type headerEntry struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// NewReader reads the header of a file of size bytes. The source must stay
// open for as long as tensors are read.
func NewReader(source io.ReaderAt, size int64) (*Reader, error) {
	var prefix [8]byte
	if size < 8 {
		return nil, fmt.Errorf("%w: %d bytes are too few", errFormat, size)
	}
	if _, err := source.ReadAt(prefix[:], 0); err != nil {
		return nil, fmt.Errorf("read the header's length: %w", err)
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length > maxHeader || int64(length) > size-8 {
		return nil, fmt.Errorf("%w: a header of %d bytes in a file of %d", errFormat, length, size)
	}
	r := &Reader{tensors: map[string]*Tensor{}}
	header := json.NewDecoder(io.NewSectionReader(source, 8, int64(length)))
	if err := r.readHeader(header, source, 8+int64(length), size); err != nil {
		return nil, fmt.Errorf("%w: header: %w", errFormat, err)
	}
	return r, r.checkOverlap()
}

// readHeader reads one entry after the other, and so holds no more than what was
// found to be right so far. The tensors' bytes are [start, end) of the source.
func (r *Reader) readHeader(header *json.Decoder, source io.ReaderAt, start, end int64) error {
	if token, err := header.Token(); err != nil || token != json.Delim('{') {
		return errors.Join(errors.New("it is no object"), err)
	}
	for header.More() {
		token, err := header.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // a key is one
		if name == "__metadata__" {
			var ignored json.RawMessage
			if err := header.Decode(&ignored); err != nil {
				return err
			}
			continue
		}
		var entry headerEntry
		if err := header.Decode(&entry); err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		t, err := newTensor(name, entry, start, end)
		if err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		if _, twice := r.tensors[name]; twice || len(r.tensors) == maxTensors {
			return fmt.Errorf("tensor %q comes twice, or there are more than %d", name, maxTensors)
		}
		t.source = source
		r.tensors[name] = t
	}
	if _, err := header.Token(); err != nil { // the closing brace
		return err
	}
	if _, err := header.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// newTensor checks one entry. The tensors' bytes are [start, end) of the file.
func newTensor(name string, e headerEntry, start, end int64) (*Tensor, error) {
	t := &Tensor{Name: name, Type: e.Type, offset: start + e.Offsets[0], length: e.Offsets[1] - e.Offsets[0]}
	if e.Offsets[0] < 0 || t.length < 0 {
		return nil, fmt.Errorf("the range %v is not one", e.Offsets)
	}
	if e.Offsets[1] > end-start {
		return nil, fmt.Errorf("its data ends at byte %d of %d: the file is cut short", start+e.Offsets[1], end)
	}
	elements := int64(1)
	for _, n := range e.Shape {
		if n < 0 || n > 0 && elements > math.MaxInt32*64/n {
			return nil, fmt.Errorf("the shape %v is not possible", e.Shape)
		}
		elements *= n
		t.Shape = append(t.Shape, int(n))
	}
	width, ok := elementSize(e.Type)
	if !ok {
		return nil, fmt.Errorf("type %q is unknown", e.Type)
	}
	if elements*width != t.length {
		return nil, fmt.Errorf("shape %v of type %s needs %d bytes, the range has %d", e.Shape, e.Type, elements*width, t.length)
	}
	return t, nil
}

// elementSize returns the bytes of one element.
func elementSize(kind string) (int64, bool) {
	switch kind {
	case "F64", "I64", "U64":
		return 8, true
	case "F32", "I32", "U32":
		return 4, true
	case "F16", "BF16", "I16", "U16":
		return 2, true
	case "I8", "U8", "BOOL", "F8_E4M3", "F8_E5M2":
		return 1, true
	}
	return 0, false
}

// checkOverlap refuses files in which two tensors share bytes.
func (r *Reader) checkOverlap() error {
	var extents []tensor.Extent
	for _, t := range r.Tensors() {
		extents = append(extents, tensor.Extent{Name: t.Name, Offset: t.offset, Length: t.length})
	}
	if err := tensor.Disjoint(extents); err != nil {
		return fmt.Errorf("%w: %w", errFormat, err)
	}
	return nil
}

// Tensors lists the tensors by name.
func (r *Reader) Tensors() []*Tensor {
	list := make([]*Tensor, 0, len(r.tensors))
	for _, t := range r.tensors {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *Tensor) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Tensor finds a tensor by name.
func (r *Reader) Tensor(name string) (*Tensor, bool) {
	t, ok := r.tensors[name]
	return t, ok
}
