package gguf

import (
	"maps"
	"slices"
)

// Keys lists the keys of the metadata in order.
func (r *Reader) Keys() []string { return slices.Sorted(maps.Keys(r.metadata)) }

// Value returns the metadata of a key: a Go number of the format's type, bool,
// string, a slice of one of these, or []any for an array of arrays.
func (r *Reader) Value(key string) (value any, ok bool) {
	value, ok = r.metadata[key]
	return value, ok
}

// Version returns the version of the format, 2 or 3.
func (r *Reader) Version() int { return int(r.version) }

// ReadAll reads the whole tensor as float32.
func (t *Tensor) ReadAll() ([]float32, error) {
	if err := t.CheckType(); err != nil {
		return nil, err
	}
	dst := make([]float32, t.Rows()*t.Row())
	if len(dst) == 0 {
		return dst, nil
	}
	return dst, t.ReadRows(dst, 0)
}
