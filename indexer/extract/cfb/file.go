package cfb

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Magic is how compound files begin.
const Magic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

const (
	headerSize  = 512
	headerDIFAT = 76   // where sectors of the table of sectors are listed in the header
	miniSize    = 64   // bytes of a sector of the stream of small streams
	miniCutoff  = 4096 // bytes from which on a stream has sectors of its own
	maxSector   = 0xfffffffa
	linkSize    = 4 // bytes at the end of a sector of the list, that say where it goes on
)

// errNone is the error of a file that is no compound file, or whose beginning is gone.
var errNone = errors.New("it is no compound file")

// File is a compound file that is open.
type File struct {
	data    []byte
	sector  int      // bytes of a sector
	next    []uint32 // the sector after each
	mini    []byte   // the stream of small streams
	minis   []uint32 // the small sector after each
	entries []entry
	left    int // bytes of streams that are read still
}

// Open reads what a compound file holds. The error is errNone.
func Open(data []byte) (*File, error) {
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(Magic)) {
		return nil, errNone
	}
	shift := binary.LittleEndian.Uint16(data[30:])
	if shift != 9 && shift != 12 {
		return nil, errNone
	}
	f := &File{data: data, sector: 1 << shift, left: 2*len(data) + miniCutoff}
	f.sectors()
	header := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	f.directory(f.chain(header(48), len(data)))
	if len(f.entries) == 0 {
		return nil, errNone
	}
	f.minis = numbers(f.chain(header(60), len(data)))
	f.mini = f.chain(f.entries[0].start, int(min(f.entries[0].size, uint64(len(data)))))
	return f, nil
}

// sectors reads the table of sectors, whose own sectors are listed in the header and behind it.
func (f *File) sectors() {
	most := len(f.data)/f.sector + 1
	add := func(list []byte) {
		for _, at := range numbers(list) {
			if len(f.next) <= most {
				f.next = append(f.next, numbers(f.readSector(at))...)
			}
		}
	}
	add(f.data[headerDIFAT:headerSize])
	list := binary.LittleEndian.Uint32(f.data[68:])
	for range most {
		part := f.readSector(list)
		if len(part) < f.sector {
			return
		}
		end := f.sector - linkSize
		add(part[:end])
		list = binary.LittleEndian.Uint32(part[end:])
	}
}

// readSector returns a sector, nil where there is none. The last one may be short.
func (f *File) readSector(sector uint32) []byte {
	from := (int64(sector) + 1) * int64(f.sector)
	if sector > maxSector || from >= int64(len(f.data)) {
		return nil
	}
	return f.data[from:min(from+int64(f.sector), int64(len(f.data)))]
}

// chain returns the bytes of the sectors from one on, size at most.
func (f *File) chain(sector uint32, size int) []byte {
	var out []byte
	for n := 0; n <= len(f.next) && len(out) < size; n++ {
		part := f.readSector(sector)
		if len(part) == 0 {
			break
		}
		out = append(out, part...)
		if int64(sector) >= int64(len(f.next)) {
			break
		}
		sector = f.next[sector]
	}
	return out[:min(len(out), size)]
}

// miniChain is chain for small sectors.
func (f *File) miniChain(sector uint32, size int) []byte {
	var out []byte
	for n := 0; n <= len(f.minis) && len(out) < size; n++ {
		from := int64(sector) * miniSize
		if sector > maxSector || from >= int64(len(f.mini)) {
			break
		}
		out = append(out, f.mini[from:min(from+miniSize, int64(len(f.mini)))]...)
		if int64(sector) >= int64(len(f.minis)) {
			break
		}
		sector = f.minis[sector]
	}
	return out[:min(len(out), size)]
}

// numbers returns the numbers of four bytes that data consists of.
func numbers(data []byte) []uint32 {
	all := make([]uint32, 0, len(data)/4)
	for ; len(data) >= 4; data = data[4:] {
		all = append(all, binary.LittleEndian.Uint32(data))
	}
	return all
}
