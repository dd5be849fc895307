//go:build !unix || aix || solaris

package child

import "os"

// group does nothing: a system without process groups ends the program alone.
func group(*Cmd) {}

// end ends a program, by its id.
func end(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return os.ErrProcessDone
	}
	return p.Kill()
}

// lower does nothing.
func lower(int) {}
