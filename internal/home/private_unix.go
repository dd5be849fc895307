//go:build unix

package home

import (
	"os"
	"syscall"
)

// user is the id of this process's user.
func user() int { return os.Getuid() }

// ownerOf is whose a file or folder is.
func ownerOf(info os.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return user()
}

// othersMay says what users other than the owner may do by the mode.
func othersMay(info os.FileInfo) (read, write bool) {
	mode := info.Mode().Perm()
	return mode&0o055 != 0, mode&0o022 != 0
}
