package office

import (
	"encoding/binary"
	"iter"
)

// message is a message of Protocol Buffers. A malformed field ends it.
type message []byte

// fields yields the number of each field with its value, or with its bytes.
func (m message) fields() iter.Seq2[int, field] {
	return func(yield func(int, field) bool) {
		for len(m) > 0 {
			key, n := binary.Uvarint(m)
			if n <= 0 {
				return
			}
			m = m[n:]
			var f field
			size := uint64(0)
			switch key & 7 {
			case 0:
				if f.number, n = binary.Uvarint(m); n <= 0 {
					return
				}
				size = uint64(n)
			case 1:
				size = 8
			case 2:
				if size, n = binary.Uvarint(m); n <= 0 {
					return
				}
				m = m[n:]
				f.data = m[:min(size, uint64(len(m)))]
			case 5:
				size = 4
			default:
				return
			}
			if !yield(int(key>>3), f) || size > uint64(len(m)) {
				return
			}
			m = m[size:]
		}
	}
}

// field is the value of one.
type field struct {
	number uint64
	data   message
}

// number returns the first field of a number as one, 0 where there is none.
func (m message) number(wanted int) uint64 {
	for n, f := range m.fields() {
		if n == wanted {
			return f.number
		}
	}
	return 0
}

// bytes returns the bytes of the first field of a number.
func (m message) bytes(wanted int) message {
	for n, f := range m.fields() {
		if n == wanted {
			return f.data
		}
	}
	return nil
}

// each yields the bytes of each field of a number.
func (m message) each(wanted int) iter.Seq[message] {
	return func(yield func(message) bool) {
		for n, f := range m.fields() {
			if n == wanted && !yield(f.data) {
				return
			}
		}
	}
}
