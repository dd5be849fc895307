package media

import (
	"encoding/binary"
	"math"
)

// box is a part of an MP4, a MOV or a HEIC file: what it holds stands from start to end.
type box struct {
	kind       string
	start, end int64
}

const maxBoxes = 2048 // of one box

// boxes returns the boxes that stand from start to end. A last one that says that it goes on behind the end is cut.
func (s *source) boxes(start, end int64) (list []box) {
	for at := start; len(list) < maxBoxes && at <= end-8; {
		head := s.part(at, 8)
		if head == nil {
			return list
		}
		b := box{string(head[4:]), at + 8, end}
		switch length := int64(binary.BigEndian.Uint32(head)); {
		case length == 1:
			long := s.part(at+8, 8)
			if long == nil || binary.BigEndian.Uint64(long) > math.MaxInt64-uint64(at) {
				return list
			}
			b.start = at + 16
			b.end = min(end, at+int64(binary.BigEndian.Uint64(long)))
		case length > 0:
			b.end = min(end, at+length)
		}
		if b.end < b.start {
			return list
		}
		list = append(list, b)
		at = b.end
	}
	return list
}

// inside returns the first box at the end of a path of names.
func (s *source) inside(list []box, path ...string) (box, bool) {
	for _, b := range list {
		if b.kind != path[0] {
			continue
		}
		if len(path) == 1 {
			return b, true
		}
		return s.inside(s.boxes(b.content(s)), path[1:]...)
	}
	return box{}, false
}

// content returns where the boxes within a box stand. A meta box has four bytes before them,
// but not in files of QuickTime.
func (b box) content(s *source) (start, end int64) {
	if b.kind == "meta" {
		if head := s.part(b.start, 8); head != nil && string(head[4:]) != "hdlr" {
			return b.start + 4, b.end
		}
	}
	return b.start, b.end
}

// number reads a number of so many bytes, 0 where it does not stand there.
func (s *source) number(at int64, bytes int) (n int64) {
	for _, b := range s.part(at, int64(bytes)) {
		n = n<<8 | int64(b)
	}
	return max(n, 0)
}
