//go:build cgo

package kernel

import "golang.org/x/sys/cpu"

// nativeISAs returns the native instruction sets of this processor, slowest first.
func nativeISAs() []ISA {
	isas := []ISA{NEON}
	if cpu.ARM64.HasASIMDDP {
		isas = append(isas, NEONDot)
	}
	return isas
}
