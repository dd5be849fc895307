//go:build unix

package memory

import "golang.org/x/sys/unix"

// allocate returns size zeroed bytes in whole pages.
func allocate(size int) ([]byte, error) {
	if size == 0 {
		return []byte{}, nil
	}
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

func release(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return unix.Munmap(data)
}
