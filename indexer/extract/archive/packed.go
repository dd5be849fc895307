package archive

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"dowse/indexer/document"

	"github.com/klauspost/compress/zstd"
)

// A packed file holds one other, in compressed form. unpacker opens it.
type unpacker func(data []byte) (io.Reader, error)

func gunzip(data []byte) (io.Reader, error) { return gzip.NewReader(bytes.NewReader(data)) }

func bunzip2(data []byte) (io.Reader, error) { return bzip2.NewReader(bytes.NewReader(data)), nil }

// maxWindow is how far back a file of zstd may refer: as much as zstd --ultra does without
// asking (128 MiB is what it takes with --long).
const maxWindow = 128 << 20

func unzstd(data []byte) (io.Reader, error) { return zstdReader(bytes.NewReader(data)) }

// zstdReader decodes in the goroutine that reads, so that nothing has to be closed.
func zstdReader(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// read returns what reads the text of such files.
func (u unpacker) read(format string) func(context.Context, *document.Input) (*document.Document, error) {
	return func(ctx context.Context, in *document.Input) (*document.Document, error) {
		r, err := u(in.Data)
		if err != nil {
			return nil, err
		}
		data, err := in.Unpack(r, saidSize(in.Data))
		in.Forget()                       // of packed files within each other one is held
		if err != nil && len(data) == 0 { // of a damaged or large one, what came stays
			return nil, err
		}
		d, inside := in.OpenOnly(ctx, innerName(in.Name), data)
		if inside != nil && errors.Is(err, document.ErrBounds) { // a format that is read from its end
			return nil, err
		}
		if inside != nil {
			return nil, inside
		}
		if d.Kind == document.Log {
			d.Format, d.Plain = format, false
			return d, nil
		}
		b := in.Builder()
		b.Include(d)
		out := b.Document(format, d.Meta)
		if !isArchiveName[document.Extension(in.Name)] && d.Format != "" {
			out.Format = d.Format // a person knows nothing of how a program packs its files
		}
		return out, nil
	}
}

// saidSize returns what a file of gzip says of the size of what it holds (RFC 1952, 2.3.1), 0 where that cannot be so.
func saidSize(data []byte) uint64 {
	const most = 1032 // times smaller is what deflate makes of zeros
	if len(data) < 18 || !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return 0
	}
	if size := uint64(binary.LittleEndian.Uint32(data[len(data)-4:])); size <= most*uint64(len(data)) {
		return size
	}
	return 0
}

// part implements the Part of a Format: what the file holds is no part of its own.
func (u unpacker) part(_ context.Context, in *document.Input, _ document.Part) (*document.Input, bool, error) {
	r, err := u(in.Data)
	if err != nil {
		return nil, false, err
	}
	data, err := in.Unpack(r, saidSize(in.Data))
	if err != nil && !errors.Is(err, document.ErrBounds) {
		return nil, false, err
	}
	inner, err := in.Within(innerName(in.Name), data)
	return inner, false, err
}

// innerName returns the name of the file that a packed one holds: that of a program's own file is its own.
func innerName(name string) string {
	ext := document.Extension(name)
	if ext == "" || !isArchiveName[ext] {
		return name
	}
	inner := strings.TrimSuffix(name[:len(name)-len(ext)], ".")
	if strings.HasPrefix(ext, "t") { // tgz, tbz2, tbz, tzst
		inner += ".tar"
	}
	return inner
}
