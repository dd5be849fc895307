//go:build unix

package app_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// makePipe puts a pipe in the place of a note.
func makePipe(t *testing.T, note, _ string) {
	require(t, os.Remove(note))
	require(t, unix.Mkfifo(note, 0o600))
}
