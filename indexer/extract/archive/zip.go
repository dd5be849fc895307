package archive

import (
	"archive/zip"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract/guess"

	"github.com/dustin/go-humanize"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// isLocked is the flag of a member that wants a password.
const isLocked = 1

// readZip reads the members of a zip.
func readZip(ctx context.Context, in *document.Input) (*document.Document, error) {
	z, err := openZip(in)
	if err != nil {
		return nil, fmt.Errorf("its list of members: %w", err)
	}
	if kind := documentIn(z.File); kind != "" && kind != document.Extension(in.Name) {
		at, size := in.At()
		data := make([]byte, min(size, maxBytes))
		if _, err := at.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		d, err := in.Open(ctx, path.Base(in.Name)+"."+kind, data)
		if err == nil && strings.TrimSpace(d.Text) != "" || errors.Is(err, document.ErrEncrypted) || errors.Is(err, document.ErrBounds) || ctx.Err() != nil {
			return d, err
		}
	}
	if cards := ankiCollection(z.File); cards != nil {
		return readAnki(ctx, in, cards)
	}
	if document.Extension(in.Name) != "zip" && isProgram(z.File) { // nor is it a document that only has the parts of one
		return nil, document.ErrOther
	}
	var files []*zip.File
	var names []string
	old := oldNames(z)
	for _, f := range z.File {
		if name := nameOf(f, old); wanted(name) {
			files, names = append(files, f), append(names, name)
		}
	}
	m := newMembers(in, names)
	m.bundles = bundles(in, files)
	for _, f := range files {
		if m.done() {
			break
		}
		if f.Flags&isLocked != 0 {
			m.encrypted++
			continue
		}
		err := m.add(ctx, nameOf(f, old), f.UncompressedSize64, func() (io.Reader, error) { return f.Open() })
		if err != nil {
			return nil, err
		}
	}
	return m.document("zip")
}

// mainParts are members that say of a zip which document it is, whatever it is called, by the extension that such
// documents have. The first that is there counts. A text of OpenDocument is read as a sheet where it is one.
var mainParts = []struct{ part, beside, kind string }{
	{"word/document.xml", "", "docx"}, {"ppt/presentation.xml", "", "pptx"}, {"xl/workbook.xml", "", "xlsx"}, {"xl/workbook.bin", "", "xlsx"},
	{"meta-inf/container.xml", "", "epub"}, {"content.json", "metadata.json", "xmind"}, {"content.xml", "mimetype", "odt"},
	{"content.xml", "meta-inf/manifest.xml", "xmind"},               // of before 2020
	{"content.xml", "comments.xml", "xmind"},                        // as a library writes them
	{"index/document.iwa", "", "pages"}, {"index.zip", "", "pages"}, // texts and tables are read alike of all three
}

// documentIn returns what a zip is, by its members: an extension, "" of an archive.
func documentIn(files []*zip.File) string {
	parts := map[string]bool{}
	for _, f := range files {
		parts[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = true
	}
	for _, m := range mainParts {
		if parts[m.part] && (m.beside == "" || parts[m.beside]) {
			return m.kind
		}
	}
	return ""
}

// isProgram reports whether a zip is a package of a program.
func isProgram(files []*zip.File) bool {
	for _, f := range files {
		switch name := f.Name; {
		case name == "META-INF/MANIFEST.MF", name == "AndroidManifest.xml", name == "AppxManifest.xml", name == "[Content_Types].xml",
			strings.HasSuffix(name, ".nuspec"), strings.HasSuffix(name, ".dist-info/WHEEL"), strings.HasSuffix(name, "/data.pkl"):
			return true
		}
	}
	return false
}

// Methods of compression that package zip does not know, as APPNOTE.TXT numbers them.
const (
	methodBzip2 = 12
	methodZstd  = 93
)

// maxList bounds the bytes that the list of members has.
const maxList = 64 << 20

// list is a zip that may be read up to so many bytes more.
type list struct {
	io.ReaderAt
	left int64
}

func (l *list) ReadAt(p []byte, at int64) (int, error) {
	if l.left -= int64(len(p)); l.left < 0 {
		return 0, document.Bounds(humanize.IBytes(maxList) + " of names")
	}
	return l.ReaderAt.ReadAt(p, at)
}

// openZip reads the list of members.
func openZip(in *document.Input) (*zip.Reader, error) {
	at, size := in.At()
	from := &list{at, maxList}
	z, err := zip.NewReader(from, size)
	if err != nil {
		return nil, err
	}
	from.left = math.MaxInt64
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
