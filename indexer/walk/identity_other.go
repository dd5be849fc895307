//go:build !unix

package walk

import "io/fs"

// identity tells directories apart. Links are resolved before, so that the path
// is enough where the system gives no numbers.
type identity struct{ path string }

func identify(path string, _ fs.FileInfo) identity { return identity{path} }
