//go:build !cgo || !(amd64 || arm64)

package kernel

// nativeLevels is empty: this build has plain Go alone.
func nativeLevels() []Level { return nil }

// nativeOperations is never asked for a level that nativeLevels lacks.
func nativeOperations(Level) operations { return plainOperations() }
