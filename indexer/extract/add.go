package extract

import (
	"slices"

	"dowse/indexer/document"
)

// Add has files read by one more Format, before those of the list, until remove is
// called. It is for programs that bring a Format of their own, and for tests; neither
// may be called while files are read.
func Add(f document.Format) (remove func()) {
	before := formats
	formats = slices.Concat([]document.Format{f}, before)
	return func() { formats = before }
}
