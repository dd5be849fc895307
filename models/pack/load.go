package pack

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Load is Open that reads the file into memory instead of mapping it, and compares the
// checksum of every block. It does not depend on the file afterwards; a mapped file that is
// cut ends the process that reads it.
//
// memory is asked once for a buffer of the whole file, aligned to 64 bytes, which stays the
// caller's and must outlive the pack. The error wraps those of Open.
func Load(ctx context.Context, path string, memory func(size int) ([]byte, error)) (*Pack, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	p, err := load(ctx, f, memory)
	if err != nil {
		return nil, fmt.Errorf("open pack %s: %w", path, err)
	}
	return p, nil
}

func load(ctx context.Context, f *os.File, memory func(size int) ([]byte, error)) (*Pack, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return nil, errForeign
	}
	start := make([]byte, min(info.Size(), fixedHeader+maxJSON))
	if err := readPart(f, start, 0); err != nil {
		return nil, err
	}
	h, err := decodeHeader(start, info.Size(), packKind)
	if err != nil {
		return nil, err
	}
	data, err := memory(int(info.Size()))
	if err != nil {
		return nil, err
	}
	p := &Pack{data: data[:info.Size():info.Size()], unmap: func() error { return nil }, header: h}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0)) // checksums take as long as copying
	for i := range h.Blocks {
		group.Go(func() error { return p.loadBlock(ctx, f, i) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return p, nil
}

// loadPiece is how many bytes are read before their checksum is computed, so that they are
// still in the cache.
const loadPiece = 256 << 10

// loadBlock reads a block to its place.
func (p *Pack) loadBlock(ctx context.Context, f io.ReaderAt, i int) error {
	b, data, sum := p.header.Blocks[i], p.block(i), uint32(0)
	for at := 0; at < len(data); at += loadPiece {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := data[at:min(at+loadPiece, len(data))]
		if err := readPart(f, piece, b.Offset+int64(at)); err != nil {
			return fmt.Errorf("block %s: %w", b.Name, err)
		}
		sum = crc32.Update(sum, castagnoli, piece)
	}
	if sum != b.CRC {
		return fmt.Errorf("%w: the checksum of block %s differs", ErrCorrupt, b.Name)
	}
	return nil
}

// readPart fills data from an offset of a file; a shorter file is ErrTruncated.
func readPart(f io.ReaderAt, data []byte, offset int64) error {
	n, err := f.ReadAt(data, offset)
	if n == len(data) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return ErrTruncated
	}
	return err
}
