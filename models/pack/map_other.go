//go:build !unix

package pack

import (
	"io"
	"os"
	"unsafe"
)

// mapFile reads size bytes of f, aligned like a mapping, where mapping files is
// not available.
func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	buffer := make([]byte, size+arrayAlign)
	shift := -int(uintptr(unsafe.Pointer(unsafe.SliceData(buffer)))) & (arrayAlign - 1)
	data = buffer[shift : shift+size]
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}
