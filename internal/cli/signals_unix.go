//go:build unix

package cli

import (
	"os"
	"syscall"
)

// memorySignals make the memory of models smaller, and give it back.
var memorySignals = []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}

// isSmaller reports whether a memory signal asks for less.
func isSmaller(s os.Signal) bool { return s == syscall.SIGUSR1 }
