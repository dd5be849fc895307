package archive

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"

	"dowse/indexer/document"
)

// maxBytes is the size above which an archive is not read: what is larger is a backup of a disk.
const maxBytes = 128 << 20

// Formats are those of files that hold others. Office files, which are zips as well, are listed before
// them.
var Formats = []document.Format{
	{Name: "zip", Extensions: []string{"zip"}, Is: isZip, Read: readZip, Part: partOfZip, MaxBytes: maxBytes, Slow: true},
	{Name: "tar", Extensions: []string{"tar"}, Is: isTar, Read: readTar, Part: partOfTar, MaxBytes: maxBytes, Slow: true},
	{Name: "gzip", Extensions: []string{"gz", "tgz"}, Is: isGzip, Read: unpacker(gunzip).read("gzip"), Part: unpacker(gunzip).part, MaxBytes: maxBytes, Slow: true},
	{Name: "bzip2", Extensions: []string{"bz2", "tbz2", "tbz"}, Is: isBzip2, Read: unpacker(bunzip2).read("bzip2"), Part: unpacker(bunzip2).part, MaxBytes: maxBytes, Slow: true},
	{Name: "zstd", Extensions: []string{"zst", "zstd", "tzst"}, Is: isZstd, Read: unpacker(unzstd).read("zstd"), Part: unpacker(unzstd).part, MaxBytes: maxBytes, Slow: true},
}

// isZip reports whether a file is a zip that is nothing else: programs and documents of many kinds are zips, too.
func isZip(name string, head []byte) bool {
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) && !bytes.HasPrefix(head, []byte("PK\x05\x06")) {
		return false
	}
	switch extension(name) {
	case "zip":
		return true
	case "":
		first := firstName(head)
		return first != "" && first != "mimetype" && first != "[Content_Types].xml" && !strings.HasPrefix(first, "META-INF/")
	}
	return false
}

// firstName returns the name of the first member of a zip.
func firstName(head []byte) string {
	const fixed = 30 // bytes before it
	if len(head) < fixed {
		return ""
	}
	return string(head[fixed:min(len(head), fixed+int(binary.LittleEndian.Uint16(head[26:])))])
}

func isTar(name string, head []byte) bool {
	const magicAt = 257
	return len(head) >= 512 && bytes.HasPrefix(head[magicAt:], []byte("ustar")) && (extension(name) == "tar" || extension(name) == "")
}

func isGzip(name string, head []byte) bool {
	switch extension(name) {
	case "gz", "tgz", "":
		return bytes.HasPrefix(head, []byte("\x1f\x8b\x08"))
	}
	return false
}

func isBzip2(name string, head []byte) bool {
	switch extension(name) {
	case "bz2", "tbz2", "tbz", "":
		return bytes.HasPrefix(head, []byte("BZh"))
	}
	return false
}

func isZstd(name string, head []byte) bool {
	switch extension(name) {
	case "zst", "zstd", "tzst", "":
		return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd"))
	}
	return false
}

func extension(name string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
}
