package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// partOfZip opens a member by its name.
func partOfZip(_ context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	z, err := openZip(in)
	if err != nil {
		return nil, false, err
	}
	old := oldNames(z)
	for _, f := range z.File {
		if nameOf(f, old) != wanted.Name || wanted.Unit != document.Member {
			continue
		}
		if f.Flags&isLocked != 0 {
			return nil, false, document.ErrEncrypted
		}
		r, err := f.Open()
		if err != nil {
			return nil, false, err
		}
		return member(in, wanted.Name, r)
	}
	return nil, false, document.ErrNoPart
}

// partOfTar opens a member by its name.
func partOfTar(ctx context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	t := tar.NewReader(bytes.NewReader(in.Data))
	for wanted.Unit == document.Member && ctx.Err() == nil {
		h, err := t.Next()
		if err != nil { // the end, or damage
			break
		}
		if h.Typeflag == tar.TypeReg && strings.ToValidUTF8(h.Name, "\ufffd") == wanted.Name {
			return member(in, wanted.Name, t)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	return nil, false, document.ErrNoPart
}

// member reads one. The error wraps ErrBounds and ErrNoPart of one that is larger than what is held: nothing opens that by itself.
func member(in *document.Input, name string, r io.Reader) (*document.Input, bool, error) {
	data, err := in.Unpack(io.LimitReader(r, maxMember+1), 0)
	if err != nil {
		return nil, false, err
	}
	if len(data) > maxMember {
		return nil, false, fmt.Errorf("%s: %w: %w", name, document.ErrNoPart, document.Bounds(humanize.IBytes(maxMember)+" of a member"))
	}
	inner, err := in.Within(name, data)
	return inner, true, err
}
