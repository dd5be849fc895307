//go:build !unix

package app_test

import (
	"os"
	"testing"

	"dowse/internal/testapp"
)

// makePipe removes a note: there are no pipes in folders here.
func makePipe(t *testing.T, note, _ string) { testapp.Require(t, os.Remove(note)) }
