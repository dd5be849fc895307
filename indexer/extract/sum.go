package extract

import (
	"context"
	"encoding/binary"
	"io"
	"math"

	"github.com/cespare/xxhash/v2"

	"dowse/indexer/document"
	"dowse/indexer/skip"
)

// Sum returns a hash that tells versions of the file apart: of its bytes, or, of a Sparse Format, of the parts
// that it reads, the size and the time of modification. Those two stand for what programs of the person's see of
// such a file; a rename and a new mode do not change it. The error is a *skip.Error, or that of ctx.
func (s *Source) Sum(ctx context.Context) (uint64, error) {
	if s.log != nil {
		return s.log.state.sum.Sum64(), nil
	}
	if s.file == nil {
		return xxhash.Sum64(s.data), nil
	}
	sum := xxhash.New()
	format := s.format
	if format.Grows {
		return s.sumOn(ctx)
	}
	var err error
	if format.Sparse {
		_, _ = sum.Write(s.data)
		_, _ = sum.Write(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(s.Info.Size())), uint64(s.Info.ModTime().UnixNano())))
		in := s.input()
		in.File.ReaderAt = &traced{in.File.ReaderAt, sum}
		_, _ = converted(document.WithoutPrograms(ctx), format, in) // what it is refused for follows from the same parts
	} else {
		parts := io.Reader(io.NewSectionReader(s.reader(), 0, s.Info.Size()))
		if s.side != nil {
			parts = io.MultiReader(parts, io.NewSectionReader(counted{s.side, &s.read}, 0, math.MaxInt64))
		}
		_, err = io.CopyBuffer(sum, &until{ctx, parts}, make([]byte, sumBlock))
	}
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0, skip.FromOS(s.path, err)
	}
	return sum.Sum64(), nil
}

// sumBlock is how many bytes are read at a time.
const sumBlock = 1 << 20

// traced adds the bytes that are read, and their offsets, to a hash.
type traced struct {
	io.ReaderAt
	sum *xxhash.Digest
}

func (t *traced) ReadAt(p []byte, at int64) (int, error) {
	n, err := t.ReaderAt.ReadAt(p, at)
	_, _ = t.sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(at)))
	_, _ = t.sum.Write(p[:n])
	return n, err
}

// until is a Reader that fails once ctx ends.
type until struct {
	ctx context.Context
	io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}
