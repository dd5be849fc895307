//go:build unix

package walk

import (
	"io/fs"
	"syscall"
)

// identity tells directories apart, whatever path leads to them.
type identity struct {
	device, inode uint64
	path          string // where the system gives no numbers
}

func identify(path string, info fs.FileInfo) identity {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity{device: uint64(s.Dev), inode: s.Ino}
	}
	return identity{path: path}
}
