package nofollow

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func open(path string) (*os.File, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, fileFlags|unix.O_NOFOLLOW_ANY, 0) })
	if errors.Is(err, unix.ELOOP) {
		return nil, ErrLink
	}
	if err != nil {
		return nil, err
	}
	return fileOf(fd, path)
}
