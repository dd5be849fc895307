//go:build !linux

package testenv

import "testing"

// SmallDisk skips the test: no small file system can be made here.
func SmallDisk(t testing.TB, _ string) string {
	t.Helper()
	t.Skip("no small file system can be made here")
	return ""
}
