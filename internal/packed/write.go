package packed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// HeadBytes of a file are kept as they are: read, they cost nothing.
const HeadBytes = 4096

const (
	magic = "dowse\x00zp"
	fixed = 24
	// chunkBytes of the file are put into planes at a time. A plane of width 2 is one block of zstd.
	chunkBytes = 256 << 10
	// lengthBytes say how long a frame is, which is not much longer than what it holds.
	lengthBytes = 4
	maxFrame    = chunkBytes + 1<<10
	// maxRatio bounds the memory that a damaged size asks for; a block of zstd holds 128 KiB, and takes 4 bytes at least.
	maxRatio = 32 << 10
)

// Write packs a file of numbers that have width bytes each, 1 or 2. Equal data give equal bytes.
func Write(w io.Writer, data []byte, width int) error {
	if width != 1 && width != 2 {
		return fmt.Errorf("numbers of %d bytes cannot be packed", width)
	}
	head := data[:min(HeadBytes, len(data))]
	start := append(make([]byte, 0, fixed+len(head)), magic...)
	start = binary.LittleEndian.AppendUint64(start, uint64(len(data)))
	start = binary.LittleEndian.AppendUint32(start, uint32(width))
	start = binary.LittleEndian.AppendUint32(start, uint32(len(head)))
	if _, err := w.Write(append(start, head...)); err != nil {
		return err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	if err != nil {
		return err
	}
	planes := make([]byte, chunkBytes)
	for rest := data[len(head):]; len(rest) > 0; {
		chunk := rest[:min(chunkBytes, len(rest))]
		rest = rest[len(chunk):]
		divide(planes, chunk, width)
		frame := z.EncodeAll(planes[:len(chunk)], make([]byte, lengthBytes))
		binary.LittleEndian.PutUint32(frame, uint32(len(frame)-lengthBytes))
		if _, err := w.Write(frame); err != nil {
			return errors.Join(err, z.Close())
		}
	}
	return z.Close()
}

// divide puts the first byte of each number before all second ones.
func divide(planes, chunk []byte, width int) {
	to := 0
	for plane := range width {
		for from := plane; from < len(chunk); from += width {
			planes[to] = chunk[from]
			to++
		}
	}
}

// unite undoes divide.
func unite(chunk, planes []byte, width int) {
	from := 0
	for plane := range width {
		for to := plane; to < len(chunk); to += width {
			chunk[to] = planes[from]
			from++
		}
	}
}
