package extract

import (
	"bytes"
	"strings"

	"dowse/indexer/secret"
	"dowse/indexer/skip"
)

// signature is how files of a binary format begin.
type signature struct{ magic, format string }

// signatures are the formats that could pass for text, because they have no zero
// byte near their beginning, and those whose name is worth telling.
var signatures = []signature{
	{"%PDF-", "PDF"}, {"PK\x03\x04", "ZIP or office document"}, {"PK\x05\x06", "ZIP"}, {"\x1f\x8b", "gzip"},
	{"BZh", "bzip2"}, {"\xfd7zXZ\x00", "xz"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"7z\xbc\xaf\x27\x1c", "7-Zip"},
	{"Rar!\x1a\x07", "RAR"}, {"\x89PNG\r\n\x1a\n", "PNG"}, {"\xff\xd8\xff", "JPEG"}, {"GIF87a", "GIF"}, {"GIF89a", "GIF"},
	{"\x7fELF", "ELF program"}, {"SQLite format 3\x00", "SQLite"}, {"OggS", "Ogg"}, {"ID3", "MP3"}, {"fLaC", "FLAC"},
	{"wOFF", "font"}, {"wOF2", "font"}, {"OTTO", "font"}, {"\xca\xfe\xba\xbe", "Java class or Mach-O program"},
	{"\x00asm", "WebAssembly"}, {"\xd0\xcf\x11\xe0", "old office document"}, {"!<arch>\n", "archive"},
	{"{\\rtf", "RTF"}, {"%!PS", "PostScript"},
}

// newFormats are what old documents are saved as today.
var newFormats = map[string]string{"doc": "docx", "xls": "xlsx", "ppt": "pptx"}

// binaryFormat returns the name of the format that data begins as, "" for none.
func binaryFormat(data []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.magic)) {
			return s.format
		}
	}
	if len(data) >= 12 && bytes.HasPrefix(data, []byte("RIFF")) && bytes.ContainsAny(data[4:8], "\x00") {
		return "RIFF sound or video"
	}
	return ""
}

// noText says of a binary file that begins with data why it has no text.
func noText(path string, data []byte) *skip.Error {
	if found := secret.Of(path, data); found.Reason != "" {
		return &skip.Error{Reason: found.Reason, Path: path, Detail: found.Detail}
	}
	return &skip.Error{Reason: skip.Binary, Path: path, Detail: binaryFormat(data)}
}

// Shares of bytes that text does not exceed. A log that a crash filled up with
// zero bytes stays text as long as they are few.
const (
	headBytes       = 8 << 10 // no zero byte may stand in here
	maxZeroShare    = 0.001
	maxControlShare = 0.05
)

// isBinary reports whether bytes in an encoding that extends ASCII are not text.
func isBinary(data []byte) bool {
	if bytes.IndexByte(data[:min(len(data), headBytes)], 0) >= 0 {
		return true
	}
	if float64(bytes.Count(data, []byte{0})) > maxZeroShare*float64(len(data)) {
		return true
	}
	sample := data[:min(len(data), 16*headBytes)]
	controls := 0
	for _, b := range sample {
		if b < 0x20 && !strings.ContainsRune("\t\n\r\f\b\x1b", rune(b)) || b == 0x7f {
			controls++
		}
	}
	return float64(controls) > maxControlShare*float64(len(sample))
}

// isHopeless reports whether a file that begins with data is no text, however
// it goes on.
func isHopeless(data []byte) bool {
	if binaryFormat(data) != "" {
		return true
	}
	head := data[:min(len(data), headBytes)]
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.mark)) {
			return false
		}
	}
	_, _, isText := decodeUTF16(head)
	return !isText
}
