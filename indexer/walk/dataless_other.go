//go:build !darwin && !windows

package walk

import "io/fs"

// isDataless is false where no client marks such files by attributes.
func isDataless(fs.FileInfo) bool { return false }
