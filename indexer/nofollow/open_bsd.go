//go:build unix && !linux && !darwin

package nofollow

import (
	"os"

	"golang.org/x/sys/unix"
)

const folderFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

func open(path string) (*os.File, error) { return openByParts(path) }
