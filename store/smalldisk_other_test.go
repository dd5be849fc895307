//go:build !linux

package store_test

import "testing"

func smallDisk(t *testing.T) string {
	t.Helper()
	t.Skip("no small file system can be made here")
	return ""
}
