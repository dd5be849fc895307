//go:build !linux && !darwin

package memory

// Machine returns 0: unknown here.
func Machine() int64 { return 0 }

// RSS returns 0: unknown here.
func RSS() int64 { return 0 }
