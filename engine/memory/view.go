package memory

import (
	"fmt"
	"unsafe"
)

// element is what a view can hold.
type element interface{ int8 | int32 | float32 }

func view[T element](b []byte) ([]T, error) {
	var one T
	size := int(unsafe.Sizeof(one))
	if len(b)%size != 0 {
		return nil, fmt.Errorf("%d bytes are no whole number of %d-byte values", len(b), size)
	}
	if len(b) == 0 {
		return nil, nil
	}
	start := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(start)%uintptr(size) != 0 {
		return nil, fmt.Errorf("bytes start at an address that is no multiple of %d", size)
	}
	return unsafe.Slice((*T)(start), len(b)/size), nil
}

// mustView is view where length and alignment are known to fit.
func mustView[T element](b []byte) []T {
	v, err := view[T](b)
	if err != nil {
		panic("memory: " + err.Error())
	}
	return v
}
