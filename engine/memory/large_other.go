//go:build !linux

package memory

// inLargePages does nothing: other systems choose sizes of pages themselves.
func inLargePages([]byte) {}
