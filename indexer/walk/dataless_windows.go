package walk

import (
	"io/fs"
	"syscall"
)

// elsewhere are FILE_ATTRIBUTE_OFFLINE, _RECALL_ON_OPEN and _RECALL_ON_DATA_ACCESS of winnt.h: reading such a file fetches
// it. OneDrive and other clients of the Cloud Files API set them.
const elsewhere = 0x1000 | 0x40000 | 0x400000

// isDataless reports whether a file's contents are elsewhere, with its size and times as if they were here.
func isDataless(_ string, info fs.FileInfo) bool {
	a, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok && a.FileAttributes&elsewhere != 0
}
