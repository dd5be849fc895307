package media

import (
	"bytes"
	"encoding/binary"
)

const maxItems = 4096 // of a HEIC file; a picture in tiles has some fifty

// readHEIF reads the items of a HEIC or AVIF file that are EXIF and XMP.
func (w *words) readHEIF(s *source) {
	meta, found := s.inside(s.boxes(0, s.size), "meta")
	if !found {
		return
	}
	list := s.boxes(meta.content(s))
	infos, found := s.inside(list, "iinf")
	if !found {
		return
	}
	locations, found := s.inside(list, "iloc")
	if !found {
		return
	}
	data, _ := s.inside(list, "idat")
	start := infos.start + 6 // version, flags, count
	if s.number(infos.start, 1) > 0 {
		start += 2
	}
	wanted := map[int64]string{}
	for _, b := range s.boxes(start, infos.end) {
		if b.kind != "infe" {
			continue
		}
		version, size := s.number(b.start, 1), 2
		if version > 2 {
			size = 4
		}
		id, at := s.number(b.start+4, size), b.start+4+int64(size)+2
		kind := string(s.part(at, 4))
		if kind == "mime" && bytes.Contains(s.part(at+4, b.end-at-4), []byte("application/rdf+xml")) || kind == "Exif" {
			wanted[id] = kind
		}
	}
	if len(wanted) > 0 {
		w.readItems(s, locations, data, wanted)
	}
}

// readItems reads the items of some numbers, where a table says that they stand.
func (w *words) readItems(s *source, table, data box, wanted map[int64]string) {
	t := s.part(table.start, table.end-table.start)
	if len(t) < 8 {
		return
	}
	version := t[0]
	offsetSize, lengthSize, baseSize, indexSize := int(t[4]>>4), int(t[4]&15), int(t[5]>>4), int(t[5]&15)
	t = t[6:]
	next := func(size int) (n int64) {
		if size > 8 || size > len(t) {
			t = nil
			return 0
		}
		for _, b := range t[:size] {
			n = n<<8 | int64(b)
		}
		t = t[size:]
		return max(n, 0)
	}
	wide := 2
	if version >= 2 {
		wide = 4
	}
	count := next(wide)
	if version == 0 {
		indexSize = 0
	}
	if offsetSize+lengthSize == 0 {
		return
	}
	for range min(count, maxItems) {
		id, method := next(wide), int64(0)
		if version > 0 {
			method = next(2) & 15
		}
		next(2) // where the data is: this file
		base, extents := next(baseSize), next(2)
		var item []byte
		for range extents {
			next(indexSize)
			offset, length := next(offsetSize), next(lengthSize)
			if t == nil {
				return
			}
			if wanted[id] == "" || method > 1 || int64(len(item))+length > maxPart {
				continue
			}
			at := base + offset
			if method == 1 {
				at += data.start
			}
			item = append(item, s.part(at, length)...)
		}
		w.readItem(s, wanted[id], item)
	}
}

// readItem reads one item.
func (w *words) readItem(s *source, kind string, item []byte) {
	switch {
	case kind == "mime":
		w.readXMP(item)
	case kind == "Exif" && len(item) > 4: // after the place at which it begins
		skip := 4 + int64(binary.BigEndian.Uint32(item))
		if skip < int64(len(item)) {
			w.readEXIF(s.within(item[skip:]))
		}
	}
}
