// Package testcfb makes compound files ([MS-CFB]), for tests of what reads them.
//
//	data := testcfb.Make(testcfb.Files{"WordDocument": "...", "Box/Inner": "..."})
//
// The same files give the same bytes.
package testcfb

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
)

// Files are streams by their paths, with slashes between storages.
type Files map[string]string

const (
	sector   = 512
	mini     = 64
	cutoff   = 4096
	none     = 0xffffffff
	chainEnd = 0xfffffffe
	perFAT   = sector / 4
	inHeader = 109
)

// node is a storage or a stream.
type node struct {
	name     string
	data     string
	isStream bool
	within   []int
}

// maker puts a file together.
type maker struct {
	nodes []node
	body  []byte   // sectors behind the header
	next  []uint32 // of each sector
	mini  []byte
	minis []uint32
}

// Make returns a compound file of streams.
func Make(files Files) []byte {
	m := &maker{nodes: []node{{name: "Root Entry"}}}
	known := map[string]int{"": 0}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		above := 0
		for at, c := range path + "/" {
			if c != '/' {
				continue
			}
			here, found := known[path[:at]]
			if !found {
				here = len(m.nodes)
				known[path[:at]] = here
				m.nodes = append(m.nodes, node{name: path[strings.LastIndexByte(path[:at], '/')+1 : at]})
				m.nodes[above].within = append(m.nodes[above].within, here)
			}
			above = here
		}
		m.nodes[above].isStream, m.nodes[above].data = true, files[path]
	}
	return m.file()
}

// chain adds sectors that hold data, and returns the first.
func (m *maker) chain(data []byte) uint32 {
	if len(data) == 0 {
		return chainEnd
	}
	first := len(m.next)
	for len(data) > 0 {
		part := make([]byte, sector)
		data = data[copy(part, data):]
		m.body = append(m.body, part...)
		m.next = append(m.next, uint32(len(m.next))+1)
	}
	m.next[len(m.next)-1] = chainEnd
	return uint32(first)
}

// small adds small sectors that hold data, and returns the first.
func (m *maker) small(data []byte) uint32 {
	if len(data) == 0 {
		return chainEnd
	}
	first := len(m.minis)
	for len(data) > 0 {
		part := make([]byte, mini)
		data = data[copy(part, data):]
		m.mini = append(m.mini, part...)
		m.minis = append(m.minis, uint32(len(m.minis))+1)
	}
	m.minis[len(m.minis)-1] = chainEnd
	return uint32(first)
}

// file writes directory, tables and header.
func (m *maker) file() []byte {
	put := binary.LittleEndian.PutUint32
	directory := make([]byte, 128*len(m.nodes))
	for i, n := range m.nodes {
		e := directory[128*i:]
		units := utf16.Encode([]rune(n.name))
		for k, u := range units {
			binary.LittleEndian.PutUint16(e[2*k:], u)
		}
		binary.LittleEndian.PutUint16(e[64:], uint16(2*len(units)+2))
		e[66], e[67] = 1, 1
		for _, at := range []int{68, 72, 76} {
			put(e[at:], none)
		}
		if n.isStream {
			e[66] = 2
			start := m.chain
			if len(n.data) < cutoff {
				start = m.small
			}
			put(e[116:], start([]byte(n.data)))
			put(e[120:], uint32(len(n.data)))
		}
	}
	for i, n := range m.nodes { // a storage's entries are a list that goes to the right
		before := directory[128*i+76:]
		for _, at := range n.within {
			put(before, uint32(at))
			before = directory[128*at+72:]
		}
	}
	directory[66] = 5
	put(directory[116:], m.chain(m.mini))
	put(directory[120:], uint32(len(m.mini)))
	header := make([]byte, sector)
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(header[26:], 3)
	binary.LittleEndian.PutUint16(header[28:], 0xfffe)
	binary.LittleEndian.PutUint16(header[30:], 9)
	binary.LittleEndian.PutUint16(header[32:], 6)
	put(header[48:], m.chain(directory))
	put(header[56:], cutoff)
	put(header[60:], m.chain(table(m.minis)))
	m.tables(header)
	return append(header, m.body...)
}

// tables writes the table of sectors and where its own stand.
func (m *maker) tables(header []byte) {
	put := binary.LittleEndian.PutUint32
	fats := 1
	lists := 0
	for fats*perFAT < len(m.next)+fats+lists {
		fats++
		lists = (max(fats-inHeader, 0) + perFAT - 2) / (perFAT - 1)
	}
	first := len(m.next)
	for range fats {
		m.next = append(m.next, 0xfffffffd)
	}
	for range lists {
		m.next = append(m.next, 0xfffffffc)
	}
	m.body = append(m.body, table(m.next)...)
	put(header[44:], uint32(fats))
	put(header[68:], chainEnd)
	for i := range inHeader {
		at := uint32(none)
		if i < fats {
			at = uint32(first + i)
		}
		put(header[76+4*i:], at)
	}
	for l := range lists {
		var list []uint32
		for i := range perFAT - 1 {
			at := uint32(none)
			if k := inHeader + l*(perFAT-1) + i; k < fats {
				at = uint32(first + k)
			}
			list = append(list, at)
		}
		m.body = append(m.body, table(append(list, uint32(first+fats+l+1)))...)
	}
	if lists > 0 {
		put(header[68:], uint32(first+fats))
		put(m.body[len(m.body)-4:], chainEnd)
		put(header[72:], uint32(lists))
	}
}

// table returns numbers as they are written, in whole sectors.
func table(numbers []uint32) []byte {
	var out []byte
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	for len(out)%sector != 0 {
		out = binary.LittleEndian.AppendUint32(out, none)
	}
	return out
}
