package archive

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"
)

// maxBytes is the size above which an archive is not read: what is larger is a backup of a disk.
const maxBytes = 128 << 20

// maxZip is the size above which a zip in a folder is not read: its members are read one by one.
const maxZip = 2 << 30

// Formats are those of files that hold others. Office files, which are zips as well, are listed before
// them.
var Formats = []document.Format{
	{Name: "zip", Extensions: []string{"zip"}, Is: isZip, Read: readZip, Part: partOfZip, MaxBytes: maxZip, Slow: true, Streamed: true},
	{Name: "tar", Extensions: []string{"tar"}, Is: isTar, Read: readTar, Part: partOfTar, MaxBytes: maxBytes, Slow: true},
	{Name: "gzip", Extensions: []string{"gz", "tgz"}, Is: isGzip, Read: unpacker(gunzip).read("gzip"), Part: unpacker(gunzip).part, MaxBytes: maxBytes, Slow: true},
	{Name: "bzip2", Extensions: []string{"bz2", "tbz2", "tbz"}, Is: isBzip2, Read: unpacker(bunzip2).read("bzip2"), Part: unpacker(bunzip2).part, MaxBytes: maxBytes, Slow: true},
	{Name: "zstd", Extensions: []string{"zst", "zstd", "tzst"}, Is: isZstd, Read: unpacker(unzstd).read("zstd"), Part: unpacker(unzstd).part, MaxBytes: maxBytes, Slow: true},
}

// isPackage says of an extension that its files are programs, or data of programs, packed as a zip or a tar: what
// a person wrote is not in them.
var isPackage = setOf("jar war ear aar apk apks xapk aab ipa whl egg gem crate nupkg snupkg xpi crx vsix oxt appx msix appxbundle " +
	"msixbundle pk3 pk4 love npz pt pth ckpt keras torchscript")

// setOf returns the words of a list.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// isZip reports whether a file is a zip, whatever it is called. What it holds tells what it is; see readZip.
func isZip(name string, head []byte) bool {
	return (bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))) && !isPackage[document.Extension(name)]
}

func isTar(name string, head []byte) bool {
	return holdsTar(head) && !isPackage[document.Extension(name)]
}

// holdsTar reports whether a file that begins with head is a tar.
func holdsTar(head []byte) bool {
	const magicAt = 257
	return len(head) >= 512 && bytes.HasPrefix(head[magicAt:], []byte("ustar"))
}

// isGzip reports whether a file is packed by gzip. Programs pack their own data under names of their own: such a
// file is one if text or a tar comes out at its beginning.
func isGzip(name string, head []byte) bool {
	if !bytes.HasPrefix(head, []byte("\x1f\x8b\x08")) || isPackage[document.Extension(name)] {
		return false
	}
	if ext := document.Extension(name); ext == "" || isArchiveName[ext] {
		return true
	}
	r, err := gunzip(head)
	if err != nil {
		return false
	}
	begins := make([]byte, 512)
	n, _ := io.ReadFull(r, begins) // the head may end before
	return holdsTar(begins[:n]) || n > 0 && bytes.IndexByte(begins[:n], 0) < 0 && utf8.Valid(begins[:lastRune(begins[:n])])
}

// lastRune returns where the last character of data begins, which may be cut.
func lastRune(data []byte) int {
	n := len(data) - 1
	for n > 0 && !utf8.RuneStart(data[n]) {
		n--
	}
	return n
}

// isArchiveName says which names promise an archive, or one packed file, and nothing of what is in it.
var isArchiveName = setOf("zip tar gz tgz bz2 tbz2 tbz zst zstd tzst 7z cbt cbz")

func isBzip2(name string, head []byte) bool {
	switch document.Extension(name) {
	case "bz2", "tbz2", "tbz", "":
		return bytes.HasPrefix(head, []byte("BZh"))
	}
	return false
}

func isZstd(name string, head []byte) bool {
	switch document.Extension(name) {
	case "zst", "zstd", "tzst", "":
		return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd"))
	}
	return false
}
