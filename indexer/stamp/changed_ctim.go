//go:build unix && !darwin && !freebsd && !netbsd

package stamp

import (
	"io/fs"
	"syscall"
)

// Changed returns when the inode of a file was changed last, in unix nanoseconds; 0 where the system does
// not tell.
func Changed(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Ctim.Sec)*1e9 + int64(s.Ctim.Nsec) //nolint:unconvert // they have other types on 32 bits
	}
	return 0
}
