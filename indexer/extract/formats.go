package extract

import (
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/archive"
	"dowse/indexer/extract/book"
	"dowse/indexer/extract/database"
	"dowse/indexer/extract/jotting"
	"dowse/indexer/extract/mail"
	"dowse/indexer/extract/markup"
	"dowse/indexer/extract/media"
	"dowse/indexer/extract/noteapp"
	"dowse/indexer/extract/office"
	"dowse/indexer/extract/pdf"
	"dowse/indexer/extract/record"
	"dowse/indexer/extract/session"
)

// Formats are the kinds of files whose text has to be taken out of them. The first
// that takes a file reads it. A program may put one of its own before them, but not while files are read.
var Formats = slices.Concat(pdf.Formats, office.Formats, book.Formats, database.Formats, mail.Formats, session.Formats, noteapp.Formats, markup.Formats, jotting.Formats, record.Formats, archive.Formats, media.Formats)

// formatHead is how much of a file a Format is recognised by.
const formatHead = 4 << 10

// formatOf returns the Format of a file that begins with data, nil for text and
// for files that are not read.
func formatOf(path string, data []byte) *document.Format {
	name := strings.ToLower(filepath.Base(path))
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	head := data[:min(len(data), formatHead)]
	for i := range Formats {
		f := &Formats[i]
		if f.Is != nil && f.Is(name, head) || f.Is == nil && slices.Contains(f.Extensions, ext) {
			return f
		}
	}
	return nil
}

// NameBytes is how much of a file Name looks at.
const NameBytes = headBytes

// Name returns what a file that begins with head is read as: the name of a Format, or of a kind
// of text; "" where it is not read. A Format may find that it is something else.
func Name(path string, head []byte) string {
	if f := formatOf(path, head); f != nil {
		return f.Name
	}
	if isHopeless(head) {
		return ""
	}
	kind, _ := kindOf(path, head)
	return kind.String()
}

// Named reports whether a file is named as one of a Format is.
func Named(path string) bool { return namedFormat(path) != nil }

// NamedSparse reports whether a file is named as one of a Format that is read in parts.
func NamedSparse(path string) bool {
	f := namedFormat(path)
	return f != nil && f.Sparse
}

// Sparse reports whether files of a Format of some name are read in parts, and by programs of
// the person's.
func Sparse(format string) bool {
	return slices.ContainsFunc(Formats, func(f document.Format) bool { return f.Name == format && f.Sparse })
}

// Grows reports whether a file is named as those are between which a Format finds some that are only appended to.
func Grows(path string) bool {
	ext := document.Extension(path)
	return slices.ContainsFunc(Formats, func(f document.Format) bool { return f.Grows && slices.Contains(f.Among, ext) })
}

// namedFormat returns the first Format whose files are named as a path is, nil where none are.
func namedFormat(path string) *document.Format {
	ext := document.Extension(path)
	for i := range Formats {
		if slices.Contains(Formats[i].Extensions, ext) {
			return &Formats[i]
		}
	}
	return nil
}
