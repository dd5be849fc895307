//go:build !linux && !darwin

package directio

import (
	"errors"
	"os"
)

// openDirect has no direct access to offer on this system.
func openDirect(string, int) (*os.File, error) { return nil, errors.ErrUnsupported }
