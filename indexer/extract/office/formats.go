package office

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
)

// maxBytes is the size above which a file is not read. Most of it are pictures.
const maxBytes = 64 << 20

// Formats are the kinds of files that are read.
var Formats = []document.Format{
	format("docx", readDOCX, "docm", "dotx", "dotm"),
	format("odt", readODF, "ott", "fodt", "odm"),
	format("pptx", readPPTX, "pptm", "potx", "potm", "ppsx", "ppsm"),
	format("odp", readODF, "otp", "fodp"),
	format("xlsx", readXLSX, "xlsm", "xltx", "xltm"),
	format("ods", readODF, "ots", "fods"),
	format("epub", readEPUB),
	oldFormat("doc", "WordDocument", "dot"),
	oldFormat("xls", "Workbook", "xlt", "xla"),
	oldFormat("ppt", "PowerPoint Document", "pps", "pot"),
	{Name: "rtf", Extensions: []string{"rtf"}, MaxBytes: maxBytes, Read: readRTF,
		Is: func(_ string, head []byte) bool { return bytes.HasPrefix(head, []byte("{\\rtf")) }},
}

// format returns the Format of files that are zip archives, and of their relatives.
func format(name string, read func(context.Context, *document.Input) (*document.Document, error), others ...string) document.Format {
	extensions := append([]string{name}, others...)
	is := func(file string, head []byte) bool {
		ext := strings.TrimPrefix(filepath.Ext(strings.ToLower(file)), ".")
		named := slices.Contains(extensions, ext)
		switch kind := kindOfHead(head); {
		case kind == zipped, kind == ole && !strings.HasPrefix(name, "od") && name != "epub":
			return named // its other parts say what it is, or that it is encrypted
		case kind == "xml":
			return named && strings.HasPrefix(ext, "f")
		default:
			return kind == name && !slices.Contains([]string{"zip", "jar"}, ext)
		}
	}
	either := func(ctx context.Context, in *document.Input) (*document.Document, error) {
		if bytes.HasPrefix(in.Data, []byte(cfb.Magic)) {
			return readOld(ctx, in)
		}
		return read(ctx, in)
	}
	return document.Format{Name: name, Extensions: extensions, Is: is, Read: either, MaxBytes: maxBytes, Slow: true}
}

// Kinds that a head tells besides the names of formats.
const (
	zipped = "zip" // of what, it does not tell
	ole    = "ole" // how Office keeps old and encrypted documents
)

// mimeTypes are those of the formats that keep one where a head shows it.
var mimeTypes = []struct{ prefix, format string }{
	{"application/vnd.oasis.opendocument.text", "odt"},
	{"application/vnd.oasis.opendocument.presentation", "odp"},
	{"application/vnd.oasis.opendocument.spreadsheet", "ods"},
	{"application/epub+zip", "epub"},
}

// kindOfHead says what a file is that begins with head: a format, zipped, ole, "xml" for
// flat OpenDocument, or "".
func kindOfHead(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(cfb.Magic)):
		return ole
	case bytes.Contains(head[:min(len(head), 2048)], []byte("<office:document")):
		return "xml"
	case !bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) < 38:
		return ""
	}
	nameEnd := 30 + int(head[26]) + int(head[27])<<8
	dataAt := nameEnd + int(head[28]) + int(head[29])<<8
	if dataAt > len(head) {
		return zipped
	}
	switch name := string(head[30:nameEnd]); {
	case name == "mimetype":
		for _, m := range mimeTypes {
			if bytes.HasPrefix(head[dataAt:], []byte(m.prefix)) {
				return m.format
			}
		}
	case name == contentTypes || strings.HasPrefix(name, "_rels/") || strings.HasPrefix(name, "docProps/"):
		for _, m := range []struct{ folder, format string }{{"word/", "docx"}, {"ppt/", "pptx"}, {"xl/", "xlsx"}} {
			if bytes.Contains(head, []byte(m.folder)) {
				return m.format
			}
		}
	}
	return zipped
}
