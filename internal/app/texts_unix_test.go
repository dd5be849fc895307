//go:build unix

package app_test

import (
	"os"
	"testing"

	"dowse/internal/testapp"

	"golang.org/x/sys/unix"
)

// makePipe puts a pipe in the place of a note.
func makePipe(t *testing.T, note, _ string) {
	testapp.Require(t, os.Remove(note))
	testapp.Require(t, unix.Mkfifo(note, 0o600))
}
