package store

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
)

// castagnoli is the polynomial that processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const checksumBytes = 4

// seal appends the checksum that ends every value. It covers the key too: a
// flipped bit may turn a key into another one that fits between its neighbours.
func seal(key, value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, checksum(key, value))
}

// checksum leaves out the header's key, so that programs of all formats can
// read which one the file has.
func checksum(key, value []byte) uint32 {
	sum := crc32.Checksum(value, castagnoli)
	if bytes.Equal(key, keyHeader) {
		return sum
	}
	return crc32.Update(sum, castagnoli, key)
}

// unseal returns a value without its checksum, sharing memory, or ErrCorrupt.
func unseal(key, sealed []byte) ([]byte, error) {
	if len(sealed) < checksumBytes {
		return nil, corrupt("record is only %d bytes long", len(sealed))
	}
	value := sealed[:len(sealed)-checksumBytes]
	if checksum(key, value) != binary.LittleEndian.Uint32(sealed[len(value):]) {
		return nil, corrupt("record fails its checksum")
	}
	return value, nil
}

// key32 returns an id as a key that sorts by number.
func key32(id uint32) []byte { return binary.BigEndian.AppendUint32(nil, id) }

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// decoder reads the fields of a value in order. After the first bad field all
// reads give zeroes, so that callers look at err once, at the end.
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

func (d *decoder) uint32() uint32 {
	v := d.uvarint()
	if v > math.MaxUint32 {
		d.fail("number too large")
		return 0
	}
	return uint32(v)
}

func (d *decoder) int63() int64 {
	v := d.uvarint()
	if v > math.MaxInt64 {
		d.fail("number too large")
		return 0
	}
	return int64(v)
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.fail("byte missing")
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// bytes takes the next n bytes without copying them.
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

// count reads how many entries follow, each at least minBytes long, so that a
// damaged number cannot ask for more memory than the value has.
func (d *decoder) count(minBytes int) int {
	n := d.uvarint()
	if n > uint64(len(d.rest)/minBytes) {
		d.fail("more entries than bytes")
		return 0
	}
	return int(n)
}

// end returns the first fault, or that bytes are left over.
func (d *decoder) end() error {
	if d.err == nil && len(d.rest) != 0 {
		d.fail("bytes left over")
	}
	return d.err
}
