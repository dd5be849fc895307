//go:build !darwin && !windows && !linux

package walk

import "io/fs"

// isDataless is false where no client marks such files by attributes.
func isDataless(string, fs.FileInfo) bool { return false }
