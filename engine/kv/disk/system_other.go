//go:build !linux

package disk

import (
	"errors"
	"os"
)

// punch is for systems where zeroes are written instead.
func punch(*os.File, int64, int64) error { return errors.ErrUnsupported }

func readVector(file *os.File, buffers [][]byte, offset int64) (int, error) {
	return each(buffers, offset, file.ReadAt)
}

func writeVector(file *os.File, buffers [][]byte, offset int64) (int, error) {
	return each(buffers, offset, file.WriteAt)
}

// each reads or writes buffers by one call of the system each, where there is none for
// all of them.
func each(buffers [][]byte, offset int64, do func([]byte, int64) (int, error)) (total int, err error) {
	for _, b := range buffers {
		n, err := do(b, offset+int64(total))
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
