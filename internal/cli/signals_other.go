//go:build !unix

package cli

import "os"

// memorySignals are none on this system.
var memorySignals []os.Signal

func isSmaller(os.Signal) bool { return false }
