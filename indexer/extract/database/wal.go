package database

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// Sizes in a write-ahead log of SQLite's (sqlite.org/fileformat2.html, 4.1).
const (
	headerBytes = 32
	frameBytes  = 24 // before each page
)

// header is that of a log; zeros where there is none. Each time that a log is begun anew it has other ones.
type header [headerBytes]byte

// logHeader reads the header of a log.
func logHeader(log io.ReaderAt) (h header, err error) {
	if _, err = log.ReadAt(h[:], 0); errors.Is(err, io.EOF) {
		return header{}, nil
	}
	return h, err
}

// order is that of the bytes in sums of a log; nil of what is no log.
func (h *header) order() binary.ByteOrder {
	switch binary.BigEndian.Uint32(h[:]) {
	case 0x377f0682:
		return binary.LittleEndian
	case 0x377f0683:
		return binary.BigEndian
	}
	return nil
}

// pageSize is that of the database, in bytes; 0 where it is none.
func (h *header) pageSize() int {
	n := binary.BigEndian.Uint32(h[8:])
	if n < 512 || n > 64<<10 || n&(n-1) != 0 {
		return 0
	}
	return int(n)
}

// logSum is the running sum of a log: of a header without its own sums, and of what follows.
type logSum struct{ a, b uint32 }

// add adds bytes; their number is a multiple of eight.
func (s *logSum) add(order binary.ByteOrder, data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		s.a += order.Uint32(data) + s.b
		s.b += order.Uint32(data[4:]) + s.a
	}
}

// is reports whether a sum is the one that stands in the log.
func (s *logSum) is(stored []byte) bool {
	return s.a == binary.BigEndian.Uint32(stored) && s.b == binary.BigEndian.Uint32(stored[4:])
}

// committed returns where the newest content of each page that a commit changed begins in the log, and how many pages the database has
// since the last commit. What stands behind it is of a transaction under way, or of an earlier log.
func (h *header) committed(ctx context.Context, log io.ReaderAt) (pages map[uint32]int64, count uint32) {
	order, size, sum := h.order(), h.pageSize(), logSum{}
	if order == nil || size == 0 {
		return nil, 0
	}
	if sum.add(order, h[:24]); !sum.is(h[24:]) {
		return nil, 0
	}
	pages, changed := map[uint32]int64{}, map[uint32]int64{}
	r := bufio.NewReaderSize(io.NewSectionReader(log, headerBytes, math.MaxInt64-headerBytes), 1<<20)
	frame := make([]byte, frameBytes+size)
	for at := int64(headerBytes); ctx.Err() == nil; at += int64(len(frame)) {
		if _, err := io.ReadFull(r, frame); err != nil || [8]byte(frame[8:16]) != [8]byte(h[16:24]) {
			break
		}
		sum.add(order, frame[:8])
		if sum.add(order, frame[frameBytes:]); !sum.is(frame[16:]) {
			break
		}
		changed[max(binary.BigEndian.Uint32(frame), 1)] = at + frameBytes
		if n := binary.BigEndian.Uint32(frame[4:]); n > 0 {
			count = n
			for number, at := range changed {
				pages[number] = at
			}
			clear(changed)
		}
	}
	return pages, count
}
