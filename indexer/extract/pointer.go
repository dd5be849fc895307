package extract

import (
	"bytes"

	"dowse/indexer/skip"
	"dowse/internal/pattern"
)

// maxPointer is the size in bytes that a pointer does not exceed; the specification of git-lfs says 1,024,
// git-annex reads as many.
const maxPointer = 1024

// annexPointer is what git-annex leaves in the place of an unlocked file: its key, which begins with
// the way it was hashed and the size.
var annexPointer = pattern.New(`^/annex/objects/[A-Z0-9_]+-[^/\n]+\n?$`)

// isPointer reports whether a file stands for contents that git-lfs or git-annex have elsewhere.
// Source: the specification of git-lfs, version 1, and that of git-annex' pointer files.
func isPointer(data []byte) bool {
	if len(data) > maxPointer {
		return false
	}
	return bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/v1\n")) && bytes.Contains(data, []byte("\noid ")) ||
		annexPointer.Match(data)
}

// notHere refuses a pointer.
func notHere(path string) *skip.Error {
	return &skip.Error{Reason: skip.NotHere, Path: path, Detail: "git lfs pull or git annex get fetches it"}
}
