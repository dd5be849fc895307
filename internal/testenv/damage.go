package testenv

import (
	"errors"
	"os"
)

// FlipByte changes a byte in the middle of a file. A new file takes its name, so that a
// mapping of the old one keeps its bytes.
func FlipByte(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 0x10
	return errors.Join(os.WriteFile(path+".new", data, 0o600), os.Rename(path+".new", path))
}
