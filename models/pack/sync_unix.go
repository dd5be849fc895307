//go:build unix

package pack

import (
	"errors"
	"os"
)

// syncFolder makes a rename in folder last through a power cut.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
