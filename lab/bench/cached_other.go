//go:build !linux

package bench

// dropsCached says whether dropCached does anything on this system.
const dropsCached = false

// dropCached does nothing: this system has no call for it.
func dropCached(string) error { return nil }
