package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"syscall"

	"dowse/internal/atomicfile"
)

// A log is records one after the other, the first of which is its header:
//
//	record   uint32 length of the payload, uint32 CRC-32C of it, payload
//	payload  a byte that says what it is, and the rest, not empty
//
// All numbers are little-endian.
const recordHeader = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendRecord appends a record whose payload fill appends.
func appendRecord(dst []byte, kind byte, fill func([]byte) []byte) []byte {
	start := len(dst)
	dst = fill(append(append(dst, make([]byte, recordHeader)...), kind))
	payload := dst[start+recordHeader:]
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(dst[start+4:], crc32.Checksum(payload, castagnoli))
	return dst
}

// nextRecord returns the payload of the first record of data; whole is false if that
// is torn or damaged.
func nextRecord(data []byte) (payload, rest []byte, whole bool) {
	if len(data) < recordHeader {
		return nil, data, false
	}
	size := int64(binary.LittleEndian.Uint32(data))
	if size == 0 || size > int64(len(data)-recordHeader) {
		return nil, data, false
	}
	payload, rest = data[recordHeader:recordHeader+size], data[recordHeader+size:]
	if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(data[4:]) {
		return nil, data, false
	}
	return payload, rest, true
}

// replay gives each record of data to take, until one is torn, damaged, or refused by
// take. It returns how many bytes were taken.
func replay(data []byte, take func(payload []byte) bool) int {
	rest := data
	for {
		payload, behind, whole := nextRecord(rest)
		if !whole || !take(payload) {
			return len(data) - len(rest)
		}
		rest = behind
	}
}

// log is a file that grows by records.
type log struct {
	path string
	size int64 // of its whole records
	// broken is set once a part of a record could not be cut off again: what is appended
	// behind that would be lost.
	broken error
}

// createLog writes a log of these records, which is on the disk when it returns, in
// the place of one that was there.
func createLog(path string, records []byte) (log, error) {
	if err := atomicfile.WriteFile(path, records, 0o600); err != nil {
		return log{}, full(err)
	}
	return log{path: path, size: int64(len(records))}, nil
}

// append writes records at the end by one write; sync sees them to the disk. What a
// failure left of them is cut off again.
func (l *log) append(records []byte, sync bool) (err error) {
	if l.broken != nil {
		return l.broken
	}
	file, err := os.OpenFile(l.path, os.O_WRONLY, 0o600)
	if err != nil {
		return full(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.WriteAt(records, l.size)
	if err == nil && sync {
		err = file.Sync()
	}
	if err == nil {
		l.size += int64(len(records))
		return nil
	}
	if cut := file.Truncate(l.size); cut != nil {
		l.broken = fmt.Errorf("%s ends in the middle of a record: %w; it goes on after a restart", l.path, cut)
	}
	return full(err)
}

// cut drops what follows the whole records of the file.
func (l *log) cut() error { return os.Truncate(l.path, l.size) }

// full wraps an error as ErrFull where the disk, or what this person may use of it, has
// no room.
func full(err error) error {
	for _, no := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, no) {
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
	}
	return err
}
