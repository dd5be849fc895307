//go:build !linux && !darwin

package app

// machineMemory is unknown here.
func machineMemory() int64 { return 0 }
