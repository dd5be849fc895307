//go:build unix

package daemon

import (
	"os"
	"syscall"
)

// private reports whether no other user owns the file or folder at path: it is this
// user's, or not there.
func private(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return true
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
