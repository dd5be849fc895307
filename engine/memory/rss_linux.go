package memory

import (
	"bytes"
	"os"
	"strconv"
)

// RSS returns the bytes of this process that are resident in memory, file
// pages included, as the system counts them; 0 where that is unknown.
func RSS() int64 {
	// Second field of statm: resident pages (proc(5)).
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
