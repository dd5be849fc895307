//go:build unix

package tty

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// pollable says that a terminal is a file that can be waited for.
const pollable = true

// ready reports whether something can be read from a file within a time.
func ready(file *os.File, within time.Duration) bool {
	for end := time.Now().Add(within); ; {
		left := max(int(time.Until(end).Milliseconds()), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}}, left)
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
