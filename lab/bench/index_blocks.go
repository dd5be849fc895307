package bench

import (
	"maps"
	"slices"

	"dowse/engine/leann"
)

// blocks is a leann.Writer over maps: what the store would keep of dowse's index.
type blocks struct {
	parts map[leann.Part]map[uint32][]byte
	runs  map[uint32][]byte // of stored vectors, by their first chunk
	dim   int
}

// storeRun is how many vectors a run holds.
const storeRun = 64

func newBlocks(v *Vectors) *blocks {
	s := &blocks{parts: map[leann.Part]map[uint32][]byte{}, runs: map[uint32][]byte{}, dim: v.Dim}
	for first := 0; first < v.Len(); first += storeRun {
		s.runs[uint32(first)] = floatBytes(v.Values[first*v.Dim : min(first+storeRun, v.Len())*v.Dim])
	}
	return s
}

// Block implements leann.Reader.
func (s *blocks) Block(part leann.Part, key uint32) ([]byte, error) { return s.parts[part][key], nil }

// EachBlock implements leann.Reader.
func (s *blocks) EachBlock(part leann.Part, f func(key uint32, value []byte) error) error {
	return ascending(s.parts[part], f)
}

// Vectors implements leann.Reader.
func (s *blocks) Vectors(f func(first uint32, raw []byte) error) error { return ascending(s.runs, f) }

// Run implements leann.Reader.
func (s *blocks) Run(chunk uint32) (first uint32, raw []byte, err error) {
	first = chunk - chunk%storeRun
	if raw = s.runs[first]; int(chunk-first) >= len(raw)/(4*s.dim) {
		return 0, nil, nil
	}
	return first, raw, nil
}

func ascending(values map[uint32][]byte, f func(key uint32, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := f(key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

// PutBlock implements leann.Writer.
func (s *blocks) PutBlock(part leann.Part, key uint32, value []byte) error {
	if s.parts[part] == nil {
		s.parts[part] = map[uint32][]byte{}
	}
	s.parts[part][key] = value
	return nil
}

// DeleteBlock implements leann.Writer.
func (s *blocks) DeleteBlock(part leann.Part, key uint32) error {
	delete(s.parts[part], key)
	return nil
}

// DeleteVectors implements leann.Writer.
func (s *blocks) DeleteVectors(first uint32) error {
	delete(s.runs, first)
	return nil
}

// bytes returns what all values take.
func (s *blocks) bytes() (n int) {
	for part := range s.parts {
		n += s.bytesOf(part)
	}
	for _, run := range s.runs {
		n += len(run)
	}
	return n
}

// bytesOf returns what the blocks of a part take.
func (s *blocks) bytesOf(part leann.Part) (n int) {
	for _, value := range s.parts[part] {
		n += len(value)
	}
	return n
}
