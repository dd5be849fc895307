//go:build !unix || darwin

package nofollow

import "os"

// ways returns the ways to open a file.
func ways() map[string]func(string) (*os.File, error) {
	return map[string]func(string) (*os.File, error){"open": Open}
}
