package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// punch frees a range of a file, which then reads as zeroes.
func punch(file *os.File, offset, size int64) error {
	return again(func() error {
		return unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, offset, size)
	})
}

// writeVector writes adjacent buffers in one call.
func writeVector(file *os.File, buffers [][]byte, offset int64) (n int, err error) {
	err = again(func() error {
		n, err = unix.Pwritev(int(file.Fd()), buffers, offset)
		return err
	})
	return n, err
}

// again retries an interrupted system call.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
