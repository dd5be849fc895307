//go:build !unix

package memory

import (
	"os"
	"unsafe"
)

// allocate returns size zeroed bytes of the Go heap that start at a page.
func allocate(size int) ([]byte, error) {
	page := os.Getpagesize()
	data := make([]byte, size+page)
	skip := 0
	if at := uintptr(unsafe.Pointer(unsafe.SliceData(data))) % uintptr(page); at != 0 {
		skip = page - int(at)
	}
	return data[skip : skip+size : skip+size], nil
}

func release([]byte) error { return nil }
