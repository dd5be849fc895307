//go:build cgo

package kernel

import "golang.org/x/sys/cpu"

// nativeLevels returns the native levels of this processor, slowest first.
func nativeLevels() []Level {
	levels := []Level{NEON}
	if cpu.ARM64.HasASIMDDP {
		levels = append(levels, NEONDot)
	}
	return levels
}
