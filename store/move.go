package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dowse/internal/atomicfile"
)

// What is put behind the name of a file that was moved aside. An index goes
// when another one is complete in its place; a file that was never one stays.
const (
	damagedMark = ".damaged-"
	foreignMark = ".foreign-"
)

// MoveAside renames a damaged index, which must be closed, so that a new one
// can take its place, and returns the new name: the old one with ".damaged-"
// and the time. What is no index at all gets ".foreign-" from OpenOrReplace.
func MoveAside(path string, now time.Time) (string, error) {
	return moveAside(path, damagedMark, now)
}

func moveAside(path, mark string, now time.Time) (string, error) {
	aside, err := freeName(path, mark, now)
	if err == nil {
		err = atomicfile.Rename(path, aside)
	}
	if err != nil {
		return "", fmt.Errorf("move damaged index aside: %w", err)
	}
	return aside, nil
}

// linkAside gives a file the name that MoveAside would, and leaves it the old
// one for another file to take; where there are no links it is moved. "" is
// returned where there is no file.
func linkAside(path string, now time.Time) (string, error) {
	mark := damagedMark
	switch err := checkStart(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, ErrForeign):
		mark = foreignMark
	}
	aside, err := freeName(path, mark, now)
	if err != nil {
		return "", fmt.Errorf("move damaged index aside: %w", err)
	}
	if os.Link(path, aside) == nil {
		return aside, nil
	}
	return moveAside(path, mark, now)
}

// freeName returns a name that no file has.
func freeName(path, mark string, now time.Time) (string, error) {
	base := path + mark + now.UTC().Format("20060102T150405Z")
	aside := base
	for n := 2; ; n++ {
		_, err := os.Lstat(aside)
		if errors.Is(err, fs.ErrNotExist) {
			return aside, nil
		}
		if err != nil {
			return "", err
		}
		aside = fmt.Sprintf("%s-%d", base, n)
	}
}

// RemoveAside deletes the damaged indexes that were moved aside from a path.
func RemoveAside(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("remove damaged indexes: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+damagedMark) && e.Type().IsRegular() {
			if err := removeIfThere(filepath.Join(filepath.Dir(path), e.Name())); err != nil {
				return fmt.Errorf("remove damaged indexes: %w", err)
			}
		}
	}
	return nil
}

// Remove deletes a closed index that cannot be used any more, as after
// ErrFingerprint. An index that is already gone is no error.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove index: %w", err)
	}
	return nil
}

// rootsSuffix ends the name of the list of indexed folders that is kept beside
// the index, for one that is damaged beyond reading.
const rootsSuffix = ".roots"

// KeepRoots writes that list, unless it says the same already.
func (db *DB) KeepRoots(roots []string) error {
	if slices.Equal(roots, keptRoots(db.Path())) {
		return nil
	}
	list := []byte(strings.Join(roots, "\x00"))
	if err := atomicfile.WriteFile(db.Path()+rootsSuffix, list, 0o600); err != nil {
		return fmt.Errorf("keep the list of folders: %w", translate(err))
	}
	return nil
}

// keptRoots reads the list; none where there is none.
func keptRoots(path string) []string {
	data, err := os.ReadFile(path + rootsSuffix)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(string(data), "\x00")
}
