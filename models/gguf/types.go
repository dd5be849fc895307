package gguf

import "fmt"

// Type is the type of a tensor's elements, as the format numbers it.
type Type uint32

// The types that can be read.
const (
	F32   Type = 0
	F16   Type = 1
	Q4_0  Type = 2
	Q4_1  Type = 3
	Q5_0  Type = 6
	Q5_1  Type = 7
	Q8_0  Type = 8
	Q4K   Type = 12
	Q5K   Type = 13
	Q6K   Type = 14
	IQ4NL Type = 20
	BF16  Type = 30
)

// typeInfo describes the blocks of a type. dequantize is nil for types that
// cannot be read; it turns whole blocks into their numbers.
type typeInfo struct {
	name       string
	elements   int // of a block
	bytes      int // of a block
	dequantize func(dst []float32, blocks []byte)
}

// superblock is the number of elements in a block of the K and IQ types.
const superblock = 256

// info returns the description of a type; ok is false for numbers that the
// format has not given to a type, or took back.
func (t Type) info() (info typeInfo, ok bool) {
	switch t {
	case F32:
		return typeInfo{"F32", 1, 4, readF32}, true
	case F16:
		return typeInfo{"F16", 1, 2, readF16}, true
	case BF16:
		return typeInfo{"BF16", 1, 2, readBF16}, true
	case Q4_0:
		return typeInfo{"Q4_0", 32, 18, readQ4_0}, true
	case Q4_1:
		return typeInfo{"Q4_1", 32, 20, readQ4_1}, true
	case Q5_0:
		return typeInfo{"Q5_0", 32, 22, readQ5_0}, true
	case Q5_1:
		return typeInfo{"Q5_1", 32, 24, readQ5_1}, true
	case Q8_0:
		return typeInfo{"Q8_0", 32, 34, readQ8_0}, true
	case Q4K:
		return typeInfo{"Q4_K", superblock, 144, readQ4K}, true
	case Q5K:
		return typeInfo{"Q5_K", superblock, 176, readQ5K}, true
	case Q6K:
		return typeInfo{"Q6_K", superblock, 210, readQ6K}, true
	case IQ4NL:
		return typeInfo{"IQ4_NL", 32, 18, readIQ4NL}, true
	}
	info, ok = listed[t]
	return info, ok
}

// listed are the types whose name and size are known and no more.
var listed = map[Type]typeInfo{
	9:  {name: "Q8_1", elements: 32, bytes: 40},
	10: {name: "Q2_K", elements: superblock, bytes: 84},
	11: {name: "Q3_K", elements: superblock, bytes: 110},
	15: {name: "Q8_K", elements: superblock, bytes: 292},
	16: {name: "IQ2_XXS", elements: superblock, bytes: 66},
	17: {name: "IQ2_XS", elements: superblock, bytes: 74},
	18: {name: "IQ3_XXS", elements: superblock, bytes: 98},
	19: {name: "IQ1_S", elements: superblock, bytes: 50},
	21: {name: "IQ3_S", elements: superblock, bytes: 110},
	22: {name: "IQ2_S", elements: superblock, bytes: 82},
	23: {name: "IQ4_XS", elements: superblock, bytes: 136},
	24: {name: "I8", elements: 1, bytes: 1},
	25: {name: "I16", elements: 1, bytes: 2},
	26: {name: "I32", elements: 1, bytes: 4},
	27: {name: "I64", elements: 1, bytes: 8},
	28: {name: "F64", elements: 1, bytes: 8},
	29: {name: "IQ1_M", elements: superblock, bytes: 56},
	34: {name: "TQ1_0", elements: superblock, bytes: 54},
	35: {name: "TQ2_0", elements: superblock, bytes: 66},
	39: {name: "MXFP4", elements: 32, bytes: 17},
	40: {name: "NVFP4", elements: 64, bytes: 36},
	41: {name: "Q1_0", elements: 128, bytes: 18},
}

// String returns the name that the format gives the type.
func (t Type) String() string {
	if info, ok := t.info(); ok {
		return info.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// supported names the types that can be read.
const supported = "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K, IQ4_NL"
