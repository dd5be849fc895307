package nofollow

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// annexObjects is where git-annex keeps the contents of files, below the top of a repository.
const annexObjects = "/.git/annex/objects/"

// Annexed returns the file that a symbolic link of git-annex stands for, and what the system knows of it:
// what the link names, if that is an object of the repository within which the link lies. The error is ErrLink for any other
// link, and wraps fs.ErrNotExist where the object was not fetched. Whoever opens the object does so
// by Open, so that nothing else is reached by a link that somebody made to look so.
func Annexed(link string) (object string, info fs.FileInfo, err error) {
	target, err := os.Readlink(link)
	if err != nil {
		return "", nil, err
	}
	if filepath.IsAbs(target) {
		return "", nil, ErrLink
	}
	object = filepath.Join(filepath.Dir(link), target)
	top, rest, found := strings.Cut(filepath.ToSlash(object), annexObjects)
	parts := strings.Split(rest, "/")
	// Two folders by the hash of the key, then the key twice.
	if n := len(parts); !found || !strings.HasPrefix(filepath.ToSlash(link), top+"/") || n != 4 || parts[n-1] != parts[n-2] {
		return "", nil, ErrLink
	}
	info, err = os.Lstat(object)
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, ErrLink
	}
	return object, info, nil
}
