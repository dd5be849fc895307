package gguf

import (
	"fmt"
	"math"
)

// Int returns a whole number of any width, or absent if there is no such key.
func (r *Reader) Int(key string, absent int64) (int64, error) {
	switch v := r.metadata[key].(type) {
	case nil:
		return absent, nil
	case uint8:
		return int64(v), nil
	case int8:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case int64:
		return v, nil
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v), nil
		}
	}
	return 0, r.mismatch(key, "a whole number")
}

// Float returns a floating-point number, or absent if there is no such key.
func (r *Reader) Float(key string, absent float64) (float64, error) {
	switch v := r.metadata[key].(type) {
	case nil:
		return absent, nil
	case float32:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, r.mismatch(key, "a floating-point number")
}

// Bool returns a truth value, or absent if there is no such key.
func (r *Reader) Bool(key string, absent bool) (bool, error) {
	return get(r, key, absent, "a truth value")
}

// Text returns a string, or absent if there is no such key.
func (r *Reader) Text(key, absent string) (string, error) { return get(r, key, absent, "a string") }

// Texts returns an array of strings, nil if there is no such key.
func (r *Reader) Texts(key string) ([]string, error) {
	return get[[]string](r, key, nil, "an array of strings")
}

// Floats returns an array of float32, nil if there is no such key.
func (r *Reader) Floats(key string) ([]float32, error) {
	return get[[]float32](r, key, nil, "an array of float32")
}

// Ints returns an array of 32-bit numbers, nil if there is no such key.
func (r *Reader) Ints(key string) ([]int32, error) {
	if v, ok := r.metadata[key].([]uint32); ok {
		list := make([]int32, len(v))
		for i := range v {
			list[i] = int32(v[i])
		}
		return list, nil
	}
	return get[[]int32](r, key, nil, "an array of 32-bit numbers")
}

// get returns the value of a key if it has type T.
func get[T any](r *Reader, key string, absent T, want string) (T, error) {
	value, ok := r.metadata[key]
	if !ok {
		return absent, nil
	}
	if v, ok := value.(T); ok {
		return v, nil
	}
	return absent, r.mismatch(key, want)
}

func (r *Reader) mismatch(key, want string) error {
	return fmt.Errorf("metadata %q is of type %T, want %s", key, r.metadata[key], want)
}
