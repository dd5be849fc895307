package nofollow

import (
	"errors"
	"os"
)

// ErrLink says that a part of a path is a symbolic link.
var ErrLink = errors.New("a part of the path is a symbolic link")

// Open opens the file or folder at path for reading. The error is an
// *os.PathError, around ErrLink where a part of the path is a symbolic link.
func Open(path string) (*os.File, error) {
	f, err := open(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return f, nil
}
