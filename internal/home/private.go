package home

import (
	"fmt"
	"os"
)

// Access is what users other than this one may do in a folder. The system's
// administrator, who may do everything, does not count.
type Access struct {
	Read  bool // list it, or go through it to files in it
	Write bool // put files there, or replace them
	Owner bool // it belongs to another user, who may do both
}

// AccessOf tells what others may do in a folder; nothing in one that does not exist.
func AccessOf(dir string) (Access, error) {
	info, err := os.Stat(dir)
	if os.IsNotExist(err) {
		return Access{}, nil
	}
	if err != nil {
		return Access{}, err
	}
	return accessOf(info, user()), nil
}

func accessOf(info os.FileInfo, user int) Access {
	var a Access
	a.Read, a.Write = othersMay(info)
	a.Owner = ownerOf(info) != user
	return a
}

// MakePrivate creates a folder, and its parents, that only this user may read.
// From one that exists it takes what others may do there; one that belongs to
// somebody else is refused.
func MakePrivate(dir string) error { return makeOwn(dir, 0o077, user()) }

// MakeOwn creates a folder like MakePrivate, but where it exists others may go
// on reading: models hold nothing of this user's, and may be shared.
func MakeOwn(dir string) error { return makeOwn(dir, 0o022, user()) }

// makeOwn makes a folder of which others have none of the rights that are
// barred.
func makeOwn(dir string, barred os.FileMode, user int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot create %s: %w; set %s to a folder that can be written", dir, err, Variable)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("cannot use %s: %w; set %s to a folder that can be written", dir, err, Variable)
	}
	access := accessOf(info, user)
	switch {
	case access.Owner && user == 0:
		return nil // the administrator works for somebody else
	case access.Owner && (barred&0o044 != 0 || access.Write):
		return fmt.Errorf("%s belongs to another user, who may read and replace what dowse keeps there; set %s to a folder of your own", dir, Variable)
	case access.Owner:
		return nil // somebody's models, which this user may read
	case access.Write, access.Read && barred&0o044 != 0:
		// Where the file system knows no modes this fails, and the doctor says so.
		_ = os.Chmod(dir, info.Mode().Perm()&^barred)
	}
	return nil
}
