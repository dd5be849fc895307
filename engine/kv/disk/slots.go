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

// slot is where a chunk lies in the file of slots, and what it must hold.
type slot struct {
	extent                   // no pages: the chunk is not on the disk
	level  kv.Level          //
	sums   [kv.Groups]uint32 // CRC-32C of the id and each group
	bad    bool              // its bytes were found not to be what they must be
}

// there reports whether the chunk can be read.
func (s *slot) there() bool { return s.pages > 0 && !s.bad }

// sum returns the checksum of a group of a chunk. It covers what the bytes are of, so
// that bytes of another chunk never pass.
func sum(id ChunkID, level kv.Level, group int, data []byte) uint32 {
	var of [len(id) + 2]byte
	copy(of[:], id[:])
	of[len(id)], of[len(id)+1] = byte(level), byte(group)
	return crc32.Update(crc32.Checksum(of[:], castagnoli), castagnoli, data)
}

// sumsOf returns the checksums of the groups of a whole chunk.
func (l *Layout) sumsOf(id ChunkID, level kv.Level, data []byte) (sums [kv.Groups]uint32) {
	for g, size := range l.Groups[level] {
		sums[g], data = sum(id, level, g, data[:size]), data[size:]
	}
	return sums
}

// piece is bytes of one slot that are read or written, from its first page on.
type piece struct {
	extent
	data []byte
}

// runs calls do for each run of pieces that lie one after the other. A run ends with the
// piece that makes it as long as that many bytes.
func runs(pieces []piece, bytes int, do func([]piece) error) error {
	for len(pieces) > 0 {
		n, total := 1, len(pieces[0].data)
		for n < len(pieces) && n < mostPieces && total < bytes && pieces[n].page == pieces[n-1].end() {
			total += len(pieces[n].data)
			n++
		}
		if err := do(pieces[:n]); err != nil {
			return err
		}
		pieces = pieces[n:]
	}
	return nil
}

// mostPieces is how many pieces one call of the system may read or write: each takes
// two of the 1,024 buffers of a call, one for what is between it and the next.
const mostPieces = 500

// vectors returns the buffers of a run: each piece and the rest of its pages, which
// gap provides. The rest of the last piece is left out.
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

// skip drops the first n bytes of buffers.
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

// vector reads or writes buffers from offset on. It returns how many bytes it did,
// which may be fewer than all.
type vector func(file *os.File, buffers [][]byte, offset int64) (int, error)

// transfer reads or writes a whole run by as few calls as the system lets it.
func transfer(file *os.File, run []piece, call vector) error {
	var gap [pageBytes]byte
	buffers, offset := vectors(run, gap[:]), run[0].page*pageBytes
	for len(buffers) > 0 {
		n, err := call(file, buffers, offset)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		buffers, offset = skip(buffers, n), offset+int64(n)
	}
	return nil
}

// scrub removes the bytes of pages from the disk: it punches a hole where the system
// can, and writes zeroes elsewhere.
func scrub(file *os.File, e extent) error {
	if e.pages == 0 || punch(file, e.page*pageBytes, e.pages*pageBytes) == nil {
		return nil
	}
	return zero(file, e)
}

// zero writes zeroes to pages, but not where there are zeroes, nor behind the end of the
// file.
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

// Records of the index of slots.
const (
	kindIndex = 'i' // header: the key of the folder's meta
	kindSlot  = 's' // a chunk lies in a slot, and no longer where it lay
	kindFree  = 'f' // a chunk lies nowhere
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

// slotRecord is how long the payload of a slot's record is.
const slotRecord = 1 + len(ChunkID{}) + 1 + 8 + 4*kv.Groups

// decodeSlot reads what appendSlot wrote.
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
