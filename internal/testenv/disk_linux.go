package testenv

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// SmallDisk mounts a file system of a size such as 2m, which takes root, and returns its
// folder. It skips the test where that is not possible.
func SmallDisk(t testing.TB, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small file system")
	}
	folder := t.TempDir()
	err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size)
	if errors.Is(err, os.ErrPermission) {
		t.Skipf("this system forbids mounting: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}
