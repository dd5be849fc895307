package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// MoveAside renames a damaged or foreign index, which must be closed, so
// that a new one can take its place, and returns the new name: the old one
// with ".damaged-" and the time.
func MoveAside(path string, now time.Time) (string, error) {
	base := path + ".damaged-" + now.UTC().Format("20060102T150405Z")
	aside := base
	for n := 2; ; n++ {
		_, err := os.Lstat(aside)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("move damaged index aside: %w", err)
		}
		aside = fmt.Sprintf("%s-%d", base, n)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", fmt.Errorf("move damaged index aside: %w", err)
	}
	return aside, nil
}

// Remove deletes a closed index that cannot be used any more, as after
// ErrFingerprint. An index that is already gone is no error.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove index: %w", err)
	}
	return nil
}
