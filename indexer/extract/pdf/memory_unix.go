//go:build unix

package pdf

import "golang.org/x/sys/unix"

// takePages returns memory of zeros that takes none before it is touched.
func takePages(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

func givePages(pages []byte) error { return unix.Munmap(pages) }
