package bench

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// dropsCached says whether dropCached does anything on this system.
const dropsCached = true

// dropCached drops a file from the page cache, as far as nobody has it mapped.
func dropCached(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	err = errors.Join(file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED))
	return errors.Join(err, file.Close())
}
