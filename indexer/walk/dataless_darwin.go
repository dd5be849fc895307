package walk

import (
	"io/fs"
	"syscall"
)

// dataless is SF_DATALESS of sys/stat.h: reading such a file fetches it.
const dataless = 0x40000000

// isDataless reports whether a file's contents are elsewhere, with its size and times as if they were here.
func isDataless(_ string, info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Flags&dataless != 0
}
