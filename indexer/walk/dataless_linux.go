package walk

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// leastHole is the size in bytes from which a file without blocks is looked at. File systems keep smaller ones within
// their own tables, without a block.
const leastHole = 4096

// isDataless reports whether a file has a size and no contents: all of it is one hole, as a client leaves it that has
// made room for a file and not fetched it. Blocks alone do not tell, since some file systems count none; where holes are
// not told either, the file has contents.
func isDataless(path string, info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Blocks != 0 || s.Size < leastHole {
		return false
	}
	f, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false // what reads it says why
	}
	_, err = unix.Seek(f, 0, unix.SEEK_DATA)
	_ = unix.Close(f) // nothing was written
	return errors.Is(err, unix.ENXIO)
}
