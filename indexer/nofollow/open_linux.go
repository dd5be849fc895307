package nofollow

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// folderFlags open a folder on the way: to go through it takes no permission to
// list it.
const folderFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

func open(path string) (*os.File, error) {
	how := &unix.OpenHow{Flags: fileFlags, Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS}
	fd, err := retry(func() (int, error) { return unix.Openat2(unix.AT_FDCWD, path, how) })
	switch {
	case err == nil:
		return fileOf(fd, path)
	case errors.Is(err, unix.ELOOP):
		return nil, ErrLink
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.E2BIG), errors.Is(err, unix.EINVAL):
		return openByParts(path) // no such call, or a sandbox that forbids it
	}
	return nil, err
}
