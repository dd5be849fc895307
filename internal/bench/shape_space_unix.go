//go:build linux || darwin

package bench

import "golang.org/x/sys/unix"

// freeBytes returns the bytes that this user may still write to the disk of a folder, and
// whether that is known.
func freeBytes(folder string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
