package memory

import "golang.org/x/sys/unix"

// Machine is the bytes of memory of this machine; 0 if that is unknown.
func Machine() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
