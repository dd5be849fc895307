//go:build !unix

package atomicfile

// SyncFolder does nothing: here folders cannot be synced.
func SyncFolder(string) error { return nil }
