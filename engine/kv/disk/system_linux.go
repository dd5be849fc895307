package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// punch gives stretches of a file back to the file system: they read as zeroes.
func punch(file *os.File, offset, size int64) error {
	return again(func() error {
		return unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, offset, size)
	})
}

// readVector reads into buffers one after the other by one call.
func readVector(file *os.File, buffers [][]byte, offset int64) (n int, err error) {
	err = again(func() error {
		n, err = unix.Preadv(int(file.Fd()), buffers, offset)
		return err
	})
	return n, err
}

// writeVector writes buffers one after the other by one call.
func writeVector(file *os.File, buffers [][]byte, offset int64) (n int, err error) {
	err = again(func() error {
		n, err = unix.Pwritev(int(file.Fd()), buffers, offset)
		return err
	})
	return n, err
}

// again repeats a call of the system that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
