package office

import (
	"bytes"
	"context"
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
	format("odt", readODF, "ott", "fodt", "odm", "oth", "sxw", "stw", "sxg"),
	format("pptx", readPPTX, "pptm", "potx", "potm", "ppsx", "ppsm"),
	format("odp", readODF, "otp", "fodp", "sxi", "sti"),
	format("xlsx", readXLSX, "xlsm", "xlsb", "xltx", "xltm"),
	format("ods", readODF, "ots", "fods", "sxc", "stc"),
	format("odg", readODF, "otg", "fodg", "sxd", "std"),
	format("epub", readEPUB),
	oldFormat("doc", "WordDocument", "dot"),
	oldFormat("xls", "Workbook", "xlt", "xla"),
	oldFormat("ppt", "PowerPoint Document", "pps", "pot"),
	format("xmind", readXMind),
	format("pages", readIWork("pages")),
	format("numbers", readIWork("numbers")),
	format("key", readIWork("key")),
	format("xps", readXPS, "oxps"),
	format("vsdx", readVisio, "vsdm", "vstx", "vstm", "vssx", "vssm"),
	flat("wordml", readWordXML, "<w:wordDocument"),
	flat("flatopc", readFlatOPC, "<pkg:package"),
	flat("kml", readKML, "<kml"),
	flat("gnumeric", readGnumeric, "<gnm:Workbook", "<gmr:Workbook"),
	flat("xopp", readXournal, "<xournal"),
	flat("comic", readComic, "<ComicInfo"),
	{Name: "rtf", Extensions: []string{"rtf"}, MaxBytes: maxBytes, Read: readRTF,
		Is: func(_ string, head []byte) bool { return bytes.HasPrefix(head, []byte("{\\rtf")) }},
}

// format returns the Format of files that are zip archives, and of their relatives.
func format(name string, read func(context.Context, *document.Input) (*document.Document, error), others ...string) document.Format {
	extensions := append([]string{name}, others...)
	is := func(file string, head []byte) bool {
		ext := document.Extension(file)
		named := slices.Contains(extensions, ext)
		switch kind := kindOfHead(head); {
		case kind == zipped, kind == ole && (name == "docx" || name == "pptx" || name == "xlsx"):
			return named // its other parts say what it is, or that it is encrypted
		case kind == flatODF:
			return flatKind(head) == name || named && strings.HasPrefix(ext, "f")
		default:
			return kind == name && ext != "jar"
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
	// flatODF is OpenDocument in one file of XML.
	flatODF = "xml"
)

// mimeTypes are those of the formats that keep one where a head shows it.
var mimeTypes = []struct{ prefix, format string }{
	{"application/vnd.oasis.opendocument.text", "odt"},
	{"application/vnd.oasis.opendocument.presentation", "odp"},
	{"application/vnd.oasis.opendocument.spreadsheet", "ods"},
	{"application/vnd.oasis.opendocument.graphics", "odg"},
	{"application/epub+zip", "epub"},
}

// flat returns the Format of files of XML that begin with one of some elements, whatever they are called.
func flat(name string, read func(context.Context, *document.Input) (*document.Document, error), roots ...string) document.Format {
	is := func(_ string, head []byte) bool {
		return isXML(head) && slices.ContainsFunc(roots, func(root string) bool { return bytes.Contains(head[:min(len(head), 2048)], []byte(root)) })
	}
	return document.Format{Name: name, Extensions: []string{name}, Is: is, Read: read, MaxBytes: maxBytes}
}

// isXML reports whether a file begins as one of XML does.
func isXML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 1 && head[0] == '<' && (head[1] == '?' || head[1] == '!' || head[1] >= 'A')
}

// flatKind returns the format that a file of flat OpenDocument says it is, "" where it does not.
func flatKind(head []byte) string {
	_, said, found := bytes.Cut(head, []byte(`office:mimetype="`))
	for _, m := range mimeTypes {
		if found && isXML(head) && bytes.HasPrefix(said, []byte(m.prefix)) {
			return m.format
		}
	}
	return ""
}

// kindOfHead says what a file is that begins with head: a format, zipped, ole, flatODF or "".
func kindOfHead(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(cfb.Magic)):
		return ole
	case !bytes.HasPrefix(head, []byte("PK\x03\x04")):
		if bytes.Contains(head[:min(len(head), 2048)], []byte("<office:document")) {
			return flatODF
		}
		return ""
	case len(head) < 38:
		return zipped
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
		for _, m := range []struct{ folder, format string }{{"word/", "docx"}, {"ppt/", "pptx"}, {"xl/", "xlsx"}, {"visio/", "vsdx"}, {".fdseq", "xps"}, {".fpage", "xps"}} {
			if bytes.Contains(head, []byte(m.folder)) {
				return m.format
			}
		}
	}
	return zipped
}
