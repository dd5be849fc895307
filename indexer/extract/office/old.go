package office

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
)

// oldFormat returns the Format of documents before 2007 that are in a stream of some name. What cannot be read of those can be
// saved anew by a program that knows more of them.
func oldFormat(name, stream string, others ...string) document.Format {
	extensions := append([]string{name}, others...)
	inHead := []byte(strings.Join(strings.Split(stream, ""), "\x00"))
	is := func(file string, head []byte) bool {
		ext := strings.TrimPrefix(filepath.Ext(strings.ToLower(file)), ".")
		named := slices.Contains(extensions, ext)
		return kindOfHead(head) == ole && (named || bytes.Contains(head, inHead)) || named && isOlder(head)
	}
	read := func(ctx context.Context, in *document.Input) (*document.Document, error) {
		d, err := readOld(ctx, in)
		if err != nil && ctx.Err() == nil && !errors.Is(err, document.ErrEncrypted) {
			err = fmt.Errorf("%w: %w", document.ErrOld, err)
		}
		return d, err
	}
	return document.Format{Name: name, Extensions: extensions, Is: is, Read: read, MaxBytes: maxBytes, Slow: true}
}

// olderHeads are how files of Word before 6 and of Excel before 5 begin.
var olderHeads = []string{"\x31\xbe\x00\x00", "\x9b\xa5", "\xdb\xa5", "\x09\x00\x04\x00", "\x09\x02\x06\x00", "\x09\x04\x06\x00"}

// isOlder reports whether a file is of a program before those whose files are read.
func isOlder(head []byte) bool {
	return slices.ContainsFunc(olderHeads, func(h string) bool { return bytes.HasPrefix(head, []byte(h)) })
}

// dualStorage has the presentation as PowerPoint 97 keeps it, beside that for PowerPoint 95.
const dualStorage = "PP97_DUALSTORAGE"

// readOld reads a compound file: a document of Office before 2007, whatever it is called, or one of later that is encrypted.
func readOld(ctx context.Context, in *document.Input) (*document.Document, error) {
	file, err := cfb.Open(in.Data)
	if err != nil {
		return nil, err
	}
	root := file.Root()
	switch {
	case root.Has("EncryptedPackage"):
		return nil, document.ErrEncrypted
	case root.Has("WordDocument"):
		return readWord(ctx, in, root)
	case root.Has("Workbook"):
		return readExcel(ctx, in, root, root.Stream("Workbook"))
	case root.Has("Book"):
		return readExcel(ctx, in, root, root.Stream("Book"))
	case root.Storage(dualStorage) != nil && root.Storage(dualStorage).Has("PowerPoint Document"):
		return readPowerPoint(ctx, in, root.Storage(dualStorage))
	case root.Has("PowerPoint Document"):
		return readPowerPoint(ctx, in, root)
	}
	return nil, errors.New("it holds no document")
}
