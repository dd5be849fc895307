package modeltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
)

// ggufAlignment is where tensors start in the files of GGUF.
const ggufAlignment = 32

// GGUF encodes metadata and tensors, these as F32, in the format of that name.
// Values are strings, truth values, uint32, float32, and slices of strings,
// int32 and float32.
func GGUF(metadata map[string]any, tensors map[string]Tensor) ([]byte, error) {
	b := []byte("GGUF")
	b = binary.LittleEndian.AppendUint32(b, 3)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(tensors)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(metadata)))
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		var err error
		if b, err = appendEntry(appendText(b, key), metadata[key]); err != nil {
			return nil, fmt.Errorf("metadata %q: %w", key, err)
		}
	}
	names := slices.Sorted(maps.Keys(tensors))
	offset := 0
	for _, name := range names {
		t := tensors[name]
		b = appendText(b, name)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t.Shape)))
		for _, d := range slices.Backward(t.Shape) {
			b = binary.LittleEndian.AppendUint64(b, uint64(d))
		}
		b = binary.LittleEndian.AppendUint32(b, 0) // F32
		b = binary.LittleEndian.AppendUint64(b, uint64(offset))
		offset += len(pad(make([]byte, 4*len(t.Values))))
	}
	b = pad(b)
	for _, name := range names {
		for _, v := range tensors[name].Values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		b = pad(b)
	}
	return b, nil
}

// pad appends zeros up to the alignment.
func pad(b []byte) []byte {
	return append(b, bytes.Repeat([]byte{0}, -len(b)&(ggufAlignment-1))...)
}

func appendText(b []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(text))), text...)
}

// Types of values as the format numbers them.
const (
	ggufUint32  = 4
	ggufInt32   = 5
	ggufFloat32 = 6
	ggufBool    = 7
	ggufText    = 8
	ggufArray   = 9
)

// appendEntry appends type and value.
func appendEntry(b []byte, value any) ([]byte, error) {
	kind := func(k uint32) []byte { return binary.LittleEndian.AppendUint32(b, k) }
	array := func(k uint32, n int) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(kind(ggufArray), k), uint64(n))
	}
	switch v := value.(type) {
	case uint32:
		return binary.LittleEndian.AppendUint32(kind(ggufUint32), v), nil
	case float32:
		return binary.LittleEndian.AppendUint32(kind(ggufFloat32), math.Float32bits(v)), nil
	case bool:
		if v {
			return append(kind(ggufBool), 1), nil
		}
		return append(kind(ggufBool), 0), nil
	case string:
		return appendText(kind(ggufText), v), nil
	case []string:
		b = array(ggufText, len(v))
		for _, text := range v {
			b = appendText(b, text)
		}
		return b, nil
	case []int32:
		b = array(ggufInt32, len(v))
		for _, n := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		return b, nil
	case []float32:
		b = array(ggufFloat32, len(v))
		for _, f := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return b, nil
	}
	return nil, fmt.Errorf("values of type %T are not written", value)
}
