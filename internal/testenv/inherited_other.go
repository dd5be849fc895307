//go:build !unix

package testenv

// inherited replaces what a process has from its parent besides variables.
func inherited() {}
