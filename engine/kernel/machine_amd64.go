//go:build cgo

package kernel

import "golang.org/x/sys/cpu"

// nativeLevels returns the native levels of this processor, slowest first.
func nativeLevels() []Level {
	var levels []Level
	x := &cpu.X86
	if x.HasAVX2 {
		levels = append(levels, AVX2)
		if x.HasAVXVNNI {
			levels = append(levels, AVXVNNI)
		}
	}
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI {
		levels = append(levels, AVX512)
	}
	return levels
}
