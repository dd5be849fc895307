package office

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
)

// Documents before 2007 are compound files (package cfb), read by their text streams: of Word paragraphs, headings, items, tables,
// notes, comments, text boxes, headers and footers, the results of fields; of Excel the same as of XLSX, without formats of
// files before Excel 97 that name none; of PowerPoint slides in their order, titles first, notes, comments. Styles of one's own
// that are based on headings are no headings, and tables of slides are paragraphs. Older or too damaged files give document.ErrOld.
//
// On the tests of Apache POI: words of DOC that LibreOffice 7.4 finds .986 of 47,007, 130 of 142 files with 99% or more (most of
// the others have words that LibreOffice cuts at soft hyphens or joins with the numbers of notes). Words of XLS that xlrd 2.0.2
// finds .993 of 49,861, 386 of 388 files (the two are of Excel 3 and 4). Words of PPT that LibreOffice finds .961 of 14,317, 61
// of 68 files; 510 of the missing words are of one file of PowerPoint 95. Of catppt's words .974 are there, of xls2csv's .977.

// oldFormat returns the Format of documents before 2007 that are in a stream of some name. What cannot be read of those can be
// saved anew by a program that knows more of them.
func oldFormat(name, stream string, others ...string) document.Format {
	extensions := append([]string{name}, others...)
	inHead := []byte(strings.Join(strings.Split(stream, ""), "\x00"))
	is := func(file string, head []byte) bool {
		ext := document.Extension(file)
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
