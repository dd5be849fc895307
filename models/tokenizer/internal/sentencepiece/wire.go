package sentencepiece

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// field is one field of a message of the protocol buffer wire format.
type field struct {
	number int
	varint uint64 // of wire type varint
	fixed  uint32 // of wire type 32 bits
	bytes  []byte // of wire type length-delimited
}

func (f field) float() float32 { return math.Float32frombits(f.fixed) }

// The wire types.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

var errCut = errors.New("cut short")

// eachField calls visit for every field of a message.
func eachField(data []byte, visit func(field) error) error {
	for len(data) > 0 {
		f, n, err := nextField(data)
		if err != nil {
			return err
		}
		data = data[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// nextField reads the field that data starts with and says how long it is.
func nextField(data []byte) (f field, length int, err error) {
	tag, at := binary.Uvarint(data)
	if at <= 0 {
		return f, 0, errCut
	}
	f.number = int(tag >> 3)
	switch kind := tag & 7; kind {
	case wireVarint:
		value, n := binary.Uvarint(data[at:])
		if n <= 0 {
			return f, 0, errCut
		}
		f.varint, at = value, at+n
	case wireFixed4:
		if len(data)-at < 4 {
			return f, 0, errCut
		}
		f.fixed, at = binary.LittleEndian.Uint32(data[at:]), at+4
	case wireFixed8:
		if len(data)-at < 8 {
			return f, 0, errCut
		}
		at += 8
	case wireBytes:
		size, n := binary.Uvarint(data[at:])
		if n <= 0 || size > uint64(len(data)-at-n) {
			return f, 0, errCut
		}
		f.bytes, at = data[at+n:at+n+int(size)], at+n+int(size)
	default:
		return f, 0, fmt.Errorf("field %d is of wire type %d, which is not supported", f.number, kind)
	}
	return f, at, nil
}
