package directio

import (
	"os"
	"syscall"
)

// openDirect opens with O_DIRECT; open(2) fails with EINVAL where the file
// system has no such thing.
func openDirect(path string, flag int) (*os.File, error) {
	return os.OpenFile(path, flag|syscall.O_DIRECT, 0)
}
