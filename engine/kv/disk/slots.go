package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"dowse/engine/kv"
)

// slot is where a chunk is stored, and its checksums.
type slot struct {
	extent                   // no pages: not stored
	level  kv.Level          //
	sums   [kv.Groups]uint32 // CRC-32C of the id and each group
	bad    bool              // its bytes failed verification
}

// stored reports whether the chunk can be read.
func (s *slot) stored() bool { return s.pages > 0 && !s.bad }

// sum returns the checksum of a group. It covers the id, level and group, so bytes of another
// chunk never pass.
func sum(id ChunkID, level kv.Level, group int, data []byte) uint32 {
	var of [len(id) + 2]byte
	copy(of[:], id[:])
	of[len(id)], of[len(id)+1] = byte(level), byte(group)
	return crc32.Update(crc32.Checksum(of[:], castagnoli), castagnoli, data)
}

// sumsOf returns the checksums of a whole chunk's groups.
func (l *Layout) sumsOf(id ChunkID, level kv.Level, data []byte) (sums [kv.Groups]uint32) {
	for g, size := range l.Groups[level] {
		sums[g], data = sum(id, level, g, data[:size]), data[size:]
	}
	return sums
}

// piece is the bytes of one slot, from its first page on.
type piece struct {
	extent
	data []byte
}

// runs calls do for each run of adjacent pieces.
func runs(pieces []piece, do func([]piece) error) error {
	for len(pieces) > 0 {
		n := 1
		for n < len(pieces) && n < mostPieces && pieces[n].page == pieces[n-1].end() {
			n++
		}
		if err := do(pieces[:n]); err != nil {
			return err
		}
		pieces = pieces[n:]
	}
	return nil
}

// mostPieces bounds a run: each piece takes two of the 1,024 buffers of a system call, one for
// the gap behind it.
const mostPieces = 500

// vectors returns the buffers of a run: each piece, and gap for the rest of its last page
// except the last piece's.
func vectors(run []piece, gap []byte) [][]byte {
	all := make([][]byte, 0, 2*len(run))
	for i, p := range run {
		all = append(all, p.data)
		if rest := p.pages*pageBytes - int64(len(p.data)); rest > 0 && i+1 < len(run) {
			all = append(all, gap[:rest])
		}
	}
	return all
}

func skip(buffers [][]byte, n int) [][]byte {
	for len(buffers) > 0 && n >= len(buffers[0]) {
		n -= len(buffers[0])
		buffers = buffers[1:]
	}
	if n > 0 {
		buffers[0] = buffers[0][n:]
	}
	return buffers
}

// vector writes buffers from offset on and returns the number of bytes, which may be fewer
// than all.
type vector func(file *os.File, buffers [][]byte, offset int64) (int, error)

// transfer writes a whole run in as few calls as possible.
func transfer(file *os.File, run []piece, call vector) error {
	var gap [pageBytes]byte
	buffers, offset := vectors(run, gap[:]), run[0].page*pageBytes
	for len(buffers) > 0 {
		n, err := call(file, buffers, offset)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrShortWrite
		}
		buffers, offset = skip(buffers, n), offset+int64(n)
	}
	return nil
}

// scrub erases pages: it punches a hole where the system can, and writes zeroes elsewhere.
func scrub(file *os.File, e extent) error {
	if e.pages == 0 || punch(file, e.page*pageBytes, e.pages*pageBytes) == nil {
		return nil
	}
	return zero(file, e)
}

// zero writes zeroes to pages that hold anything else, up to the end of the file.
func zero(file *os.File, e extent) error {
	var data, zeroes [64 << 10]byte
	for at, end := e.page*pageBytes, e.end()*pageBytes; at < end; {
		part := data[:min(int64(len(data)), end-at)]
		n, err := file.ReadAt(part, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n == 0 {
			return nil
		}
		if !isZero(part[:n]) {
			if _, err := file.WriteAt(zeroes[:n], at); err != nil {
				return err
			}
		}
		at += int64(n)
	}
	return nil
}

func isZero(data []byte) bool {
	for len(data) >= 8 {
		if binary.NativeEndian.Uint64(data) != 0 {
			return false
		}
		data = data[8:]
	}
	for _, b := range data {
		if b != 0 {
			return false
		}
	}
	return true
}

const (
	kindIndex = 'i' // header: key of the meta
	kindSlot  = 's' // a chunk's new slot
	kindFree  = 'f' // a chunk is stored no more
)

func appendIndexHeader(dst []byte, key ChunkID) []byte {
	return appendRecord(dst, kindIndex, func(b []byte) []byte { return append(b, key[:]...) })
}

func appendSlot(dst []byte, id ChunkID, s slot) []byte {
	return appendRecord(dst, kindSlot, func(b []byte) []byte {
		b = append(append(b, id[:]...), byte(s.level))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.page))
		for _, sum := range s.sums {
			b = binary.LittleEndian.AppendUint32(b, sum)
		}
		return b
	})
}

func appendFree(dst []byte, id ChunkID) []byte {
	return appendRecord(dst, kindFree, func(b []byte) []byte { return append(b, id[:]...) })
}

// slotRecord is the length of a slot record's payload.
const slotRecord = 1 + len(ChunkID{}) + 1 + 8 + 4*kv.Groups

// decodeSlot reverses appendSlot.
func (l *Layout) decodeSlot(payload []byte) (id ChunkID, s slot, err error) {
	if len(payload) != slotRecord {
		return id, s, fmt.Errorf("a slot's record of %d bytes", len(payload))
	}
	payload = payload[1+copy(id[:], payload[1:]):]
	s.level = kv.Level(payload[0])
	page := binary.LittleEndian.Uint64(payload[1:])
	if l.Bytes(s.level) == 0 || page > 1<<40 {
		return id, s, fmt.Errorf("a slot of %d bits at page %d", s.level, page)
	}
	s.extent = extent{int64(page), pagesOf(l.Bytes(s.level))}
	for g := range s.sums {
		s.sums[g] = binary.LittleEndian.Uint32(payload[9+4*g:])
	}
	return id, s, nil
}
