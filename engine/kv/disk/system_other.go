//go:build !linux

package disk

import (
	"errors"
	"os"
)

// punch is for Linux alone; elsewhere zeroes are written.
func punch(*os.File, int64, int64) error { return errors.ErrUnsupported }

// writeVector writes adjacent buffers, one call each.
func writeVector(file *os.File, buffers [][]byte, offset int64) (total int, err error) {
	for _, b := range buffers {
		n, err := file.WriteAt(b, offset+int64(total))
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
