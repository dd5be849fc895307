package archive

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract/guess"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// isLocked is the flag of a member that wants a password.
const isLocked = 1

// readZip reads the members of a zip.
func readZip(ctx context.Context, in *document.Input) (*document.Document, error) {
	z, err := openZip(in.Data)
	if err != nil {
		return nil, fmt.Errorf("its list of members: %w", err)
	}
	var files []*zip.File
	old := oldNames(z)
	for _, f := range z.File {
		if wanted(nameOf(f, old)) {
			files = append(files, f)
		}
	}
	m := newMembers(in, len(files))
	for _, f := range files {
		if m.done() {
			break
		}
		if f.Flags&isLocked != 0 {
			m.encrypted++
			continue
		}
		if f.UncompressedSize64 > maxMember && !m.onlyNames {
			m.large++
			continue
		}
		err := m.add(ctx, nameOf(f, old), func() (io.Reader, error) { return f.Open() })
		if err != nil {
			return nil, err
		}
	}
	return m.document("zip")
}

// Methods of compression that package zip does not know, as APPNOTE.TXT numbers them.
const (
	methodBzip2 = 12
	methodZstd  = 93
)

// openZip reads the list of members.
func openZip(data []byte) (*zip.Reader, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	z.RegisterDecompressor(methodBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(methodZstd, func(r io.Reader) io.ReadCloser {
		d, err := zstdReader(r)
		if err != nil {
			return io.NopCloser(broken{err})
		}
		return d.IOReadCloser()
	})
	return z, nil
}

// broken is a reader of what cannot be read.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// oldNames returns the encoding of names that are no UTF-8, as all of them together tell it.
func oldNames(z *zip.Reader) encoding.Encoding {
	var names []byte
	for _, f := range z.File {
		if f.NonUTF8 && !utf8.ValidString(f.Name) {
			names = append(append(names, f.Name...), '\n')
		}
	}
	if names == nil {
		return charmap.CodePage437
	}
	e, _ := guess.Encoding(names, guess.OfDOS...)
	return e
}

// nameOf returns the name of a member. Old programs write it in the encoding of their system.
func nameOf(f *zip.File, old encoding.Encoding) string {
	name := f.Name
	if f.NonUTF8 && !utf8.ValidString(name) {
		name, _ = old.NewDecoder().String(name)
	}
	return strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), `\`, "/")
}
