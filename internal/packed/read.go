package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/zstd"
)

var errDamaged = errors.New("a file that the program carries is damaged: install dowse again")

// File is one that is read from its beginning to its end, unpacked where it is packed.
type File struct {
	in   fs.File
	size int64
	next io.Reader
}

// Open reads a file as it was before it was packed, or as it is where it was not. The File closes in.
func Open(in fs.File) (*File, error) {
	f := &File{in: in}
	info, err := in.Stat()
	if err == nil {
		err = f.begin(in, info.Size())
	}
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return f, nil
}

// begin reads the start of a file of size bytes.
func (f *File) begin(in io.Reader, size int64) error {
	start := make([]byte, fixed)
	n, err := io.ReadFull(in, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if n < fixed || string(start[:len(magic)]) != magic {
		f.size, f.next = size, io.MultiReader(bytes.NewReader(start[:n]), in)
		return nil
	}
	f.size = int64(binary.LittleEndian.Uint64(start[8:]))
	width := binary.LittleEndian.Uint32(start[16:])
	head := int64(binary.LittleEndian.Uint32(start[20:]))
	if f.size < 0 || f.size > size*maxRatio || head != min(HeadBytes, f.size) || width != 1 && width != 2 {
		return fmt.Errorf("%w: a head of %d bytes of %d, width %d", errDamaged, head, f.size, width)
	}
	beginning := make([]byte, head)
	if _, err := io.ReadFull(in, beginning); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	f.next = io.MultiReader(bytes.NewReader(beginning), &chunks{in: in, width: int(width), left: f.size - head})
	return nil
}

// Size is that of the file before it was packed, in bytes.
func (f *File) Size() int64 { return f.size }

// Read unpacks as it goes; what lies within the head costs nothing.
func (f *File) Read(p []byte) (int, error) { return f.next.Read(p) }

// Close ends reading, wherever it is.
func (f *File) Close() error { return f.in.Close() }

// chunks are the rest of a file; the decoder lives from the first Read to the end.
type chunks struct {
	in     io.Reader
	width  int
	left   int64 // not yet decoded
	z      *zstd.Decoder
	frame  []byte
	planes []byte
	chunk  []byte // read from
	buffer []byte // chunk's memory
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.chunk) == 0 {
		if c.left == 0 {
			return 0, c.end()
		}
		if err := c.decode(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.chunk)
	c.chunk = c.chunk[n:]
	return n, nil
}

// decode fills chunk.
func (c *chunks) decode() (err error) {
	if c.z == nil {
		if c.z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(chunkBytes)); err != nil {
			return err
		}
		c.frame, c.planes, c.buffer = make([]byte, maxFrame), make([]byte, 0, chunkBytes), make([]byte, chunkBytes)
	}
	n := min(int64(chunkBytes), c.left)
	frame, err := c.nextFrame()
	if err == nil {
		c.planes, err = c.z.DecodeAll(frame, c.planes[:0])
	}
	if err == nil && int64(len(c.planes)) != n {
		err = fmt.Errorf("a chunk of %d bytes, not %d", len(c.planes), n)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	c.chunk = c.buffer[:n]
	unite(c.chunk, c.planes, c.width)
	c.left -= n
	return nil
}

// nextFrame reads the next one. Decoded as a whole, frames take half the time of a stream.
func (c *chunks) nextFrame() ([]byte, error) {
	if _, err := io.ReadFull(c.in, c.frame[:lengthBytes]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(c.frame)
	if n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	_, err := io.ReadFull(c.in, c.frame[:n])
	return c.frame[:n], err
}

// end checks that nothing follows, and gives the decoder's memory back.
func (c *chunks) end() error {
	if c.z == nil {
		return io.EOF
	}
	if n, err := c.in.Read(c.frame[:1]); n > 0 || !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %d bytes behind its end, %w", errDamaged, n, err)
	}
	c.z.Close()
	c.z = nil
	return io.EOF
}
