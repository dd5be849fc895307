package memory

import "golang.org/x/sys/unix"

// Machine is the bytes of memory of this machine; 0 if that is unknown.
func Machine() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}
