//go:build linux || darwin

package app

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// freeBytes is the room on the disk of a folder, which need not be there yet; 0:
// unknown.
func freeBytes(folder string) int64 {
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if _, err := os.Stat(folder); err == nil {
			break
		}
	}
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
