package store

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// castagnoli is the polynomial that processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const checksumBytes = 4

// seal appends the checksum that ends every value.
func seal(value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, crc32.Checksum(value, castagnoli))
}

// unseal returns a value without its checksum, or ErrCorrupt naming where.
// The result shares memory with sealed.
func unseal(where string, sealed []byte) ([]byte, error) {
	if len(sealed) < checksumBytes {
		return nil, corrupt("%s is only %d bytes long", where, len(sealed))
	}
	value := sealed[:len(sealed)-checksumBytes]
	if crc32.Checksum(value, castagnoli) != binary.LittleEndian.Uint32(sealed[len(value):]) {
		return nil, corrupt("%s fails its checksum", where)
	}
	return value, nil
}

// key32 is an id as a key that sorts by number.
func key32(id uint32) []byte { return binary.BigEndian.AppendUint32(nil, id) }

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// appendSuffix front-codes s against previous: bytes shared, then the rest.
func appendSuffix(dst []byte, previous, s string) []byte {
	shared := 0
	for shared < len(previous) && shared < len(s) && previous[shared] == s[shared] {
		shared++
	}
	return appendString(binary.AppendUvarint(dst, uint64(shared)), s[shared:])
}

// decoder reads the fields of a value in order. The first field that does
// not fit makes it fail; later reads give zeroes, so that one look at err
// after the last field is enough.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = corrupt("%s", what)
	}
	d.rest = nil
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail("number cut short")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail("number cut short")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// uint32 reads a varint that must fit 32 bits.
func (d *decoder) uint32() uint32 {
	v := d.uvarint()
	if v > math.MaxUint32 {
		d.fail("number too large")
		return 0
	}
	return uint32(v)
}

// int63 reads a varint that must fit a non-negative int64.
func (d *decoder) int63() int64 {
	v := d.uvarint()
	if v > math.MaxInt64 {
		d.fail("number too large")
		return 0
	}
	return int64(v)
}

// bytes takes the next n bytes; the result shares memory with the value.
func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail("bytes cut short")
		return nil
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *decoder) string() string { return string(d.bytes(d.uvarint())) }

// suffix reads what appendSuffix wrote.
func (d *decoder) suffix(previous string) string {
	shared := d.uvarint()
	if shared > uint64(len(previous)) {
		d.fail("shared prefix longer than the string before")
		return ""
	}
	rest := d.bytes(d.uvarint())
	if len(rest) == 0 {
		return previous[:shared]
	}
	return previous[:shared] + string(rest)
}

// count reads the number of entries to come, each at least minBytes long, so
// that a damaged number cannot ask for more memory than the value warrants.
func (d *decoder) count(minBytes int) int {
	n := d.uvarint()
	if n > uint64(len(d.rest)/minBytes) {
		d.fail("more entries than bytes")
		return 0
	}
	return int(n)
}

// end reports what went wrong, bytes left over included.
func (d *decoder) end() error {
	if d.err == nil && len(d.rest) != 0 {
		d.fail("bytes left over")
	}
	return d.err
}
