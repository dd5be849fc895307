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

// Suffixes of files moved aside. A damaged index is removed once its successor
// is complete; a foreign file stays.
const (
	damagedMark = ".damaged-"
	foreignMark = ".foreign-"
)

// MoveAside renames a closed, damaged index and returns the new name: the old
// one with ".damaged-" and the time. OpenOrReplace gives foreign files
// ".foreign-".
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

// linkAside gives a file a second name, as MoveAside would; where links are
// unsupported it moves the file. It returns "" where there is no file.
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
// ErrFingerprint. A missing one is no error.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove index: %w", err)
	}
	return nil
}

// rootsSuffix ends the name of the list of indexed folders kept beside the
// index, for when it cannot be read.
const rootsSuffix = ".roots"

// KeepRoots writes that list if it changed.
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

func keptRoots(path string) []string {
	data, err := os.ReadFile(path + rootsSuffix)
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(string(data), "\x00")
}
