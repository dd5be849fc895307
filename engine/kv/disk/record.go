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

// A log is a header record followed by others:
//
//	record   uint32 length of the payload, uint32 CRC-32C of it, payload
//	payload  a byte for its kind, and the rest, not empty
//
// Numbers are little-endian.
const recordHeader = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendRecord appends a record; fill appends its payload.
func appendRecord(dst []byte, kind byte, fill func([]byte) []byte) []byte {
	start := len(dst)
	dst = fill(append(append(dst, make([]byte, recordHeader)...), kind))
	payload := dst[start+recordHeader:]
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(dst[start+4:], crc32.Checksum(payload, castagnoli))
	return dst
}

// nextRecord returns the payload of the first record; whole is false if it is torn or damaged.
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

// replay passes the payloads of data to take until one is torn, damaged, or refused. It
// returns the number of bytes taken.
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
	size int64 // of its valid records
	// broken is set once an incomplete record could not be cut off: records behind it would
	// be lost.
	broken error
}

// createLog durably replaces a log by these records.
func createLog(path string, records []byte) (log, error) {
	if err := atomicfile.WriteFile(path, records, 0o600); err != nil {
		return log{}, full(err)
	}
	return log{path: path, size: int64(len(records))}, nil
}

// append writes records in one write, synced on request. An incomplete write is cut off.
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

// cut drops bytes behind the valid records.
func (l *log) cut() error { return os.Truncate(l.path, l.size) }

// full wraps an error as ErrFull if the disk or the user's quota on it is full.
func full(err error) error {
	for _, no := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, no) {
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
	}
	return err
}
