//go:build !cgo || !(amd64 || arm64)

package kernel

// nativeISAs is empty: this build has plain Go alone.
func nativeISAs() []ISA { return nil }

// nativeOperations is never asked for an instruction set that nativeISAs lacks.
func nativeOperations(ISA) operations { return plainOperations() }
