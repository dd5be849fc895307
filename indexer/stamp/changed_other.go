//go:build !unix

package stamp

import "io/fs"

// Changed returns 0: the system does not tell.
func Changed(fs.FileInfo) int64 { return 0 }
