//go:build unix

package nofollow

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// fileFlags open what was asked for: O_NONBLOCK, so that a pipe without a
// writer is not waited for.
const fileFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC

// retry repeats a call that a signal interrupts, or that the kernel asks to
// repeat because something on the way was renamed.
func retry(call func() (int, error)) (int, error) {
	const attempts = 1000
	for i := 0; ; i++ {
		fd, err := call()
		if i < attempts && (errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN)) {
			continue
		}
		return fd, err
	}
}

// fileOf makes a file of a descriptor, whose reads wait as those of any file.
func fileOf(fd int, path string) (*os.File, error) {
	if err := unix.SetNonblock(fd, false); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), path), nil
}
