//go:build !unix

package app_test

import (
	"os"
	"testing"
)

// makePipe removes a note: there are no pipes in folders here.
func makePipe(t *testing.T, note, _ string) { require(t, os.Remove(note)) }
