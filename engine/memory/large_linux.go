package memory

import "golang.org/x/sys/unix"

// inLargePages asks for pages of 2 MB, which a system without them refuses.
func inLargePages(data []byte) {
	if len(data) > 0 {
		_ = unix.Madvise(data, unix.MADV_HUGEPAGE)
	}
}
