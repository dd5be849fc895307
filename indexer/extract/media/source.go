package media

import (
	"bytes"
	"io"

	"dowse/indexer/document"
)

// Bounds of one file, whatever sizes it declares.
const (
	maxPart    = 4 << 20  // bytes of one part, such as a packet of XMP
	maxParts   = 32 << 20 // bytes of all parts
	maxReads   = 8192     // parts
	windowSize = 16 << 10 // what is read at once near the beginning, where most parts stand
	windowEnd  = 64 << 10
)

// source reads parts of a file, within bounds. A part that is not there, or
// beyond the bounds, is nil.
type source struct {
	r     io.ReaderAt
	size  int64
	spent *spent

	window   []byte // what was read last near the beginning
	windowAt int64
}

// spent counts the bytes read of a file and of parts within it.
type spent struct {
	reads int
	bytes int64
}

func newSource(in *document.Input) *source {
	r, size := in.At()
	return &source{r: r, size: size, spent: &spent{}}
}

// within returns a part as a source of its own, for formats that nest.
func (s *source) within(data []byte) *source {
	return &source{r: bytes.NewReader(data), size: int64(len(data)), spent: s.spent}
}

// part returns n bytes from an offset on. The caller does not change them.
func (s *source) part(at, n int64) []byte {
	if at < 0 || n <= 0 || n > maxPart || at > s.size-n {
		return nil
	}
	if from := at - s.windowAt; from >= 0 && from+n <= int64(len(s.window)) {
		return s.window[from : from+n : from+n]
	}
	length := n
	if at < windowEnd {
		length = min(max(n, windowSize), s.size-at)
	}
	s.spent.reads++
	s.spent.bytes += length
	if s.spent.reads > maxReads || s.spent.bytes > maxParts {
		return nil
	}
	data := make([]byte, length)
	if read, err := s.r.ReadAt(data, at); err != nil && int64(read) < n { // it shrank, or the disk failed
		return nil
	}
	if length > n {
		s.window, s.windowAt = data, at
	}
	return data[:n:n]
}

// head returns as many bytes as there are of the first n.
func (s *source) head(n int64) []byte { return s.part(0, min(n, s.size)) }
