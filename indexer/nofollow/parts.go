//go:build unix && !darwin

package nofollow

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// openByParts opens each folder on the way by its name in the one above, so
// that no link is followed at any of them.
func openByParts(path string) (*os.File, error) {
	at := unix.AT_FDCWD
	if strings.HasPrefix(path, "/") {
		root, err := retry(func() (int, error) { return unix.Open("/", folderFlags, 0) })
		if err != nil {
			return nil, err
		}
		at = root
	}
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(names) == 0 {
		names = []string{"."}
	}
	for _, name := range names[:len(names)-1] {
		below, err := openPart(at, name, folderFlags)
		closeFolder(at)
		if err != nil {
			return nil, err
		}
		at = below
	}
	fd, err := openPart(at, names[len(names)-1], fileFlags|unix.O_NOFOLLOW)
	closeFolder(at)
	if err != nil {
		return nil, err
	}
	return fileOf(fd, path)
}

// openPart opens a name in a folder.
func openPart(folder int, name string, flags int) (int, error) {
	fd, err := retry(func() (int, error) { return unix.Openat(folder, name, flags, 0) })
	if err == nil {
		return fd, nil
	}
	// Systems name a link differently: ELOOP, EMLINK, EFTYPE, or ENOTDIR where a
	// folder is wanted.
	var stat unix.Stat_t
	if errors.Is(err, unix.ELOOP) ||
		unix.Fstatat(folder, name, &stat, unix.AT_SYMLINK_NOFOLLOW) == nil && stat.Mode&unix.S_IFMT == unix.S_IFLNK {
		return -1, ErrLink
	}
	return -1, err
}

// closeFolder closes a folder on the way, through which nothing was written.
func closeFolder(fd int) {
	if fd != unix.AT_FDCWD {
		_ = unix.Close(fd)
	}
}
