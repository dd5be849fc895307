//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// SyncFolder sees the names in a folder to the disk, where the file system can.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // some network file systems only sync files
	}
	return errors.Join(err, folder.Close())
}
