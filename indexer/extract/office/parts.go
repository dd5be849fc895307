package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"dowse/indexer/document"
)

const contentTypes = "[Content_Types].xml"

// errNoPart is returned for a part that a file does not have.
var errNoPart = errors.New("it lacks a part")

// parts are the files of a zip archive.
type parts struct {
	in    *document.Input
	files map[string]*zip.File // by name in lower case
}

// openParts opens an archive. What is none gives an error.
func openParts(in *document.Input) (*parts, error) {
	// The archive's directory is the one thing that the limits do not see.
	if bytes.Count(in.Data, []byte("PK\x01\x02")) > document.DefaultLimits.Members {
		return nil, document.Bounds(fmt.Sprintf("%d parts", document.DefaultLimits.Members))
	}
	archive, err := zip.NewReader(bytes.NewReader(in.Data), int64(len(in.Data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	p := &parts{in: in, files: make(map[string]*zip.File, len(archive.File))}
	for _, f := range archive.File {
		name := partName(f.Name)
		if _, twice := p.files[name]; !twice {
			p.files[name] = f
		}
	}
	return p, nil
}

// partName makes the spellings of a part's name one. Nothing is ever written under it.
func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, "\\", "/")), "/"))
}

// has reports whether there is a part.
func (p *parts) has(name string) bool { return p.files[partName(name)] != nil }

// read returns a part. The error wraps errNoPart, a document.Err or says that it is damaged.
func (p *parts) read(name string) ([]byte, error) {
	f := p.files[partName(name)]
	if f == nil {
		return nil, fmt.Errorf("%w: %s", errNoPart, name)
	}
	if f.Flags&1 != 0 {
		return nil, document.ErrEncrypted
	}
	if err := p.in.Fits(f.UncompressedSize64); err != nil { // one that says less than it holds is damaged to the zip reader
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data, err := p.in.Unpack(r, f.UncompressedSize64)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}
