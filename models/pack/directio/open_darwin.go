package directio

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openDirect opens a file and turns the cache off for it; see fcntl(2).
func openDirect(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, err
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_NOCACHE, 1); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
