//go:build cgo

package kernel

import "golang.org/x/sys/cpu"

// nativeISAs returns the native instruction sets of this processor, slowest first.
func nativeISAs() []ISA {
	var isas []ISA
	x := &cpu.X86
	if x.HasAVX2 && x.HasFMA {
		isas = append(isas, AVX2)
		if x.HasAVXVNNI {
			isas = append(isas, AVXVNNI)
		}
	}
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI {
		isas = append(isas, AVX512)
	}
	return isas
}
