//go:build !unix

package pack

// syncFolder does nothing where folders cannot be synced.
func syncFolder(string) error { return nil }
