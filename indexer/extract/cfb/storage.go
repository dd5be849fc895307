package cfb

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Kinds of entries.
const (
	isStorage = 1
	isStream  = 2
	isRoot    = 5
)

const (
	entrySize = 128
	noEntry   = 0xffffffff
)

// entry is one of the directory: a storage or a stream.
type entry struct {
	name               string
	kind               byte
	left, right, child uint32 // entries beside it, and the first within it
	start              uint32 // its first sector
	size               uint64 // bytes
	seen               bool   // it is within a storage
	within             []int  // of a storage: its entries, in the order of the directory's tree
	byName             map[string]int
}

// Storage is a folder of a compound file.
type Storage struct {
	file *File
	at   int
}

// directory reads the entries, and then which is within which.
func (f *File) directory(data []byte) {
	wide := f.sector > headerSize
	for ; len(data) >= entrySize; data = data[entrySize:] {
		number := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
		e := entry{kind: data[66], left: number(68), right: number(72), child: number(76), start: number(116), size: uint64(number(120))}
		if wide { // a smaller file has anything in the upper half
			e.size = binary.LittleEndian.Uint64(data[120:])
		}
		length := min(binary.LittleEndian.Uint16(data[64:]), 64)
		units := make([]uint16, 0, 32)
		for i := 0; i+1 < int(length); i += 2 {
			if c := binary.LittleEndian.Uint16(data[i:]); c != 0 {
				units = append(units, c)
			}
		}
		e.name = string(utf16.Decode(units))
		f.entries = append(f.entries, e)
	}
	if len(f.entries) == 0 {
		return
	}
	f.entries[0].kind, f.entries[0].seen = isRoot, true
	storages := []int{0}
	for len(storages) > 0 {
		at := storages[len(storages)-1]
		storages = storages[:len(storages)-1]
		for _, i := range f.tree(f.entries[at].child) {
			f.entries[at].add(i, f.entries[i].name)
			if f.entries[i].kind == isStorage {
				storages = append(storages, i)
			}
		}
	}
}

// add puts an entry into a storage.
func (e *entry) add(i int, name string) {
	if e.byName == nil {
		e.byName = map[string]int{}
	}
	e.within = append(e.within, i)
	if key := strings.ToLower(name); e.byName[key] == 0 {
		e.byName[key] = i
	}
}

// tree returns the entries of a storage, from the topmost of their tree. One that was met already is passed over.
func (f *File) tree(top uint32) []int {
	var all []int
	var path []int // entries whose left ones are gone through
	for next := top; ; {
		for next != noEntry && int64(next) < int64(len(f.entries)) && !f.entries[next].seen {
			f.entries[next].seen = true
			path = append(path, int(next))
			next = f.entries[next].left
		}
		if len(path) == 0 {
			return all
		}
		i := path[len(path)-1]
		path = path[:len(path)-1]
		if kind := f.entries[i].kind; kind == isStorage || kind == isStream {
			all = append(all, i)
		}
		next = f.entries[i].right
	}
}

// Root returns the outermost storage.
func (f *File) Root() *Storage { return &Storage{f, 0} }

// Stream returns the bytes of a stream, nil where there is none of the name; in what case it is written does not matter. Of one
// that is damaged it is what can be read.
func (s *Storage) Stream(name string) []byte {
	e := s.find(name, isStream)
	if e == nil {
		return nil
	}
	f := s.file
	size := int(min(e.size, uint64(f.left)))
	var data []byte
	if e.size < miniCutoff {
		data = f.miniChain(e.start, size)
	} else {
		data = f.chain(e.start, size)
	}
	f.left -= len(data)
	return data
}

// Has reports whether there is a stream of the name.
func (s *Storage) Has(name string) bool { return s.find(name, isStream) != nil }

// Storage returns a storage within this one, nil if there is none of that name.
func (s *Storage) Storage(name string) *Storage {
	if s.find(name, isStorage) == nil {
		return nil
	}
	return &Storage{s.file, s.file.entries[s.at].byName[strings.ToLower(name)]}
}

// Names returns those of the streams and storages within this one, in the order of the file's directory.
func (s *Storage) Names() []string {
	within := s.file.entries[s.at].within
	names := make([]string, len(within))
	for i, at := range within {
		names[i] = s.file.entries[at].name
	}
	return names
}

// find returns an entry of a kind, nil where there is none.
func (s *Storage) find(name string, kind byte) *entry {
	at := s.file.entries[s.at].byName[strings.ToLower(name)]
	if at == 0 || s.file.entries[at].kind != kind {
		return nil
	}
	return &s.file.entries[at]
}
